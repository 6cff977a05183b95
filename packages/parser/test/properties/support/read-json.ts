import { createArgumentWriter } from '../../../src/engine/argument-writer.js'
import { readJson } from '../../../src/engine/json/read-json.js'
import { anyShape } from '../../../src/engine/values/shape.js'
import { chunksOf } from '../../support/chunks.js'
import { runReader } from '../../support/run-reader.js'

/**
 * Reads JSON with the tolerant reader, without any schema. Undefined where it refuses, or leaves
 * something unread.
 */
export function readTolerantly(text: string, chunkChars = text.length || 1): string | undefined {
  const writer = createArgumentWriter(anyShape, Number.POSITIVE_INFINITY)
  const { result, unread } = runReader(
    cursor => readJson(cursor, writer.put),
    chunksOf(text, chunkChars),
  )
  if (result !== undefined || unread.trim() !== '' || writer.error() !== undefined) return undefined
  return writer.take()
}
