/**
 * The steps of a value, in the order in which a reader reads them. A *text* is a string that arrives
 * in pieces; a *literal* is a bare word or number (`5`, `true`, `None`, `Paris`).
 */
export const Token = {
  beginObject: 0,
  endObject: 1,
  beginArray: 2,
  endArray: 3,
  key: 4,
  /** A text that is marked as a string: `"5"`. */
  beginQuoted: 5,
  /** A text whose type the schema decides: `<days>5</days>`. */
  beginUntyped: 6,
  text: 7,
  endText: 8,
  literal: 9,
  /** A list in a notation of its own, as text in brackets: `[a, b]`, where quotes may be missing. */
  beginBareList: 10,
} as const
/** One step of a value: a member of the constant of the same name. */
export type Token = (typeof Token)[keyof typeof Token]

/**
 * Takes value tokens (decision 1). `text` is the key, the piece of text or the literal; empty for
 * the others.
 */
export type ValueSink = (token: Token, text: string) => void

/** Puts a whole text. */
export function putText(begin: Token, text: string, sink: ValueSink): void {
  sink(begin, '')
  if (text) sink(Token.text, text)
  sink(Token.endText, '')
}

export type ValueRecorder = ReturnType<typeof createValueRecorder>

/** Records a value whose meaning a later key decides: `{"arguments": {…}|, "name": …`. */
export function createValueRecorder() {
  const tokens: (readonly [Token, string])[] = []
  let heldChars = 0
  return {
    put(token: Token, text: string) {
      tokens.push([token, text])
      // A piece of text adds nothing of its own: where chunks end must make no difference.
      heldChars += token === Token.text ? text.length : text.length + 1
    },
    /** How many characters it contains, so that the caller can limit them. */
    heldChars: () => heldChars,
    replay(sink: ValueSink) {
      for (const [token, text] of tokens) sink(token, text)
    },
  }
}
