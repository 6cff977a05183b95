import type { HttpError } from '../http/http-error.js'
import type { FinishReason, Generated, StreamPart, Usage } from '../model-types.js'
import { tokensOf } from './answer-parts.js'
import { type AnswerWriter, event } from './dialect.js'
import { randomId } from './random-id.js'

export interface ChatWriterOptions {
  readonly model: string
  /** The client knows only `function_call`, not `tool_calls`. */
  readonly isOld: boolean
  /** The answer contains at most one call. */
  readonly isOne: boolean
  /** The stream ends with the usage. */
  readonly hasUsage: boolean
}

/** A completion that is being written. */
interface ChatState {
  readonly id: string
  readonly created: number
  readonly options: ChatWriterOptions
  /** Index of each call so far, by id. Undefined for one that the client does not want. */
  readonly callIndexes: Map<string, number | undefined>
  /** `{"id":"chatcmpl-…","object":"chat.completion.chunk","created":1,"model":"m"` */
  readonly chunkHead: string
  /** `]}` and the end of the event. */
  readonly chunkTail: string
  /** The first chunk, which has the role, was written. */
  hasBegun: boolean
}

export function chatError({ message, type, param, code }: HttpError): unknown {
  return { error: { message, type, param: param ?? null, code: code ?? null } }
}

/** Writes an answer of `/v1/chat/completions`. */
export function createChatWriter(options: ChatWriterOptions): AnswerWriter {
  // Our own id: servers repeat theirs, and LangGraph mistakes a second message with the same id for
  // a new version of the first.
  const id = randomId('chatcmpl-')
  const created = Math.floor(Date.now() / 1000)
  const { model, hasUsage } = options
  const chunk = JSON.stringify({ id, object: 'chat.completion.chunk', created, model })
  const state: ChatState = {
    id,
    created,
    options,
    callIndexes: new Map(),
    chunkHead: chunk.slice(0, -1),
    chunkTail: hasUsage ? '],"usage":null}\n\n' : ']}\n\n',
    hasBegun: false,
  }
  return {
    whole: result => writeWhole(state, result),
    part: part => writePart(state, part),
    end: () => 'data: [DONE]\n\n',
    fail: error => event(chatError(error)),
  }
}

function writeWhole({ id, created, options }: ChatState, result: Generated): unknown {
  const finishReason = finishReasonOf(result.finishReason, options)
  const message = writeMessage(result.content, options)
  return {
    id,
    object: 'chat.completion',
    created,
    model: options.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: usageOf(result.usage),
  }
}

function writeMessage(content: Generated['content'], { isOld, isOne }: ChatWriterOptions): unknown {
  const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  const reasoning = content.map(part => (part.type === 'reasoning' ? part.text : '')).join('')
  const calls = content
    .flatMap(part => (part.type === 'tool-call' ? [part] : []))
    .slice(0, isOne ? 1 : undefined)
    .map(({ toolCallId, toolName, input }) => ({
      id: toolCallId,
      type: 'function',
      function: { name: toolName, arguments: input },
    }))
  const hasCalls = calls.length > 0
  const written = isOld ? { function_call: calls[0]?.function } : { tool_calls: calls }
  return {
    role: 'assistant',
    content: text === '' && hasCalls ? null : text,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(hasCalls ? written : {}),
  }
}

function writePart(state: ChatState, part: StreamPart): string | undefined {
  switch (part.type) {
    case 'text-delta':
      return writeChunk(state, { content: part.delta })
    case 'reasoning-delta':
      return writeChunk(state, { reasoning_content: part.delta })
    case 'tool-input-start':
      return writeCall(state, part.id, { name: part.toolName, arguments: '' })
    case 'tool-input-delta':
      return writeCall(state, part.id, { arguments: part.delta })
    case 'tool-call':
      // Most calls have been written piece by piece.
      if (state.callIndexes.has(part.toolCallId)) return undefined
      return writeCall(state, part.toolCallId, { name: part.toolName, arguments: part.input })
    case 'finish':
      return writeFinish(state, part.finishReason, part.usage)
    default:
      return undefined
  }
}

/** Writes a chunk. Chunks differ only in delta and reason, so the rest of the JSON is kept. */
function writeChunk(
  state: ChatState,
  delta: Record<string, unknown>,
  finishReason: string | null = null,
): string {
  const json = JSON.stringify(state.hasBegun ? delta : { role: 'assistant', ...delta })
  state.hasBegun = true
  const reason = finishReason === null ? 'null' : `"${finishReason}"`
  const choice = `{"index":0,"delta":${json},"finish_reason":${reason}}`
  return `data: ${state.chunkHead},"choices":[${choice}${state.chunkTail}`
}

function writeCall(
  state: ChatState,
  callId: string,
  fn: { readonly name?: string; readonly arguments: string },
): string | undefined {
  const index = callIndex(state, callId)
  if (index === undefined) return undefined
  if (state.options.isOld) return writeChunk(state, { function_call: fn })
  // Only the first chunk of a call has its name, id and type.
  const first = fn.name === undefined ? {} : { id: callId, type: 'function' }
  return writeChunk(state, { tool_calls: [{ index, ...first, function: fn }] })
}

function callIndex({ callIndexes, options }: ChatState, callId: string): number | undefined {
  if (!callIndexes.has(callId)) {
    const isUnwanted = options.isOne && callIndexes.size > 0
    callIndexes.set(callId, isUnwanted ? undefined : callIndexes.size)
  }
  return callIndexes.get(callId)
}

function writeFinish(state: ChatState, reason: FinishReason, usage: Usage): string {
  const { id, created, options } = state
  const last = writeChunk(state, {}, finishReasonOf(reason, options))
  if (!options.hasUsage) return last
  const usageChunk = {
    id,
    object: 'chat.completion.chunk',
    created,
    model: options.model,
    choices: [],
    usage: usageOf(usage),
  }
  return last + event(usageChunk)
}

function finishReasonOf({ unified }: FinishReason, { isOld }: ChatWriterOptions): string {
  if (unified === 'tool-calls') return isOld ? 'function_call' : 'tool_calls'
  if (unified === 'length') return 'length'
  return unified === 'content-filter' ? 'content_filter' : 'stop'
}

function usageOf(usage: Usage): unknown {
  const { input, output, cached, reasoning } = tokensOf(usage)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}
