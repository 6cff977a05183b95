import type { CallOutput } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, matchMarks, peek } from '../text/read-marks.js'
import { findDeclaredKey, hasSeveralWords } from '../values/declared-key.js'
import { JsonType, type Shape } from '../values/shape.js'

/** The marks that open and close a call. A call in a line of its own ends with its line break. */
export interface PairMarks {
  readonly open: string
  readonly close: string
  readonly isLine: boolean
  /** The format writes arguments as a JSON object, so pairs are another notation. */
  readonly isJson?: boolean
}

export const lineMarks: PairMarks = { open: '\n', close: '\n', isLine: true }

/** What the text after a value means depends on this, besides the text itself. */
export interface PairContext {
  readonly marks: PairMarks
  /** The shape of the arguments. */
  readonly shape: Shape
  /** The paths of all keys and objects so far: `profile` and `profile\nname`. */
  readonly seenKeys: ReadonlySet<string>
  /** `(` if the pairs are in parentheses: `get_weather(city=Paris)`. Otherwise ''. */
  readonly parenthesis: string
  /** `city: Paris` An earlier key had a colon, so that later keys may have one too. */
  readonly hasColons?: boolean
  /** `city = Paris` An earlier key had whitespace after it, so that later keys may have it too. */
  readonly hasSpaces?: boolean
}

/** The pairs of a call that is being read. */
export interface Pairs extends PairContext {
  readonly cursor: Cursor
  readonly maxHeldChars: number
  /** Tells whether the request has such a tool. */
  readonly isTool?: (name: string) => boolean
  /** Sets the cursor back to the end mark that a text without its closing quote has swallowed. */
  readonly rewind?: CallOutput['rewind']
  readonly seenKeys: Set<string>
  hasColons?: boolean
  hasSpaces?: boolean
}

/** What follows a value: more text of it, another key (`| days=`), or the end of the call. */
export interface AfterValue {
  readonly type: 'text' | 'pair' | 'end'
  /** How many characters it takes. Those of a text need no second look. */
  readonly chars: number
  /** Where in the arguments the value of the pair belongs: `profile.name=` is profile, name. */
  readonly path: readonly string[]
  /** `days: 3` The key has a colon. */
  readonly hasColon?: boolean
  /** `days = 3` The key has whitespace after it. */
  readonly hasSpace?: boolean
  /** `"days"=3` The key is in quotes. */
  readonly hasQuotes?: boolean
  /** `to_port=` The key was spelt in another way than the declared one, which is in `path`. */
  readonly isRespelt?: boolean
  /** What separates the key from the value before it: `, ` or, after a closing quote, nothing. */
  readonly separator?: string
  /**
   * `| zone=` The word before a sign `=` in what follows. It is text or comes after the call, but
   * might be a key.
   */
  readonly wordBeforeSign?: string | undefined
  /** `|)` The parenthesis around the pairs was closed. */
  readonly hasClosing?: boolean
  /** `|</call>` The close mark of the call was read. */
  readonly isClosed?: boolean
  /** The text ended before it was clear what follows. */
  readonly isAtTextEnd?: boolean
}

/** Reads a value. Returns what follows it, and fails if the value cannot be read. */
export type ValueReading = Reading<AfterValue>

/** A look at the text after a value. */
interface Look {
  readonly pairs: PairContext
  /** The value is in quotes or brackets, or is a number: no text can continue it. */
  readonly valueIsComplete: boolean
  readonly text: string
  /** Whitespace and commas: `city=Paris|, days=3`. */
  readonly separator: string
  /** The parenthesis after that which closes the pairs, and whitespace: `f(city=Paris|) `. */
  readonly closing: string
  /** The text after both. */
  readonly rest: string
  /** Where in the separator the line of the call ends; -1 if it does not, or between tags. */
  readonly lineEnd: number
}

/** Whitespace and commas between pairs. Models also write no-break spaces (U+00A0 and U+202F). */
const separators = /^[ \t\r\n,\u00a0\u202f]*/
/**
 * A key and whitespace after it: `days`, `"days"`, `profile.name `. A key without quotes contains
 * word characters and everything beyond ASCII, except no-break spaces.
 */
const keyAndSpace =
  /^(?:(["'])([^"'\r\n]{1,256})\1|([\w$.\-\u0080-\u009f\u00a1-\u202e\u2030-\uffff]{1,256}))([ \t]*)/
const openQuotedKey = /^["'][^"'\r\n]{0,256}$/
const MAX_ODD_WORD_CHARS = 64
const oddWord = new RegExp(`^[^\\s=,]{1,${MAX_ODD_WORD_CHARS}}`)

const noPath: readonly string[] = []
const moreText = (chars: number, wordBeforeSign?: string): AfterValue => ({
  type: 'text',
  chars,
  path: noPath,
  wordBeforeSign,
})
const callEnd = (chars: number, more?: Partial<AfterValue>): AfterValue => ({
  type: 'end',
  chars,
  path: noPath,
  ...more,
})

/**
 * Looks at the text after a value, at the cursor or `from` characters after it, and takes nothing.
 * It finds the end of a value that has no closing mark, such as the `New York` of
 * `location=New York units=metric`.
 */
export function* peekAfterValue(
  pairs: Pairs,
  valueIsComplete: boolean,
  from = 0,
): Reading<AfterValue> {
  const { cursor } = pairs
  const found = yield* peek(cursor, text => whatFollows(pairs, valueIsComplete, text), from)
  if (found) {
    if (found.hasColon) pairs.hasColons = true
    if (found.hasSpace) pairs.hasSpaces = true
    return found
  }
  const start = cursor.at + from
  const ahead = cursor.text.slice(start, start + MAX_LOOKAHEAD_CHARS)
  const look = createLook(pairs, valueIsComplete, ahead)
  // Whitespace or a key continues beyond the look-ahead limit.
  if (ahead.length === MAX_LOOKAHEAD_CHARS) return noPair(look)
  return { ...atTextEnd(look), isAtTextEnd: true }
}

/** Decides what the text after a value is. */
export function whatFollows(
  pairs: PairContext,
  valueIsComplete: boolean,
  text: string,
): AfterValue | 'wait' {
  return afterValue(createLook(pairs, valueIsComplete, text))
}

/** The same if no more text comes. */
export function whatFollowsAtTextEnd(
  pairs: PairContext,
  valueIsComplete: boolean,
  text: string,
): AfterValue {
  return atTextEnd(createLook(pairs, valueIsComplete, text))
}

function createLook(pairs: PairContext, valueIsComplete: boolean, text: string): Look {
  const separator = separators.exec(text)?.[0] ?? ''
  const afterSeparator = text.slice(separator.length)
  const closing = pairs.parenthesis ? /^\)[ \t\r\n]*/.exec(afterSeparator) : null
  return {
    pairs,
    valueIsComplete,
    text,
    separator,
    closing: closing?.[0] ?? '',
    rest: afterSeparator.slice(closing?.[0].length ?? 0),
    lineEnd: pairs.marks.isLine ? findLineBreak(separator) : -1,
  }
}

const findLineBreak = (space: string) => space.search(/[\r\n]/)

// In each picture `|` is the end of the value, where the look begins.

/** `city=Paris|` */
function afterValue(look: Look): AfterValue | 'wait' {
  const { pairs, separator, closing, rest, lineEnd } = look
  const { open, close, isLine } = pairs.marks
  // `@f(city=Paris|)\nText`
  const lineEndAfterClosing = isLine ? findLineBreak(closing) : -1
  if (lineEndAfterClosing >= 0) {
    return callEnd(separator.length + lineEndAfterClosing, { hasClosing: true })
  }
  // `@f city=Paris|\n\ndays=3`: an empty line ends the call.
  if (lineEnd >= 0 && /\n[^\n]*\n/.test(separator)) return noPair(look)
  if (rest === '') return 'wait'
  // `city=Paris| </call>`
  if (rest.startsWith(close)) {
    const chars = look.text.length - rest.length + close.length
    return callEnd(chars, { isClosed: true, hasClosing: closing !== '' })
  }
  const isMark = matchMarks(rest, [close, open])
  if (isMark === 'wait') return 'wait'
  // `city=Paris|\n<call>`: the close tag is missing.
  if (isMark === 'yes') return closing ? endOfPairs(look) : callEnd(0)
  if (mayBeKey(look)) return atKey(look)
  // `city=New York| "days=3`
  return separator === '' ? noPair(look) : atOddWord(look)
}

/** What follows is not a pair. It is more of the value, or the call is over. */
function noPair(look: Look, wordBeforeSign?: string): AfterValue {
  // `@f city=Paris|\nText`
  if (look.lineEnd >= 0) return callEnd(look.lineEnd, { wordBeforeSign })
  // `<call>f(city="Paris"|) Text`
  if (look.closing && look.valueIsComplete) return endOfPairs(look)
  // `city=New| York`
  return moreText(Math.max(1, look.separator.length), wordBeforeSign)
}

/** `f(city=Paris|) `: the call ends with the parenthesis. Without one it ends with whitespace. */
function endOfPairs({ separator, closing }: Look): AfterValue {
  const hasClosing = closing !== ''
  return callEnd(separator.length + (hasClosing ? 1 : 0), { hasClosing })
}

/** What the text means if no more comes, although more would be needed to decide. */
function atTextEnd(look: Look): AfterValue {
  const { pairs, closing, rest, lineEnd } = look
  // `<call>f city=Paris| ` or `@f(city=Paris|)`
  if (rest === '' && (closing || lineEnd < 0)) return endOfPairs(look)
  // `city=Paris|</cal`; a single character of a mark proves nothing (decision 62).
  const isMark = matchMarks(rest, [pairs.marks.close, pairs.marks.open])
  if (rest.length > 1 && isMark === 'wait') return callEnd(look.text.length)
  // `city=New York| uni`
  return noPair(look)
}

/**
 * Nothing but the end of the call follows a closing parenthesis. Text that is not complete is
 * separated from a key, and the key has no quotes: the quote in `say| "days"=3` is text.
 */
function mayBeKey({ valueIsComplete, separator, closing, rest }: Look): boolean {
  if (closing) return false
  if (valueIsComplete) return true
  return separator !== '' && /^[^"']/.test(rest)
}

/** What may be a key: `days`, `"days" `. */
interface WrittenKey {
  readonly name: string
  readonly hasQuotes: boolean
  readonly hasSpace: boolean
  /** How many characters it takes, with its quotes and the whitespace after it. */
  readonly chars: number
  /** The character after it; '' if that has not come yet. */
  readonly sign: string
}

/** `city=Paris| days=` */
function atKey(look: Look): AfterValue | 'wait' {
  const { pairs, rest } = look
  const match = keyAndSpace.exec(rest)
  // `city="Paris"| "da`
  if (!match) return openQuotedKey.test(rest) ? 'wait' : atOddWord(look)
  const [whole, quote = '', quotedKey, bareKey = '', space = ''] = match
  const key: WrittenKey = {
    name: quotedKey ?? bareKey,
    hasQuotes: quote !== '',
    hasSpace: space !== '',
    chars: whole.length,
    sign: rest.charAt(whole.length),
  }
  // `city=New York| days = 3` is text, unless an earlier key had whitespace too.
  if (key.hasSpace && !isLoose(look) && !pairs.hasSpaces) return atSpacedWord(look, key)
  // `city=New York| days`
  if (key.sign === '') return 'wait'
  const hasColon = key.sign === ':' && mayHaveColon(look)
  if (key.sign !== '=' && !hasColon) return atOddWord(look)
  return atSign(look, key)
}

/** `city=Paris| days|=` A key, or a word that only looks like one. */
function atSign(look: Look, { name, hasQuotes, hasSpace, chars, sign }: WrittenKey): AfterValue {
  const { pairs, separator } = look
  const declared = isClearKey(look, name)
    ? findDeclaredKey(pairs.shape, name, pairs.seenKeys)
    : name
  const path = splitKey(pairs.shape, declared)
  // `city="Paris"| zone=CET`: the tool has no such key, but no text can be meant either.
  const mayBeUnknown = isLoose(look) && sign === '=' && !hasQuotes
  if (!isMissingKey(pairs, path) && !mayBeUnknown) return noPair(look, name)
  return {
    type: 'pair',
    chars: separator.length + chars + 1,
    path,
    hasColon: sign === ':',
    hasSpace: hasSpace && !hasQuotes,
    hasQuotes,
    isRespelt: declared !== name,
    separator,
  }
}

/** `city=New York| max_days=`, but not `City=`, which may be a word of the text. */
const isClearKey = (look: Look, name: string) => isLoose(look) || hasSeveralWords(name)

/** `city=New York| days |= 3` Whitespace after a word: the word is text. */
function atSpacedWord(look: Look, { name, sign }: WrittenKey): AfterValue | 'wait' {
  const { pairs } = look
  if (!isMissingKey(pairs, splitKey(pairs.shape, name))) return noPair(look)
  return sign === '' ? 'wait' : noPair(look, sign === '=' ? name : undefined)
}

/** `city=New York| un"its=metric` `city=New York days|, =3` A key may be damaged by a sign in it. */
function atOddWord(look: Look): AfterValue | 'wait' {
  const { valueIsComplete, lineEnd, closing, rest } = look
  if (valueIsComplete || lineEnd >= 0 || closing) return noPair(look)
  const word = oddWord.exec(rest)?.[0] ?? ''
  const sign = rest.charAt(word.length)
  if (sign === '' && word.length < MAX_ODD_WORD_CHARS) return 'wait'
  return noPair(look, sign === '=' ? word : undefined)
}

/** `city="Paris"| ` No text can follow in this line, so a key needs less proof. */
function isLoose({ valueIsComplete, lineEnd }: Look): boolean {
  return valueIsComplete && lineEnd < 0
}

function mayHaveColon(look: Look): boolean {
  const { pairs, valueIsComplete } = look
  // `city: "Paris"|, days: 3`
  if (isLoose(look) || pairs.hasColons) return true
  // `@get_weather|\ncity: Paris`: in the lines after the name keys may be written as in YAML.
  return valueIsComplete && pairs.seenKeys.size === 0
}

/** True for a key that the tool has and that was not given yet (decision 17). */
function isMissingKey({ shape, seenKeys }: PairContext, path: readonly string[]): boolean {
  return shape.propertyNames.includes(path[0] ?? '') && !seenKeys.has(path.join('\n'))
}

/**
 * Splits a key into a path into the arguments. A dot leads into an object that the schema declares:
 * `profile.name`. A key that is declared with its dot, or that is not declared, is not split.
 */
export function splitKey(shape: Shape, key: string): readonly string[] {
  const [, head, rest = ''] = /^([^.]+)\.(.*)/s.exec(key) ?? []
  if (head === undefined || shape.propertyNames.includes(key)) return [key]
  const property = shape.property(head)
  const mayBeObject = (property.types & JsonType.object) !== 0
  const isDeclared = shape.propertyNames.includes(head) && mayBeObject
  if (!isDeclared && property.types !== JsonType.object) return [key]
  return [head, ...splitKey(property, rest)]
}
