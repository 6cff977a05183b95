import type { Cursor, Reading } from '../cursor.js'
import { peek } from '../marks.js'
import { putText, Token, type ValueSink } from '../value-token.js'

/** A tag, and how many characters it takes; all is empty where there is none. */
export interface Tag {
  /** The name in an open tag. */
  readonly name: string
  /** A close tag, as it stands. */
  readonly close: string
  readonly isComment: boolean
  readonly isSelfClosing: boolean
  readonly attributes: ReadonlyMap<string, string>
  readonly length: number
}

/** A tag longer than this is none. */
const MAX_TAG_CHARS = 4096

export const noTag: Tag = {
  name: '',
  close: '',
  isComment: false,
  isSelfClosing: false,
  attributes: new Map(),
  length: 0,
}

const NAME = '[\\p{L}\\p{N}_][^\\s<>/"\'=(){}]*'
const KEY = '\\s+[\\p{L}_:][\\p{L}\\p{N}_:.-]*\\s*'
const ATTRIBUTES = `(?:${KEY}=\\s*(?:"[^"]*"|'[^']*'))*`
const attribute = /([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g

/** Looks at an open tag from its name on. Undefined as long as it cannot be told. */
function createOpenTagLook(namePattern: string) {
  const whole = new RegExp(`^(${namePattern})(${ATTRIBUTES})\\s*(/?)>`, 'u')
  const begun = new RegExp(`^${namePattern}${ATTRIBUTES}(?:\\s*/?|${KEY}(?:=\\s*(?:"[^"]*|'[^']*)?)?)$`, 'u')
  return (text: string): Tag | undefined => {
    const head = text.slice(0, MAX_TAG_CHARS)
    const [found, name = '', attributes = '', slash] = whole.exec(head) ?? []
    if (found === undefined) return head.length < MAX_TAG_CHARS && begun.test(head) ? undefined : noTag
    const entries = [...attributes.matchAll(attribute)].map(
      ([, key = '', value = '']) => [key, value.slice(1, -1)] as const,
    )
    return { ...noTag, name, isSelfClosing: slash === '/', attributes: new Map(entries), length: found.length }
  }
}

const lookAtOpenTag = createOpenTagLook(NAME)
const lookBehindName = createOpenTagLook('')

/** Looks at what stands there. Undefined as long as it cannot be told. */
export function lookAtTag(bracket: string, text: string): Tag | undefined {
  if (!text.startsWith(bracket)) return bracket.startsWith(text) ? undefined : noTag
  const inside = text.slice(bracket.length, bracket.length + MAX_TAG_CHARS)
  const [comment, close] = /^(?:!--|(\/[^<>]*>))/.exec(inside) ?? []
  if (close) return { ...noTag, close: bracket + close, length: bracket.length + close.length }
  if (comment) return { ...noTag, isComment: true }
  if (inside.length < MAX_TAG_CHARS && /^(?:!-?|\/[^<>]*)?$/.test(inside)) return undefined
  const tag = lookAtOpenTag(inside)
  return tag && { ...tag, length: bracket.length + tag.length }
}

/** Takes the rest of an open tag, behind its name. Gives nothing, and takes nothing, where there is something else. */
export function* readTag(cursor: Cursor): Reading<Tag | undefined> {
  const tag = yield* peek(cursor, lookBehindName)
  if (!tag?.length) return undefined
  cursor.at += tag.length
  return tag
}

/** Puts the attributes that are arguments; gives their names. */
export function putAttributes({ attributes }: Tag, names: readonly string[], put: ValueSink): string[] {
  const known = [...attributes].filter(([name]) => names.includes(name))
  for (const [name, value] of known) {
    put(Token.key, name)
    putText(Token.beginRaw, value, put)
  }
  return known.map(([name]) => name)
}
