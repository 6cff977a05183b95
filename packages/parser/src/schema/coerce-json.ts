import { createArgumentWriter } from '../engine/argument-writer.js'
import { readJson } from '../engine/json/read-json.js'
import { startReader } from '../engine/text/run.js'
import type { Shape } from '../engine/values/shape.js'

/**
 * Converts JSON text to the types of a shape as it arrives, by the rules for calls: `{"days": "3"}`
 * becomes `{"days":3}` if `days` is a number. The pieces that `feed` returns do not change later.
 */
export function createJsonCoercer(shape: Shape) {
  const writer = createArgumentWriter(shape, Number.POSITIVE_INFINITY)
  const run = startReader(cursor => readJson(cursor, writer.put))
  return {
    feed(text: string): string {
      run.feed(text)
      return writer.take()
    },
    /** Ends the text. Returns the rest of the JSON. */
    end(): string {
      run.end(true)
      return writer.take()
    },
    /** True if the text was one JSON value and nothing after it. */
    isComplete: () =>
      writer.isComplete() && writer.error() === undefined && run.unread().trim() === '',
  }
}

/** Converts a whole JSON text. Returns `undefined` if it is not JSON. */
export function coerceJson(text: string, shape: Shape): string | undefined {
  const coercer = createJsonCoercer(shape)
  const coerced = coercer.feed(text) + coercer.end()
  return coercer.isComplete() ? coerced : undefined
}
