/**
 * What a grammar reads, in the order in which it reads it. A *text* is a string that arrives in
 * pieces; a *literal* is a bare word or number of the source (`5`, `true`, `None`, `Paris`).
 */
export const Token = {
  beginObject: 0,
  endObject: 1,
  beginArray: 2,
  endArray: 3,
  key: 4,
  /** A text that the source itself marks as a string. */
  beginQuoted: 5,
  /** A text whose type only the schema can tell. */
  beginUntyped: 6,
  text: 7,
  endText: 8,
  literal: 9,
} as const
export type Token = (typeof Token)[keyof typeof Token]

/** Takes tokens. `text` is the key, the piece of text or the literal; empty for the others. */
export type ValueSink = (token: Token, text: string) => void

/** Puts a whole text. */
export function putText(begin: Token, text: string, sink: ValueSink): void {
  sink(begin, '')
  if (text) sink(Token.text, text)
  sink(Token.endText, '')
}

export type ValueRecorder = ReturnType<typeof createValueRecorder>

/** Remembers a value whose meaning is decided by something that comes later. */
export function createValueRecorder() {
  const tokens: (readonly [Token, string])[] = []
  let heldChars = 0
  return {
    put(token: Token, text: string) {
      tokens.push([token, text])
      // Not counted by the piece: how a text is cut into pieces must make no difference.
      heldChars += token === Token.text ? text.length : text.length + 1
    },
    /** How many characters it contains, so that the caller can keep a bound. */
    heldChars: () => heldChars,
    replay(sink: ValueSink) {
      for (const [token, text] of tokens) sink(token, text)
    },
  }
}
