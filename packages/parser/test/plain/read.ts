import { createToolCallReader, type ToolCallEvent, type ToolReadingOptions } from '@toolglot/parser'

/** What the tests of the functions without the AI SDK share. */

export const tools = {
  tide: {
    description: 'The tide at a port.',
    inputSchema: {
      type: 'object',
      properties: {
        port: { type: 'string' },
        days: { type: 'integer' },
        marks: { type: 'array', items: { type: 'string' } },
      },
      required: ['port'],
    },
  },
  find: { type: 'object', properties: { text: { type: 'string' } } },
}

/** `call_1`, `call_2`, …, so that two readings can be compared. */
export function countIds(): () => string {
  let count = 0
  return () => `call_${++count}`
}

export function readChunks(
  chunks: readonly string[],
  options: Omit<ToolReadingOptions, 'tools'>,
  isCut = false,
): ToolCallEvent[] {
  const reader = createToolCallReader({ tools, generateId: countIds(), ...options })
  return [...chunks.flatMap(chunk => reader.feed(chunk)), ...reader.end(isCut)]
}

/** Joins neighbouring texts and deltas, which chunks may split at other places. */
export function merge(events: readonly ToolCallEvent[]): ToolCallEvent[] {
  const merged: ToolCallEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    const joined = last && join(last, event)
    if (joined) merged[merged.length - 1] = joined
    else merged.push(event)
  }
  return merged
}

function join(left: ToolCallEvent, right: ToolCallEvent): ToolCallEvent | undefined {
  if (left.type === 'text' && right.type === 'text')
    return { ...left, text: left.text + right.text }
  if (left.type === 'reasoning' && right.type === 'reasoning')
    return { ...left, text: left.text + right.text }
  if (left.type === 'call-delta' && right.type === 'call-delta')
    return { ...left, delta: left.delta + right.delta }
  return undefined
}
