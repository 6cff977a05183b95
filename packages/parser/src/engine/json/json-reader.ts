import { malformed, type Problem } from '../events.js'
import type { Cursor } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { Token, type ValueSink } from '../values/tokens.js'
import { type Dialect, dialectOf } from './dialect.js'
import { type Bracket, type JsonSyntax, object } from './json-syntax.js'
import { createStringEndCheck } from './string-end.js'
import { type EscapeRules, jsonEscapes } from './string-escape.js'

/** Where in the text a reader is. In each picture `|` is the cursor. */
export type State =
  /** `f(|city='Paris')` */
  | 'call'
  /** `{"a": |1` `[|1` */
  | 'value'
  /** `{|"a": 1` `{"a": 1|, "b"` `f(|a=1` */
  | 'key'
  /** `{"a": |True` */
  | 'word'
  /** `{"a": "b|c"` */
  | 'string'
  /** `{"a": 1|}` */
  | 'after-value'

/** What a state says when it is done. `wait`: not enough text yet. `failed`: there is a problem. */
export type Step = State | 'wait' | 'failed'

/** A JSON text that is being read. */
export interface JsonReader {
  readonly cursor: Cursor
  readonly syntax: JsonSyntax
  readonly dialect: Dialect
  /** The marks that end the call. */
  readonly endMarks: readonly string[]
  /** Marks that end a bare word: `{"a": true|</tool_call>`. */
  readonly wordEndMarks: readonly string[]
  /** Marks that may follow a value: `{"a": 1|</tool_call>`. */
  readonly afterValueMarks: readonly string[]
  readonly isStringEnd: ReturnType<typeof createStringEndCheck>

  state: State
  /** The brackets that are open, outermost first. */
  readonly open: Bracket[]
  /** Why the text could not be read on. */
  problem: Problem | undefined

  /** Where the tokens go. */
  sink: ValueSink
  /** Reading stops at the next key or value with so many brackets open. */
  stopDepth: number
  /** Reading has come to its stop. */
  isPaused: boolean

  /** `{|`: the offset in the text after the last bracket that was opened. */
  lastOpenEnd: number
  /** `"abc"|`: the offset in the text after the last string. */
  lastStringEnd: number
  /** The last value was a string, and only closing brackets came after it. */
  isAfterString: boolean
  /** `{|`: a bracket was opened, and nothing came after it. */
  isAfterOpen: boolean
  /** `"a": |`: whitespace is before the cursor. */
  hasSpaceBefore: boolean
  /** `"a": 1` and `"a":1`: how the values were written so far. */
  hadSpacedValue: boolean
  hadTightValue: boolean
  /** `"a":" b"|`: the key of the first value that may have swallowed that whitespace. */
  shiftedKey: string | undefined
  /** `{\n|`: whitespace between values was written as a backslash and a letter. */
  hadEscapedSpace: boolean
  /** The last key. */
  lastKey: string
  /** `[1,, |`: how many commas there were since the last value or bracket. */
  commas: number
  /** The arguments that a Python call has had. */
  readonly seenKeys: Set<string>
  /** `f('Paris', |3`: how many of them had no name. */
  positionalCount: number
  /** The string that is open, or the last that was. */
  readonly string: OpenString
}

/** A string that is being read. */
export interface OpenString {
  /** The text that closes it: `"`, `'''` or a quote mark. */
  quote: string
  escapes: EscapeRules
  /** Finds the next character that may not be plain text; -1 without one. */
  findStop: (text: string, from: number) => number
  /** It has contained a quote that was not escaped. Then an end mark in it is not text. */
  hadUnescapedQuote: boolean
  /** The string as it was written, up to the first unescaped quote. */
  source: string
  /** Its first characters, and its last ones. */
  head: string
  tail: string
  /** How many quotes it has contained that were not escaped. */
  innerQuotes: number
  /** `'it's'`: it has contained an apostrophe. */
  hadApostrophe: boolean
  /** `"say |"hi" to`: the first of them opens, and does not close. */
  firstInnerOpens: boolean
  /** It has contained a line break that was not escaped. */
  hadLineBreak: boolean
}

/** `open`: the brackets that were read already, outermost first. */
export function createJsonReader(
  cursor: Cursor,
  syntax: JsonSyntax,
  open: Bracket[] = [object],
): JsonReader {
  const { endMarks = [], weakEndMarks = [] } = syntax
  const dialect = dialectOf(syntax)
  const wordEndMarks = dialect.quoteMark ? [dialect.quoteMark, ...endMarks] : endMarks
  const firstState = open.at(-1)?.keySign ? 'key' : 'value'
  return {
    cursor,
    syntax,
    dialect,
    endMarks,
    wordEndMarks,
    afterValueMarks: [...wordEndMarks, ...weakEndMarks],
    isStringEnd: createStringEndCheck(syntax, dialect, open),
    state: syntax.python ? 'call' : firstState,
    open,
    problem: undefined,
    sink: () => {},
    stopDepth: 0,
    isPaused: false,
    lastOpenEnd: offsetOf(cursor),
    lastStringEnd: -1,
    isAfterString: false,
    isAfterOpen: true,
    hasSpaceBefore: false,
    hadSpacedValue: false,
    hadTightValue: false,
    shiftedKey: undefined,
    hadEscapedSpace: false,
    lastKey: '',
    commas: 0,
    seenKeys: new Set(),
    positionalCount: 0,
    string: {
      quote: '',
      escapes: jsonEscapes,
      findStop: () => -1,
      hadUnescapedQuote: false,
      source: '',
      head: '',
      tail: '',
      innerQuotes: 0,
      hadApostrophe: false,
      firstInnerOpens: false,
      hadLineBreak: false,
    },
  }
}

/** The place of the cursor in the whole text. */
export const offsetOf = ({ windowOffset, at }: Cursor) => windowOffset + at

/** The text at the cursor, or so many characters after it, as far as a look ahead goes. */
export const textAhead = ({ text, at }: Cursor, from = 0) =>
  text.slice(at + from, at + from + MAX_LOOKAHEAD_CHARS)

/** Tells whether one of the marks is at the cursor. */
export const isAtMark = ({ text, at }: Cursor, marks: readonly string[]): Verdict =>
  matchMarks(text.slice(at), marks)

/** Tells whether the mark in place of quotes is at the cursor. */
export const isAtQuoteMark = ({ cursor, dialect }: JsonReader): Verdict =>
  dialect.quoteMark ? isAtMark(cursor, [dialect.quoteMark]) : 'no'

/** The innermost bracket. */
export const innermost = ({ open }: JsonReader): Bracket | undefined => open[open.length - 1]

/** Puts a token, and pauses where a key or a value ends at the depth that was asked for. */
export function put(reader: JsonReader, token: Token, text: string): void {
  const depth = reader.open.length
  if (depth < reader.stopDepth) return
  reader.sink(token, text)
  if (token === Token.endText) reader.lastStringEnd = offsetOf(reader.cursor)
  const isBegun =
    token === Token.beginQuoted || token === Token.beginUntyped || token === Token.text
  if (depth === reader.stopDepth && !isBegun) reader.isPaused = true
}

export function fail(reader: JsonReader, message: string): 'failed' {
  reader.problem = malformed(message)
  return 'failed'
}

/**
 * True at the end of a text that the model has ended: a value that lacks only its closing brackets
 * is complete there (decision 62): `{"city": "Paris"|`.
 */
export const mayEndHere = ({ cursor, dialect }: JsonReader): boolean =>
  cursor.isFinal && !cursor.isTruncated && dialect.closersMayBeMissing
