import { isRecord } from '../is-record.js'

/** What the endpoint has sent for one request, before any middleware has seen it. */
export interface WireAnswer {
  readonly text: string
  readonly reasoning?: string | undefined
  /** Calls of the endpoint's own tool calling, as text. */
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finishReason?: string | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** What the endpoint says has gone wrong. */
  readonly error?: string | undefined
  /** The body, where it could not be understood. */
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

  const texts: string[] = []
  const reasoning: string[] = []
  const calls = new Map<number, { name: string; arguments: string }>()
  let finishReason: string | undefined
  let usage: Readonly<Record<string, unknown>> = {}
  for (const chunk of known) {
    if (isRecord(chunk.usage)) usage = chunk.usage
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined
    if (!isRecord(choice)) continue
    if (typeof choice.finish_reason === 'string') finishReason = choice.finish_reason
    const message = isRecord(choice.delta) ? choice.delta : choice.message
    if (!isRecord(message)) continue
    if (typeof message.content === 'string') texts.push(message.content)
    const thought = message.reasoning_content ?? message.reasoning
    if (typeof thought === 'string') reasoning.push(thought)
    const parts: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : []
    for (const [i, part] of parts.entries()) addCall(calls, part, i)
  }
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

function readError(chunk: unknown): string | undefined {
  if (!isRecord(chunk) || chunk.error === undefined || chunk.error === null) return undefined
  const { error } = chunk
  return isRecord(error) && typeof error.message === 'string'
    ? error.message
    : JSON.stringify(error)
}

/** A call comes in pieces when it is streamed; they belong together by their index. */
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

/** No number is no zero. */
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
