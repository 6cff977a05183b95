import { createArgumentWriter } from '../../../src/engine/argument-writer.js'
import { createJsonReader } from '../../../src/engine/json-reader.js'
import { silentShape } from '../../../src/engine/shape.js'

/** Reads JSON with the tolerant reader, without any schema. Undefined where it refuses, or leaves something unread. */
export function readTolerantly(text: string, chunkChars = text.length || 1): string | undefined {
  const writer = createArgumentWriter(silentShape, Number.POSITIVE_INFINITY)
  const reader = createJsonReader(writer.put, { maxHeldChars: Number.POSITIVE_INFINITY })
  for (let at = 0; at < text.length; ) {
    const to = Math.min(text.length, at + chunkChars)
    while (at < to && reader.status() === 'reading') at = reader.feed(text, at, to)
    if (reader.status() === 'failed') return undefined
    if (reader.status() === 'done') {
      if (text.slice(at).trim() !== '') return undefined
      break
    }
  }
  if (reader.status() === 'reading' && !reader.end(true)) return undefined
  return writer.error() === undefined ? writer.take() : undefined
}
