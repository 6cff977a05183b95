import type { HttpError } from '../http/http-error.js'
import type { Content, FinishReason, Generated, StreamPart, Usage } from '../model-types.js'
import { tokensOf, unreadableCall } from './answer-parts.js'
import { readCustomInput } from './custom-input.js'
import { type AnswerWriter, event } from './dialect.js'
import { randomId } from './random-id.js'
import type { ToolMap } from './tool-map.js'

export interface ChatWriterOptions {
  readonly model: string
  /** The client knows only `function_call`, not `tool_calls`. */
  readonly isOld: boolean
  /** The answer contains at most one call. */
  readonly isOne: boolean
  /** The stream ends with the usage. */
  readonly hasUsage: boolean
  /** The tools that the names in the answer mean. */
  readonly toolMap: ToolMap
}

/** A completion that is being written. */
interface ChatState {
  readonly id: string
  readonly created: number
  readonly options: ChatWriterOptions
  /** Index of each call so far, by id. Undefined for one that the client does not want. */
  readonly callIndexes: Map<string, number | undefined>
  /** Custom calls whose input is not complete. */
  readonly heldCalls: Set<string>
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
    heldCalls: new Set(),
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
  const { message, hasCalls } = writeMessage(result.content, options)
  const finishReason = finishReasonOf(result.finishReason, options, hasCalls)
  return {
    id,
    object: 'chat.completion',
    created,
    model: options.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: usageOf(result.usage),
  }
}

function writeMessage(content: Generated['content'], options: ChatWriterOptions) {
  const { isOld, isOne } = options
  const parts = content.map(part =>
    part.type === 'tool-call' && isUnreadable(part, options) ? shownCall(part) : part,
  )
  const text = parts.map(part => (part.type === 'text' ? part.text : '')).join('')
  const reasoning = parts.map(part => (part.type === 'reasoning' ? part.text : '')).join('')
  const calls = parts
    .flatMap(part => (part.type === 'tool-call' ? [part] : []))
    .slice(0, isOne ? 1 : undefined)
  const hasCalls = calls.length > 0
  const written = isOld
    ? { function_call: calls[0] && functionOf(calls[0], options) }
    : { tool_calls: calls.map(call => writeWholeCall(call, options)) }
  const message = {
    role: 'assistant',
    content: text === '' && hasCalls ? null : text,
    ...(reasoning ? { reasoning_content: reasoning } : {}),
    ...(hasCalls ? written : {}),
  }
  return { message, hasCalls }
}

type Call = Extract<Content, { type: 'tool-call' }>

function functionOf({ toolName, input }: Call, { toolMap }: ChatWriterOptions) {
  return { name: toolMap.clientTool(toolName).name, arguments: input }
}

/** Writes a call: as that of a function, or of a custom tool with its text. */
function writeWholeCall(call: Call, options: ChatWriterOptions): Readonly<Record<string, unknown>> {
  const { kind, name } = options.toolMap.clientTool(call.toolName)
  if (kind !== 'custom')
    return { id: call.toolCallId, type: 'function', function: functionOf(call, options) }
  const input = readCustomInput(call.input) ?? ''
  return { id: call.toolCallId, type: 'custom', custom: { name, input } }
}

/**
 * True for a call of a custom tool whose text was cut off or cannot be read. Any text is an input
 * for such a tool, so the client would run it.
 */
function isUnreadable({ toolName, input }: Call, options: ChatWriterOptions): boolean {
  return isCustom(options, toolName) && readCustomInput(input) === undefined
}

/** A call that must not be run, as a text. */
function shownCall({ toolName, input }: Call): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: unreadableCall(toolName, input) }
}

function isCustom({ toolMap }: ChatWriterOptions, shownName: string): boolean {
  return toolMap.clientTool(shownName).kind === 'custom'
}

function writePart(state: ChatState, part: StreamPart): string | undefined {
  const { options } = state
  switch (part.type) {
    case 'text-delta':
      return writeChunk(state, { content: part.delta })
    case 'reasoning-delta':
      return writeChunk(state, { reasoning_content: part.delta })
    case 'tool-input-start':
      if (isCustom(options, part.toolName)) return holdCall(state, part.id)
      return writeCall(state, part.id, {
        name: options.toolMap.clientTool(part.toolName).name,
        arguments: '',
      })
    case 'tool-input-delta':
      if (state.heldCalls.has(part.id)) return undefined
      return writeCall(state, part.id, { arguments: part.delta })
    case 'tool-call':
      if (isCustom(options, part.toolName)) return writeCustomCall(state, part)
      // Most calls have been written piece by piece.
      if (state.callIndexes.has(part.toolCallId)) return undefined
      return writeCall(state, part.toolCallId, functionOf(part, options))
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

/** Waits until a custom call is complete: nothing in a chunk could say that it was cut off. */
function holdCall({ heldCalls }: ChatState, callId: string): undefined {
  heldCalls.add(callId)
}

function writeCustomCall(state: ChatState, call: Call): string | undefined {
  if (isUnreadable(call, state.options)) return writeChunk(state, { content: shownCall(call).text })
  const index = callIndex(state, call.toolCallId)
  if (index === undefined) return undefined
  const written = writeWholeCall(call, state.options)
  return writeChunk(state, { tool_calls: [{ index, ...written }] })
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
  const hasCalls = [...state.callIndexes.values()].some(index => index !== undefined)
  const last = writeChunk(state, {}, finishReasonOf(reason, options, hasCalls))
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

function finishReasonOf(
  { unified }: FinishReason,
  { isOld }: ChatWriterOptions,
  hasCalls: boolean,
): string {
  // A call that is shown as a text is not a call to run.
  if (unified === 'tool-calls' && !hasCalls) return 'stop'
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
