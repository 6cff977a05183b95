import { createArgumentWriter } from '../engine/argument-writer.js'
import { readJson } from '../engine/json/read-json.js'
import { startReader } from '../engine/text/run.js'
import type { Shape } from '../engine/values/shape.js'

/**
 * Types JSON text by a shape while it arrives, by the rules that hold for calls: of `{"days": "3"}`
 * it makes `{"days":3}` if `days` is a number. What `feed` returns is final, piece by piece.
 */
export function createJsonCoercer(shape: Shape) {
  const writer = createArgumentWriter(shape, Number.POSITIVE_INFINITY)
  const run = startReader(cursor => readJson(cursor, writer.put))
  return {
    feed(text: string): string {
      run.feed(text)
      return writer.take()
    },
    /** Ends the text, and returns what could only be written then. */
    end(): string {
      run.end(true)
      return writer.take()
    },
    /** True if the text was one JSON value and nothing after it. */
    isComplete: () =>
      writer.isComplete() && writer.error() === undefined && run.unread().trim() === '',
  }
}

/** Types a whole JSON text; undefined if it is not JSON. */
export function coerceJson(text: string, shape: Shape): string | undefined {
  const coercer = createJsonCoercer(shape)
  const coerced = coercer.feed(text) + coercer.end()
  return coercer.isComplete() ? coerced : undefined
}
