import { isRecord } from '../is-record.js'

/** The endpoint's answer to one request, before any middleware changes it. */
export interface WireAnswer {
  readonly text: string
  readonly reasoning?: string | undefined
  /** Calls that the endpoint itself parsed. The arguments are text. */
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finishReason?: string | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** The error that the endpoint reported. */
  readonly error?: string | undefined
  /** The body, if it could not be read. */
  readonly body?: string | undefined
}

/** Reads a body of chat completions: one JSON object, or a stream of server-sent events. */
export function readWireAnswer(body: string, contentType: string): WireAnswer {
  const chunks = contentType.includes('text/event-stream') ? readEvents(body) : [parse(body)]
  const known = chunks
    .filter(isRecord)
    .filter(chunk => Array.isArray(chunk.choices) || isRecord(chunk.usage))
  const error = chunks.map(readError).find(each => each !== undefined)
  if (known.length === 0) return { text: '', toolCalls: [], error, body }

  const collected: Collected = { texts: [], reasoning: [], calls: new Map(), usage: {} }
  for (const chunk of known) addChunk(collected, chunk)
  const { texts, reasoning, calls, finishReason, usage } = collected
  return {
    text: texts.join(''),
    ...(reasoning.length ? { reasoning: reasoning.join('') } : {}),
    toolCalls: [...calls.values()],
    finishReason,
    inputTokens: readCount(usage.prompt_tokens),
    outputTokens: readCount(usage.completion_tokens),
    error,
  }
}

/** The parts of an answer that were read so far. */
interface Collected {
  readonly texts: string[]
  readonly reasoning: string[]
  /** Calls by index. */
  readonly calls: Map<number, { name: string; arguments: string }>
  finishReason?: string
  usage: Readonly<Record<string, unknown>>
}

function addChunk(collected: Collected, { usage, choices }: Record<string, unknown>): void {
  if (isRecord(usage)) collected.usage = usage
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  if (!isRecord(choice)) return
  if (typeof choice.finish_reason === 'string') collected.finishReason = choice.finish_reason
  const message = isRecord(choice.delta) ? choice.delta : choice.message
  if (isRecord(message)) addMessage(collected, message)
}

function addMessage(
  { texts, reasoning, calls }: Collected,
  message: Record<string, unknown>,
): void {
  if (typeof message.content === 'string') texts.push(message.content)
  const thinking = message.reasoning_content ?? message.reasoning
  if (typeof thinking === 'string') reasoning.push(thinking)
  const parts: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : []
  for (const [i, part] of parts.entries()) addCall(calls, part, i)
}

function readError(chunk: unknown): string | undefined {
  if (!isRecord(chunk) || chunk.error === undefined || chunk.error === null) return undefined
  const { error } = chunk
  return isRecord(error) && typeof error.message === 'string'
    ? error.message
    : JSON.stringify(error)
}

/** Adds a piece of a call. In a stream the pieces of a call have the same index. */
function addCall(
  calls: Map<number, { name: string; arguments: string }>,
  part: unknown,
  i: number,
): void {
  if (!isRecord(part) || !isRecord(part.function)) return
  const index = typeof part.index === 'number' ? part.index : i
  const before = calls.get(index) ?? { name: '', arguments: '' }
  const { name, arguments: args } = part.function
  calls.set(index, {
    name: before.name + (typeof name === 'string' ? name : ''),
    arguments: before.arguments + (typeof args === 'string' ? args : ''),
  })
}

function readEvents(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter(line => line.startsWith('data:'))
    .map(line => parse(line.slice('data:'.length)))
}

/** Returns undefined, not 0, for a count that the endpoint did not send. */
function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
