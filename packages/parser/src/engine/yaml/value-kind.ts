import { isQuote } from '../text/characters.js'
import { CONTAINER, JsonType, type Shape } from '../values/shape.js'
import { isBlockHeader } from './block.js'
import { findKey, isDash } from './lines.js'

/** What a value is, as its first line shows. */
export type ValueKind =
  /** `- a` */
  | 'list'
  /** `name: Ann` */
  | 'mapping'
  /** `|` or `>-` */
  | 'block'
  /** `[a, b]` or `{a: 1}` */
  | 'brackets'
  /** `"Paris"` */
  | 'quoted'
  /** `"climate change" 2024`: a text that begins with quotes of its own. */
  | 'quoted-words'
  /** `Paris` */
  | 'plain'

/**
 * Decides how a value is read. `mayNest`: a list or a mapping may begin here, in a line of its own or
 * after a dash.
 */
export function kindOfValue(text: string, shape: Shape, mayNest: boolean): ValueKind {
  if (mayNest && isDash(text)) return 'list'
  if (mayNest && isMapping(text, shape)) return 'mapping'
  if (isBlockHeader(text)) return 'block'
  if (isQuote(text.charAt(0))) return isQuotedWords(text, shape) ? 'quoted-words' : 'quoted'
  return opensBrackets(text, shape) ? 'brackets' : 'plain'
}

/** `note:\n  |Please: call`: where a text is expected a colon is part of it. */
function isMapping(text: string, shape: Shape): boolean {
  const mayBeObject = (shape.types & JsonType.object) !== 0
  if (mayBeText(shape) && !mayBeObject) return false
  return !opensBrackets(text, shape) && findKey(text) !== undefined
}

const mayBeText = ({ types }: Shape) => (types & JsonType.string) !== 0

/** True for a bracket that begins a list or an object. Where only a text is expected it is text. */
function opensBrackets(text: string, shape: Shape): boolean {
  const mayBeContainer = (shape.types & CONTAINER) !== 0
  return /^[[{]/.test(text) && (mayBeContainer || !mayBeText(shape))
}

/** `"climate change" 2024`, `'a' b`; not `"Paris" # comment`, and not `'it''s'` */
const quotesAndMore = /^(?:"(?:[^"\\]|\\.)+"|'(?:[^']|'')+'(?!'))\s*[^\s#]/

/** Decides whether text follows the second quote in the line (decision 54). */
const isQuotedWords = (text: string, shape: Shape) => mayBeText(shape) && quotesAndMore.test(text)
