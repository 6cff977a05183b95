import { createArgumentWriter } from '../../../src/engine/argument-writer.js'
import { readJson } from '../../../src/engine/json/read-json.js'
import { startReader } from '../../../src/engine/text/run.js'
import { anyShape } from '../../../src/engine/values/shape.js'

/**
 * Reads JSON with the tolerant reader, without any schema. Undefined where it refuses, or leaves
 * something unread.
 */
export function readTolerantly(text: string, chunkChars = text.length || 1): string | undefined {
  const writer = createArgumentWriter(anyShape, Number.POSITIVE_INFINITY)
  const run = startReader(cursor => readJson(cursor, writer.put))
  let at = 0
  for (; at < text.length && !run.isDone(); at += chunkChars)
    run.feed(text.slice(at, at + chunkChars))
  run.end(false)
  const unread = run.unread() + text.slice(at)
  if (run.result() !== undefined || unread.trim() !== '' || writer.error() !== undefined)
    return undefined
  return writer.take()
}
