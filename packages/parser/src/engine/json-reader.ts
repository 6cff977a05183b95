import { createCursor, extend } from './cursor.js'
import { type ReadJsonOptions, readJson } from './read-json.js'
import type { Reader } from './reader.js'
import type { ValueSink } from './value-token.js'

/** `readJson` for those that are fed characters. */
export interface JsonReader extends Reader {
  end(mayClose: boolean): boolean
  pause(): void
  pausedBefore(): number | undefined
}

export function createJsonReader(
  sink: ValueSink,
  options: ReadJsonOptions & { readonly maxHeldChars: number },
): JsonReader {
  const cursor = createCursor()
  let ahead: number | undefined
  const reading = readJson(cursor, sink, options)
  let error = ''
  let status: 'reading' | 'done' | 'failed' = 'reading'
  const resume = () => {
    const step = reading.next()
    if (!step.done) return
    status = step.value === undefined ? 'done' : step.value.code === 'cut-call' ? 'reading' : 'failed'
    error = step.value?.message ?? ''
  }
  const isDone = () => status === 'done'
  return {
    feed(chunk, from, to) {
      ahead = undefined
      let at = from
      while (at < to && status === 'reading' && ahead === undefined) {
        extend(cursor, chunk.charAt(at++))
        resume()
      }
      return at
    },
    pause() {
      ahead = cursor.text.length - cursor.at
    },
    pausedBefore: () => ahead,
    end(mayClose) {
      if (status !== 'reading') return status === 'done'
      cursor.isOver = true
      cursor.isCut = !mayClose
      resume()
      return isDone()
    },
    status: () => status,
    error: () => error,
    unread: () => (status === 'reading' ? '' : cursor.text.slice(cursor.at)),
  }
}
