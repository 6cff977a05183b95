import type { Cursor, Reading } from '../cursor.js'
import { peek } from '../marks.js'

export type Attributes = readonly (readonly [name: string, value: string])[]

/** A tag longer than this is none. */
const MAX_TAG_CHARS = 16_384

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.-]*'
const ATTRIBUTE = `\\s+${NAME}\\s*=\\s*(?:"[^"]*"|'[^']*')`
const tag = new RegExp(`^(?:${ATTRIBUTE})*\\s*/?>`, 'u')
const begunTag = new RegExp(`^(?:${ATTRIBUTE})*(?:\\s*/?|\\s+${NAME}\\s*(?:=\\s*(?:"[^"]*|'[^']*)?)?)$`, 'u')
const attribute = new RegExp(`(${NAME})\\s*=\\s*(["'])(.*?)\\2`, 'gsu')

/**
 * Reads the rest of an open tag, behind so many characters: attributes up to `>` or `/>`. Gives nothing where there is something else, and
 * takes nothing then; but where the text ends in the tag it takes all.
 */
export function* readTag(
  cursor: Cursor,
  nameChars = 0,
): Reading<{ attributes: Attributes; isSelfClosing: boolean } | undefined> {
  const rest = yield* peek(cursor, text => {
    const head = text.slice(nameChars, MAX_TAG_CHARS)
    return tag.exec(head)?.[0] ?? (begunTag.test(head) && text.length < MAX_TAG_CHARS ? undefined : '')
  })
  if (rest === undefined) cursor.at = cursor.text.length
  if (!rest) return undefined
  cursor.at += nameChars + rest.length
  const attributes = [...rest.matchAll(attribute)].map(([, name = '', , value = '']) => [name, value] as const)
  return { attributes, isSelfClosing: rest.endsWith('/>') }
}

const tagEnd = /^\s*\/?>$/
const oldValueStart = new RegExp(`^\\s+${NAME}\\s*=\\s*["']$`, 'u')
const oldAttribute = new RegExp(`^\\s+(${NAME})\\s*=\\s*["'](.*)["']$`, 'su')
const beginning = new RegExp(`^(?:\\s+|\\s*/|\\s+${NAME}\\s*=?\\s*)$`, 'u')

/** Reads the rest of an open tag behind its name: attributes up to `>` or `/>`. Stops at the first thing that is neither. */
export function createTagReader(bracket: string, name: string) {
  let status: 'reading' | 'done' | 'failed' = 'reading'
  let text = `${bracket}${name}`
  /** What was read behind the last attribute, and the quote of the value that has begun there. */
  let part = ''
  let quote = ''
  const attributes: (readonly [string, string])[] = []
  return {
    read(char: string) {
      text += char
      part += char
      if (text.length > MAX_TAG_CHARS) status = 'failed'
      else if (quote && char === quote) {
        const [, key = '', value = ''] = oldAttribute.exec(part) ?? []
        attributes.push([key, value])
        part = ''
        quote = ''
      } else if (quote) return
      else if (tagEnd.test(part)) status = 'done'
      else if (oldValueStart.test(part)) quote = char
      else if (part.length > 256 || !beginning.test(part)) status = 'failed'
    },
    status: () => status,
    name: () => name,
    attributes: (): readonly (readonly [string, string])[] => attributes,
    isSelfClosing: () => status === 'done' && text.endsWith('/>'),
    /** The tag as far as it was read. */
    text: () => text,
  }
}
