import type { Cursor, Reading } from './cursor.js'
import type { Problem } from './events.js'
import { createJsonReader, type JsonReaderOptions } from './json-reader.js'
import { Token, type ValueSink } from './value-token.js'

export interface ReadJsonOptions extends JsonReaderOptions {
  /** Asked behind each key and each value: true if what follows is not to be read. */
  readonly isEnough?: (() => boolean) | undefined
  /** The brace of the object was read already. */
  readonly hasBegun?: boolean | undefined
}

/**
 * Reads a value from its first character on, and gives the reason why it could not be read to its end. The cursor then stands behind the
 * value, or before what could not be read. Whenever the sink is told that a value is over, it stands behind that.
 */
export function* readJson(cursor: Cursor, sink: ValueSink, options: ReadJsonOptions): Reading<Problem | undefined> {
  const ends: readonly Token[] = [Token.key, Token.endObject, Token.endArray, Token.endText, Token.literal]
  const reader = createJsonReader((token, text) => {
    sink(token, text)
    if (ends.includes(token) && options.isEnough?.()) reader.pause()
  }, options)
  if (options.hasBegun) reader.feed('{', 0, 1)
  let seen = 0
  for (;;) {
    seen = reader.feed(cursor.text, cursor.at + seen, cursor.text.length) - cursor.at
    if (reader.status() === 'reading' && cursor.isOver && reader.pausedBefore() === undefined) reader.end(!cursor.isCut)
    const ahead = reader.pausedBefore()
    if (ahead !== undefined) {
      cursor.at += seen - ahead
      return undefined
    }
    if (reader.status() !== 'reading' || cursor.isOver) cursor.at += seen - reader.unread().length
    if (reader.status() === 'done') return undefined
    if (reader.status() === 'failed') return { code: 'malformed-arguments', message: reader.error() }
    if (cursor.isOver) return { code: 'cut-call', message: 'the text ended inside the arguments' }
    yield
  }
}
