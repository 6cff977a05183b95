import { Token } from '../values/tokens.js'

/** What is read as JSON, and what may follow it. */
export interface JsonSyntax {
  /**
   * The marks that may follow the value. One behind a value closes what is open; one behind a quote
   * proves that the string is over; one behind a bare word ends it, and one inside a string that
   * has held a quote which was not escaped, for the rest would be swallowed otherwise.
   */
  readonly endMarks?: readonly string[] | undefined
  /** Marks that may follow too, but prove nothing inside a string or a word. */
  readonly weakEndMarks?: readonly string[] | undefined
  /**
   * Whether a key may come next in the object being read, or in one so many levels around it; in a
   * list, in its next item. Asked behind a string that has held such a quote.
   */
  readonly expectsKey?: ((key: string, levelsUp: number) => boolean | undefined) | undefined
  /**
   * Sets the cursor back by so many characters, to the end mark that a string without its closing
   * quote has swallowed.
   */
  readonly rewind?: ((chars: number) => void) | undefined
  /** A mark of several characters in place of quotes. Text between two of them is not escaped. */
  readonly quoteMark?: string | undefined
  /**
   * What stands in brackets in YAML is read: lists hold words, so that a comma ends a string; and
   * no mark closes what is open.
   */
  readonly isYaml?: boolean | undefined
  /**
   * The arguments of a Python call are read; one without a name is for this parameter. Another call
   * may follow it.
   */
  readonly python?:
    | { readonly positionalKey?: string | undefined; isTool(name: string): boolean }
    | undefined
}

/** A bracket that is open around the place of a reader. */
export interface Bracket {
  readonly closer: string
  /** What stands between keys and values; empty where there are no keys. */
  readonly keySign: '' | ':' | '='
  readonly begin?: Token
  readonly end?: Token
}

export const object: Bracket = {
  closer: '}',
  keySign: ':',
  begin: Token.beginObject,
  end: Token.endObject,
}
const list: Bracket = { closer: ']', keySign: '', begin: Token.beginArray, end: Token.endArray }
export const tuple: Bracket = { ...list, closer: ')' }
/** One value in parentheses is that value. */
export const group: Bracket = { closer: ')', keySign: '' }
export const set: Bracket = { ...list, closer: '}' }
/** The arguments of a Python call. */
export const call: Bracket = { ...object, closer: ')', keySign: '=' }
/** `**{…}`, whose pairs are arguments too. */
export const spread: Bracket = { closer: '}', keySign: ':' }
export const brackets = new Map(Object.entries({ '{': object, '[': list }))
