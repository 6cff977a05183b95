import type { Cursor, Reading } from '../cursor.js'
import { peek } from '../marks.js'
import type { Shape } from '../shape.js'
import { putText, Token, type ValueSink } from '../value-token.js'

export type Attributes = readonly (readonly [name: string, value: string])[]

export interface OpenTag {
  readonly attributes: Attributes
  readonly isSelfClosing: boolean
}

/** A tag longer than this is none. */
const MAX_TAG_CHARS = 16_384
/** Nor is this an attribute's name, with the space around it. */
const MAX_NAME_CHARS = 256

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.-]*'
const valueStart = new RegExp(`^\\s+(${NAME})\\s*=\\s*(["'])`, 'u')
const begun = new RegExp(`^(?:\\s*/?|\\s+${NAME}\\s*=?\\s*)$`, 'u')

/**
 * Reads the rest of an open tag, behind so many characters: attributes up to `>` or `/>`. Gives nothing where there is something else, and
 * takes nothing then; but where the text ends in the tag it takes all.
 */
export function* readTag(cursor: Cursor, nameChars = 0): Reading<OpenTag | undefined> {
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
    } else if (text.length === MAX_NAME_CHARS || !begun.test(text)) return undefined
    else if (cursor.isOver) {
      cursor.at = cursor.text.length
      return undefined
    } else yield
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
  if (found === undefined) cursor.at = cursor.text.length
  return found ?? -1
}

/** Begins an object with what the attributes of its tag say; gives their names. */
export function beginObject(put: ValueSink, { propertyNames }: Shape, attributes: Attributes): Set<string> {
  const known = new Map(attributes.filter(([name]) => propertyNames.includes(name)))
  put(Token.beginObject, '')
  for (const [name, value] of known) {
    put(Token.key, name)
    putText(Token.beginRaw, value, put)
  }
  return new Set(known.keys())
}
