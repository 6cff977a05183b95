import { createJsonReader } from '../json-reader.js'
import { createValueRecorder, Token, type ValueSink } from '../value-token.js'

/** What a text is read into that is no string but a list. */
export interface ListOptions {
  readonly sink: ValueSink
  readonly maxHeldChars: number
  /** Takes what cannot be read, as it stands. */
  readonly putRaw: (text: string) => void
  /** It cannot be read; asked for the reason once. */
  readonly onError: (message: string) => void
}

/** Takes the pieces of a text that is a list without brackets, `a, b, c`. It is held until it is whole. */
export function createCommaList({ sink, maxHeldChars, putRaw, onError }: ListOptions): ValueSink {
  let text = ''
  let isTooLong = false
  return (token, piece) => {
    if (isTooLong) return putRaw(piece)
    if (token === Token.endText) return putList(text, sink, maxHeldChars)
    text += piece
    isTooLong = text.length > maxHeldChars
    if (!isTooLong) return
    onError(`a list of more than ${maxHeldChars} characters`)
    putRaw(text)
  }
}

/** Puts a list without brackets; or the text as it is, if it is none. */
export function putList(text: string, sink: ValueSink, maxHeldChars: number): void {
  const items = createValueRecorder()
  const reader = createJsonReader(items.put, { maxHeldChars })
  const list = `[${text}]`
  const isRead = reader.feed(list, 0, list.length) === list.length && reader.status() === 'done'
  if (isRead) items.replay(sink)
  else putText(Token.beginRaw, text, sink)
}

export function putText(begin: Token, text: string, sink: ValueSink): void {
  sink(begin, '')
  if (text) sink(Token.text, text)
  sink(Token.endText, '')
}
