import { isRecord } from '../is-record.js'

// An event of a server's stream that contains text or reasoning and nothing else:
// data: {"id":"1","choices":[{"index":0,"delta":{"content":"Hello"}}]}

export type TextKind = 'text' | 'reasoning'

/** The text and the reasoning of an event. A comment has neither. */
export type Deltas = { readonly [Kind in TextKind]?: string | undefined }

/** Returns the deltas of an event, or undefined if it contains anything else (a call, the end). */
export type ReadPlainEvent = (event: string) => Deltas | undefined

/** Reads the events of one answer, and remembers how the last one was written. */
export function createPlainEventReader(): ReadPlainEvent {
  let frame: Frame | undefined
  return event => {
    const framed = frame && framedDelta(event, frame)
    if (framed) return framed
    const deltas = parseEvent(event)
    frame = deltas && frameOf(event, deltas)
    return deltas
  }
}

function parseEvent(event: string): Deltas | undefined {
  const data = /^data: ?(\{[^\r\n]*\})\r?\n\r?\n$/.exec(event)?.[1]
  if (data !== undefined) return chunkDeltas(parseJson(data))
  // `: still here` A comment keeps the connection alive.
  return /^:[^\r\n]*\r?\n\r?\n$/.test(event) ? {} : undefined
}

function chunkDeltas(chunk: unknown): Deltas | undefined {
  const delta = onlyDelta(chunk)
  if (!delta || !isEmptyList(delta.tool_calls) || !isAssistant(delta.role)) return undefined
  const text = delta.content
  const reasoning = delta.reasoning_content ?? delta.reasoning
  if (!isText(text) || !isText(reasoning)) return undefined
  return { text: text ?? undefined, reasoning: reasoning ?? undefined }
}

/** The delta of a chunk with one choice that has not finished, without usage and error. */
function onlyDelta(chunk: unknown): Record<string, unknown> | undefined {
  if (!isRecord(chunk) || chunk.usage != null || chunk.error != null) return undefined
  const { choices } = chunk
  if (!Array.isArray(choices) || choices.length !== 1) return undefined
  const [choice] = choices
  if (!isRecord(choice) || choice.finish_reason != null) return undefined
  return isRecord(choice.delta) ? choice.delta : undefined
}

function isEmptyList(calls: unknown): boolean {
  return calls == null || (Array.isArray(calls) && calls.length === 0)
}

function isAssistant(role: unknown): boolean {
  return role == null || role === 'assistant' || role === ''
}

function isText(value: unknown): value is string | null | undefined {
  return value == null || typeof value === 'string'
}

/**
 * The JSON before and after the text of an event. Most events of an answer differ only in their
 * text. If the next event has the same head and tail, and the inside of a JSON string between them,
 * then that string is its text and the rest need not be parsed again.
 */
interface Frame {
  readonly kind: TextKind
  readonly head: string
  readonly tail: string
}

const textKeys = {
  text: ['"content":'],
  reasoning: ['"reasoning_content":', '"reasoning":'],
} as const

/** The frame of an event that has either text or reasoning. */
function frameOf(event: string, { text, reasoning }: Deltas): Frame | undefined {
  if (text && reasoning) return undefined
  if (reasoning) return findFrame(event, 'reasoning', reasoning)
  return text ? findFrame(event, 'text', text) : undefined
}

function findFrame(event: string, kind: TextKind, delta: string): Frame | undefined {
  for (const key of textKeys[kind]) {
    const keyAt = event.indexOf(key)
    const isUnique = keyAt >= 0 && !event.includes(key, keyAt + 1)
    if (!isUnique) continue
    const valueAt = keyAt + key.length
    // ` "Hello, \"Bob\""`
    const [, quote = '', inside = ''] = /^( ?")((?:[^"\\]|\\.)*)"/.exec(event.slice(valueAt)) ?? []
    if (unquote(inside) !== delta) continue
    const start = valueAt + quote.length
    return { kind, head: event.slice(0, start), tail: event.slice(start + inside.length) }
  }
  return undefined
}

function framedDelta(event: string, { kind, head, tail }: Frame): Deltas | undefined {
  if (event.length < head.length + tail.length) return undefined
  if (!event.startsWith(head) || !event.endsWith(tail)) return undefined
  const delta = unquote(event.slice(head.length, event.length - tail.length))
  if (delta === undefined) return undefined
  return kind === 'text' ? { text: delta } : { reasoning: delta }
}

/** Returns the text of a JSON string without its quotes; undefined if it is not one string. */
function unquote(inside: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string must escape these.
  if (!/["\\\u0000-\u001f]/.test(inside)) return inside
  const value = parseJson(`"${inside}"`)
  return typeof value === 'string' ? value : undefined
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
