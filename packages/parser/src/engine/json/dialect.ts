import type { JsonSyntax } from './json-syntax.js'
import { type EscapeRules, jsonEscapes, pythonEscapes } from './string-escape.js'

/**
 * A notation that is read as JSON, by all in which it differs from the others:
 *
 *     {"city": "Paris", "days": 3}              JSON
 *     city='Paris', days=3)                     the arguments of a Python call
 *     {city: Paris, tags: [a b, c]}             brackets in YAML
 *     {city:<|"|>Paris<|"|>,days:3}             JSON with a mark in place of quotes (Gemma)
 */
export interface Dialect {
  /** The arguments of a Python call. */
  readonly isPython: boolean
  /** What is not a repair: `'ab'`, keys without quotes, texts without quotes. */
  readonly hasSingleQuotes: boolean
  readonly hasBareKeys: boolean
  readonly hasBareWords: boolean

  /** The mark in place of quotes; '' without one. Text between two of them has no escapes. */
  readonly quoteMark: string
  /** `{city='Paris'}`, `(city: 'Paris')`: the sign after a key may be `=` or `:` in all brackets. */
  readonly hasEitherSign: boolean
  /** What the escapes in a string mean. */
  readonly escapes: EscapeRules
  /** `"""ab"""` is a string. */
  readonly hasTripleQuotes: boolean
  /** `r'\d'` is a string. */
  readonly hasStringPrefixes: boolean
  /** `'it''s'`: two quotes in a string are one. */
  readonly doublesQuotes: boolean

  /** Opening brackets that may be those of several things: `(1)` or `(1, 2)`, `{1}` or `{1: 2}`. */
  readonly ambiguousBrackets: string
  /** `{"a": 1` and `["a"}`: closing brackets may be missing or crossed. */
  readonly closersMayBeMissing: boolean
  readonly closersMayCross: boolean
  /** `{"a": 1 "b": 2}`: commas may be missing. */
  readonly commasMayBeMissing: boolean

  /** The characters that end a word without quotes, besides a line break. */
  readonly wordEnds: string
  /** Characters that show that a word is code: `x=f(1)`. */
  readonly codeChars: string
  /** `[x for x in y]` is code, not a word (decision 57). */
  readonly hasLoops: boolean
  /** `00501`: only a schema may take the zeros of a number away (decision 64). */
  readonly keepsLeadingZeros: boolean

  // What may follow a string. string-end.ts decides by these whether a quote ends one.
  /** Marks of a comment after a string or a word. */
  readonly commentMarks: readonly string[]
  /** `"a" |+ "b"`: operators of code, which is not read; but the string before them is over. */
  readonly operators: string
  /** `'a' |'b'`: a second string may follow at once. */
  readonly stringsMayTouch: boolean
  /** `["ab"|, any words]`: lists contain words, so a comma always ends a string in them. */
  readonly commaEndsListItem: boolean
  /** `"ab", |5`: the first character of a value that is not a word. */
  readonly valueStart: RegExp
  /** `"ab"}|;`: a character that cannot follow the closing brace of an inner object. */
  readonly notAfterBrace: RegExp
  /** After an unescaped quote, brackets must close just what is open: `"say "hi"|}}`. */
  readonly checksClosers: boolean
  /** `[{"a": "say "hi"|}, {"a":`: another object may follow in a list. */
  readonly hasObjectLists: boolean
}

const json: Dialect = {
  isPython: false,
  hasSingleQuotes: false,
  hasBareKeys: false,
  hasBareWords: false,
  quoteMark: '',
  hasEitherSign: false,
  escapes: jsonEscapes,
  hasTripleQuotes: false,
  hasStringPrefixes: false,
  doublesQuotes: false,
  ambiguousBrackets: '',
  closersMayBeMissing: true,
  closersMayCross: true,
  commasMayBeMissing: true,
  wordEnds: ',]}',
  codeChars: '',
  hasLoops: false,
  keepsLeadingZeros: true,
  commentMarks: ['//', '/*'],
  operators: '+',
  stringsMayTouch: false,
  commaEndsListItem: false,
  valueStart: /["'\d[{-]/,
  notAfterBrace: /[`;)\\]/,
  checksClosers: true,
  hasObjectLists: true,
}

const python: Dialect = {
  ...json,
  isPython: true,
  hasSingleQuotes: true,
  hasBareKeys: true,
  escapes: pythonEscapes,
  hasTripleQuotes: true,
  hasStringPrefixes: true,
  ambiguousBrackets: '({',
  closersMayCross: false,
  commasMayBeMissing: false,
  wordEnds: ',]})',
  codeChars: '=([{',
  hasLoops: true,
  keepsLeadingZeros: false,
  commentMarks: [],
  operators: '+%',
  stringsMayTouch: true,
  valueStart: /["'\d[{(.+*-]/,
  notAfterBrace: /[`;\\]/,
  hasObjectLists: false,
}

const yamlFlow: Dialect = {
  ...json,
  hasSingleQuotes: true,
  hasBareKeys: true,
  hasBareWords: true,
  doublesQuotes: true,
  closersMayBeMissing: false,
  commentMarks: ['//', '/*', '# '],
  commaEndsListItem: true,
  checksClosers: false,
}

/** The dialect of a syntax. */
export function dialectOf(syntax: JsonSyntax): Dialect {
  const dialect = plainDialectOf(syntax)
  // `{city:<|"|>Paris<|"|>}`: only texts have the mark.
  const { quoteMark } = syntax
  return quoteMark ? { ...dialect, quoteMark, hasEitherSign: true, hasBareKeys: true } : dialect
}

function plainDialectOf(syntax: JsonSyntax): Dialect {
  if (syntax.python) return python
  return syntax.isYaml ? yamlFlow : json
}

/** `r`, `b`, `rb`: what may be before the quote of a Python string. */
export const isStringPrefix = (word: string) => /^(?:[rbuf]|rb|br|rf|fr)$/i.test(word)
