import type { FunctionTool, ParserOptions } from '@toolglot/parser'
import type { EngineEvent } from '../../../src/engine/events.js'
import type { EngineProtocol } from '../../../src/protocols/protocol.js'

export interface ScanRequest {
  readonly protocol: EngineProtocol
  readonly tools: readonly FunctionTool[]
  readonly chunks: readonly string[]
  readonly isCut?: boolean | undefined
  readonly options?: ParserOptions | undefined
}

/** The events of a text, as they come. */
export function scan({
  protocol,
  tools,
  chunks,
  isCut = false,
  options = {},
}: ScanRequest): EngineEvent[] {
  const events: EngineEvent[] = []
  const scanner = protocol.createScanner({ tools, options, emit: event => events.push(event) })
  for (const chunk of chunks) scanner.feed(chunk)
  scanner.end(isCut)
  return events
}

/**
 * The events with neighbouring texts and deltas put together: what must be the same for all chunks.
 */
export function mergeEvents(events: readonly EngineEvent[]): EngineEvent[] {
  const merged: EngineEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (event.type === 'text' && last?.type === 'text') {
      merged[merged.length - 1] = { type: 'text', text: last.text + event.text }
    } else if (event.type === 'reasoning' && last?.type === 'reasoning') {
      merged[merged.length - 1] = { type: 'reasoning', text: last.text + event.text }
    } else if (event.type === 'call-delta' && last?.type === 'call-delta') {
      merged[merged.length - 1] = { type: 'call-delta', delta: last.delta + event.delta }
    } else merged.push(event)
  }
  return merged
}

/** Cuts a text at these places, which may be in any order, doubled or beyond its end. */
export function splitAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map(cut => cut % (text.length + 1)))].sort(
    (left, right) => left - right,
  )
  const chunks: string[] = []
  let from = 0
  for (const place of [...places, text.length]) {
    chunks.push(text.slice(from, place))
    from = place
  }
  return chunks
}

/** A text in pieces of this many UTF-16 units, which may fall into a surrogate pair. */
export function inPieces(text: string, size: number): string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  return chunks
}
