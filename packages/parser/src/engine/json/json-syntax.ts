import { Token } from '../values/tokens.js'

/** What is read as JSON, and what may follow it. */
export interface JsonSyntax {
  /**
   * The marks that end the call. What one of them means depends on what is before it:
   *
   * - `{"a": 1|</call>` After a value it closes what is open.
   * - `{"a": "b"|</call>` After a quote it proves that the string has ended.
   * - `{"a": true|</call>` After a bare word it ends the word.
   * - `{"a": "say "hi|</call>` In a string with an unescaped quote it is an error: the string would
   *   swallow the rest of the text.
   */
  readonly endMarks?: readonly string[] | undefined
  /** Marks that may follow too, but prove nothing inside a string or a word. */
  readonly weakEndMarks?: readonly string[] | undefined
  /**
   * Whether a key may come next in the object being read, or in one so many levels around it; in a
   * list, in its next item. Asked after a string with an unescaped quote.
   */
  readonly expectsKey?: ((key: string, levelsUp: number) => boolean | undefined) | undefined
  /**
   * Sets the cursor back by so many characters, to the end mark that a string without its closing
   * quote has swallowed.
   */
  readonly rewind?: ((chars: number) => void) | undefined
  /** A mark of several characters in place of quotes. Text between two of them is not escaped. */
  readonly quoteMark?: string | undefined
  /** Brackets in YAML are read: `tags: |[a b, c]`. */
  readonly isYaml?: boolean | undefined
  /**
   * The arguments of a Python call are read: `f(|'Paris')`. An argument without a name is for the
   * next of the tool's `parameters`. The call of another tool may follow.
   */
  readonly python?:
    | { readonly parameters?: readonly string[] | undefined; isTool(name: string): boolean }
    | undefined
}

/** A bracket that is open around the cursor. */
export interface Bracket {
  readonly closer: string
  /** The sign between a key and its value; '' if there are no keys. */
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
