import { isLiteral, isQuote } from '../text/characters.js'
import { matchMarks } from '../text/read-marks.js'
import { type Dialect, isStringPrefix } from './dialect.js'
import { isPartialEscapedSpace, startsWithEscapedSpace } from './escaped-space.js'
import type { Bracket } from './json-syntax.js'
import { startsStrayMark } from './string-end.js'

/** A value without quotes, and what follows it. */
export type WordEnd =
  /** `true|,` `New York|}`: the word is a value. */
  | { readonly type: 'value'; readonly word: string }
  /** `r|'\d'`: the word is the prefix of a string. */
  | { readonly type: 'prefix'; readonly word: string }
  /** `f|(1)`: code. */
  | { readonly type: 'code'; readonly found: string }
  /** `New York|<|"|>,`: the first quote mark of a text is missing. */
  | { readonly type: 'unopened'; readonly word: string }
  /** `New Yo|</tool_call>`: the call ends inside the value. */
  | { readonly type: 'cut'; readonly found: string }
  /** Not in so many characters. */
  | { readonly type: 'too-long' }

/** What a word depends on, besides its text. */
export interface WordContext {
  readonly dialect: Dialect
  /** The brackets that are open: `(1, 2|)`. */
  readonly open: readonly Pick<Bracket, 'closer'>[]
  /** Marks that end a word, the quote mark included. */
  readonly wordEndMarks: readonly string[]
}

/** The end of a word is looked for in so many characters. */
export const MAX_WORD_CHARS = 1024

const wordStop = /[^\w.+-]/g
/** `New York // comment` `New York # comment`, but not `http://` */
const commentAfterWord = /^(?:[ \t][/][/*]| # )/

/**
 * `{"a": |True}` Finds the end of the word at the beginning of a text. `wait`: the text ends inside
 * the word, or with the beginning of a mark.
 */
export function findWordEnd(ahead: string, context: WordContext): WordEnd | 'wait' {
  /** Brackets that are open in the word: `*.{js,ts}`. */
  let depth = 0
  wordStop.lastIndex = 0
  while (wordStop.test(ahead) && wordStop.lastIndex <= MAX_WORD_CHARS) {
    const at = wordStop.lastIndex - 1
    const char = ahead.charAt(at)
    const end = endAtChar(ahead, at, depth, context)
    if (end) return end
    if (char === '[' || char === '{') depth++
    if (char === ']' || char === '}') depth--
    const endAtMark =
      char === '\\' ? endAtEscapedSpace(ahead, at) : endAtWordMark(ahead, at, context)
    if (endAtMark) return endAtMark
  }
  return ahead.length < MAX_WORD_CHARS ? 'wait' : { type: 'too-long' }
}

/** Decides whether a character ends the word before it. `depth`: the brackets open in the word. */
function endAtChar(ahead: string, at: number, depth: number, { dialect, open }: WordContext) {
  const char = ahead.charAt(at)
  const word = ahead.slice(0, at)
  // `true|,` `New York|\n`
  const isEnd = depth === 0 && (dialect.wordEnds.includes(char) || char === open.at(-1)?.closer)
  if (isEnd || char === '\n') return { type: 'value', word } as const
  if (isQuote(char)) {
    // `5|"b": 1`: the comma is missing (decision 60).
    if (isLiteral(word)) return { type: 'value', word } as const
    // `r|'\d'`
    if (dialect.hasStringPrefixes && isStringPrefix(word)) return { type: 'prefix', word } as const
  }
  // `f|(1)`
  if (dialect.codeChars.includes(char)) return { type: 'code', found: char } as const
  // `New York| // comment`
  const hasComments = dialect.commentMarks.length > 0
  if (hasComments && commentAfterWord.test(ahead.slice(at))) return { type: 'value', word } as const
  return undefined
}

/** `true|\n}` Only a literal is complete before whitespace that is written as an escape. */
function endAtEscapedSpace(ahead: string, at: number): WordEnd | 'wait' | undefined {
  const word = ahead.slice(0, at)
  const after = ahead.slice(at)
  if (!isLiteral(word)) return undefined
  if (isPartialEscapedSpace(after)) return 'wait'
  return startsWithEscapedSpace(after) ? { type: 'value', word } : undefined
}

/** `true|</tool_call>` Only a literal is complete before a mark. */
function endAtWordMark(
  ahead: string,
  at: number,
  context: WordContext,
): WordEnd | 'wait' | undefined {
  const { dialect, wordEndMarks } = context
  const after = ahead.slice(at)
  const isMark = matchMarks(after, wordEndMarks)
  if (isMark === 'wait') return 'wait'
  if (isMark === 'no') return undefined
  const word = ahead.slice(0, at)
  const found = wordEndMarks.find(mark => after.startsWith(mark)) ?? ''
  if (found === dialect.quoteMark) {
    const isEnd = startsStrayMark(after, dialect)
    if (isEnd === 'wait') return 'wait'
    if (isEnd === 'yes') return { type: 'unopened', word }
  }
  return isLiteral(word) && found !== dialect.quoteMark
    ? { type: 'value', word }
    : { type: 'cut', found }
}
