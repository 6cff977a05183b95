import { type Bytes, concatBytes } from './bytes.js'
import type { BodyReader } from './read-body.js'

// Which bodies are JSON: by their type, or by their first byte.

/** `application/json; charset=utf-8`, `application/vnd.api+json` */
export function isJsonType(headers: Headers): boolean {
  const type = headers.get('content-type')?.trim() ?? ''
  return /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)
}

/** Reads as far as the first byte that is not blank; undefined if the body is empty. */
export async function readStart(reader: BodyReader): Promise<Bytes | undefined> {
  const pieces: Bytes[] = []
  for (let next = await reader.read(); next; next = await reader.read()) {
    pieces.push(next)
    if (countBlanks(next) < next.length) break
  }
  return pieces.length > 0 ? concatBytes(pieces) : undefined
}

/** True for `{` and `[`, also after whitespace or a byte order mark. */
export function beginsJson(bytes: Bytes): boolean {
  const first = bytes[countBlanks(bytes)]
  return first === 0x7b || first === 0x5b
}

/** Whitespace, and the three bytes of a byte order mark. */
const blanks = new Set([0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf])

/** Returns how many bytes before the first other byte are blank. */
function countBlanks(bytes: Bytes): number {
  let at = 0
  while (at < bytes.length && blanks.has(bytes[at] ?? 0)) at++
  return at
}
