import { createJsonReader } from '../json-reader.js'
import { createValueRecorder, Token, type ValueSink } from '../value-token.js'

/** Takes a text as it comes, and puts the value that it stands for. */
export interface TextTaker {
  put(piece: string): void
  /** The text is whole. Gives the reason why it cannot be read, where that is so. */
  end(): string | undefined
}

export interface TakerOptions {
  readonly sink: ValueSink
  readonly maxHeldChars: number
  /** Takes what cannot be read, as it stands. */
  readonly putRaw: (text: string) => void
}

/** A text that is the value itself. */
export function createPlainTaker(begin: Token, sink: ValueSink): TextTaker {
  sink(begin, '')
  return {
    put: piece => sink(Token.text, piece),
    end() {
      sink(Token.endText, '')
      return undefined
    },
  }
}

/** A list without brackets, `a, b, c`. It is held until it is whole. */
export function createListTaker({ sink, maxHeldChars, putRaw }: TakerOptions): TextTaker {
  let text = ''
  let error: string | undefined
  return {
    put(piece) {
      if (error !== undefined) return putRaw(piece)
      text += piece
      if (text.length <= maxHeldChars) return
      error = `a list of more than ${maxHeldChars} characters`
      putRaw(text)
    },
    end() {
      if (error === undefined) putList(text, sink, maxHeldChars)
      return error
    },
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
  const taker = createPlainTaker(begin, sink)
  if (text) taker.put(text)
  taker.end()
}
