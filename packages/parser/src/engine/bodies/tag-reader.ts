import type { Cursor, Reading } from '../cursor.js'
import { peek } from '../marks.js'

export type Attributes = readonly (readonly [name: string, value: string])[]

/** A tag longer than this is none. */
const MAX_TAG_CHARS = 16_384
/** Nor is this an attribute's name, with the space around it. */
const MAX_NAME_CHARS = 256

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.-]*'
const valueStart = new RegExp(`^\\s+(${NAME})\\s*=\\s*(["'])`, 'u')
const begun = new RegExp(`^(?:\\s*/?|\\s+${NAME}\\s*=?\\s*)$`, 'u')

/**
 * Reads the rest of an open tag, behind so many characters: attributes up to `>` or `/>`. Gives nothing, and takes nothing, where
 * there is something else.
 */
export function* readTag(
  cursor: Cursor,
  nameChars = 0,
): Reading<{ attributes: Attributes; isSelfClosing: boolean } | undefined> {
  const attributes: (readonly [string, string])[] = []
  for (let length = nameChars; length < MAX_TAG_CHARS; ) {
    const text = cursor.text.slice(cursor.at + length, cursor.at + length + MAX_NAME_CHARS)
    const [end] = /^\s*\/?>/.exec(text) ?? []
    if (end !== undefined) {
      cursor.at += length + end.length
      return { attributes, isSelfClosing: end.includes('/') }
    }
    const [start, name = '', quote = ''] = valueStart.exec(text) ?? []
    if (start !== undefined) {
      const from = length + start.length
      const to = yield* findQuote(cursor, quote, from)
      if (to < 0) return undefined
      attributes.push([name, cursor.text.slice(cursor.at + from, cursor.at + to)])
      length = to + 1
    } else if (cursor.isOver || text.length === MAX_NAME_CHARS || !begun.test(text)) return undefined
    else yield
  }
  return undefined
}

function* findQuote(cursor: Cursor, quote: string, from: number): Reading<number> {
  let seen = from
  const found = yield* peek(cursor, text => {
    const at = text.slice(0, MAX_TAG_CHARS).indexOf(quote, seen)
    seen = text.length
    return at >= 0 || seen >= MAX_TAG_CHARS ? at : undefined
  })
  return found ?? -1
}

const tagEnd = /^\s*\/?>$/
const oldValueStart = new RegExp(`^\\s+${NAME}\\s*=\\s*["']$`, 'u')
const attribute = new RegExp(`^\\s+(${NAME})\\s*=\\s*["'](.*)["']$`, 'su')
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
        const [, key = '', value = ''] = attribute.exec(part) ?? []
        attributes.push([key, value])
        part = ''
        quote = ''
      } else if (quote) return
      else if (tagEnd.test(part)) status = 'done'
      else if (oldValueStart.test(part)) quote = char
      else if (part.length > MAX_NAME_CHARS || !beginning.test(part)) status = 'failed'
    },
    status: () => status,
    name: () => name,
    attributes: (): readonly (readonly [string, string])[] => attributes,
    isSelfClosing: () => status === 'done' && text.endsWith('/>'),
    /** The tag as far as it was read. */
    text: () => text,
  }
}
