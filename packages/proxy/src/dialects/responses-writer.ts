import type { HttpError } from '../http/http-error.js'
import type { FinishReason, Generated, StreamPart, Usage } from '../model-types.js'
import { newResponseId, outputItemId } from '../store/response-ids.js'
import type { Item } from '../store/stored-response.js'
import { readArguments, unreadableCall } from './answer-parts.js'
import { clientItem, hasItem, isStreamed, itemIdPrefix } from './client-call-items.js'
import { createCustomInputReader, readCustomInput } from './custom-input.js'
import { type AnswerWriter, event } from './dialect.js'
import {
  callItem,
  type ItemStatus,
  type OpenCall,
  type OpenText,
  textContent,
  textItem,
  textName,
  usageOf,
} from './responses-items.js'
import type { ToolMap } from './tool-map.js'

export interface ResponsesWriterOptions {
  /** Fields of the request that the response repeats. */
  readonly echo: Readonly<Record<string, unknown>>
  /** The answer contains at most one call. */
  readonly isOne: boolean
  /** The tools that the names in the answer mean. */
  readonly toolMap: ToolMap
  /** Stores the response, and returns whether it is stored. Undefined if it shall not be. */
  readonly keep?: ((response: Item) => Promise<boolean>) | undefined
}

/** The last events of a response, and the response itself. */
interface Finished {
  readonly events: string
  readonly status: string
  readonly response: Item
}

/** A response that is being written. */
interface ResponseState {
  readonly id: string
  readonly createdAt: number
  readonly options: ResponsesWriterOptions
  /** Items that are finished. An item that is still open leaves a hole. */
  readonly output: unknown[]
  /** Calls by id. Undefined for one that is finished, and for one the client does not want. */
  readonly calls: Map<string, OpenCall | undefined>
  /**
   * The text that the model writes now. It stays open after its end, because only the finish reason
   * shows whether it was cut off.
   */
  openText: OpenText | undefined
  /** Index of the next item in the output. */
  nextIndex: number
  /** Number of the next event. */
  sequence: number
  /** Set once the response is stored: its end is written from this. */
  finished: Finished | undefined
}

const incompleteReasons: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

/** Writes an answer of `/v1/responses`. */
export function createResponsesWriter(options: ResponsesWriterOptions): AnswerWriter {
  const state: ResponseState = {
    id: newResponseId(),
    createdAt: Math.floor(Date.now() / 1000),
    options,
    output: [],
    calls: new Map(),
    openText: undefined,
    nextIndex: 0,
    sequence: 0,
    finished: undefined,
  }
  return {
    whole(result) {
      const finished = writeWhole(state, result)
      return options.keep ? storeResponse(finished, options.keep) : finished.response
    },
    async store({ finishReason, usage }) {
      if (options.keep === undefined) return
      const finished = finish(state, finishReason, usage)
      const response = await storeResponse(finished, options.keep)
      state.finished = { ...finished, response }
    },
    part: part => writePart(state, part),
    end: () => undefined,
    fail: error => writeFailure(state, error),
  }
}

/** Stores a response. Returns it with the truth in `store`. */
async function storeResponse(
  { response }: Finished,
  keep: NonNullable<ResponsesWriterOptions['keep']>,
): Promise<Item> {
  return (await keep(response)) ? response : { ...response, store: false }
}

function writeWhole(state: ResponseState, { content, finishReason, usage }: Generated): Finished {
  for (const part of content) {
    if (part.type === 'text') addText(state, 'message', part.text)
    else if (part.type === 'reasoning') addText(state, 'reasoning', part.text)
    else if (part.type === 'tool-call') endCall(state, part.toolCallId, part.toolName, part.input)
  }
  return finish(state, finishReason, usage)
}

function writePart(state: ResponseState, part: StreamPart): string | undefined {
  switch (part.type) {
    case 'response-metadata':
      return begin(state) || undefined
    case 'text-delta':
      return addText(state, 'message', part.delta)
    case 'reasoning-delta':
      return addText(state, 'reasoning', part.delta)
    case 'tool-input-start':
      return openStreamedCall(state, part.id, part.toolName)
    case 'tool-input-delta':
      return addArguments(state, part.id, part.delta)
    case 'tool-call':
      return endCall(state, part.toolCallId, part.toolName, part.input)
    case 'finish': {
      const finished = state.finished ?? finish(state, part.finishReason, part.usage)
      const { events, status, response } = finished
      return events + emit(state, `response.${status}`, { response })
    }
    default:
      return undefined
  }
}

function writeFailure(state: ResponseState, failure: HttpError): string {
  const { message, type } = failure
  const code = failure.code ?? null
  const param = failure.param ?? null
  const begun = begin(state)
  // OpenAI's types have the fields at the top level; clients in use look for them in `error`.
  const error = emit(state, 'error', {
    code,
    message,
    param,
    error: { type, code, message, param },
  })
  const reason = {
    code: type === 'rate_limit_error' ? 'rate_limit_exceeded' : 'server_error',
    message,
  }
  const response = responseValue(state, 'failed', { error: reason })
  return begun + error + emit(state, 'response.failed', { response })
}

function emit(
  state: ResponseState,
  type: string,
  fields: Readonly<Record<string, unknown>>,
): string {
  return event({ type, sequence_number: state.sequence++, ...fields }, type)
}

function responseValue(
  { id, createdAt, options, output }: ResponseState,
  status: string,
  fields: Readonly<Record<string, unknown>> = {},
): Item {
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: null,
    ...options.echo,
    output: output.filter(item => item !== undefined),
    usage: null,
    ...fields,
  }
}

function begin(state: ResponseState): string {
  if (state.sequence > 0) return ''
  const response = responseValue(state, 'in_progress')
  return (
    emit(state, 'response.created', { response }) +
    emit(state, 'response.in_progress', { response })
  )
}

/** Opens a message or reasoning, and finishes the text before it. */
function openText(state: ResponseState, text: OpenText): string {
  const closed = closeText(state, 'completed')
  state.openText = text
  const added = { output_index: text.index, item: textItem(text, 'in_progress') }
  const content = { ...textPlace(text), part: textContent(text.kind, '') }
  return (
    closed +
    emit(state, 'response.output_item.added', added) +
    emit(state, 'response.content_part.added', content)
  )
}

function newText(state: ResponseState, kind: OpenText['kind']): OpenText {
  const index = state.nextIndex++
  const id = outputItemId(state.id, kind === 'message' ? 'msg_' : 'rs_', index)
  return { kind, id, index, pieces: [] }
}

function addText(state: ResponseState, kind: OpenText['kind'], delta: string): string | undefined {
  if (delta === '') return undefined
  const begun = begin(state)
  const open = state.openText?.kind === kind ? state.openText : undefined
  const text = open ?? newText(state, kind)
  const opened = open ? '' : openText(state, text)
  text.pieces.push(delta)
  const name = `response.${textName(kind)}.delta`
  return begun + opened + emit(state, name, { ...textPlace(text), delta, ...noLogprobs(kind) })
}

/** Finishes the open text, if there is one. */
function closeText(state: ResponseState, status: ItemStatus): string {
  const open = state.openText
  if (!open) return ''
  state.openText = undefined
  const { kind, index } = open
  const text = open.pieces.join('')
  const item = textItem(open, status)
  state.output[index] = item
  const place = textPlace(open)
  return (
    emit(state, `response.${textName(kind)}.done`, { ...place, text, ...noLogprobs(kind) }) +
    emit(state, 'response.content_part.done', { ...place, part: textContent(kind, text) }) +
    emit(state, 'response.output_item.done', { output_index: index, item })
  )
}

function textPlace({ id, index }: OpenText): Readonly<Record<string, unknown>> {
  return { item_id: id, output_index: index, content_index: 0 }
}

function noLogprobs(kind: OpenText['kind']): Readonly<Record<string, unknown>> {
  return kind === 'message' ? { logprobs: [] } : {}
}

/** Opens a call whose input is sent while it arrives. Others are opened when they are complete. */
function openStreamedCall(state: ResponseState, callId: string, name: string): string | undefined {
  return isStreamed(state.options.toolMap.clientTool(name))
    ? openCall(state, callId, name, '')
    : undefined
}

/** True for a second call if the client wants only one. */
function isUnwanted({ calls, options }: ResponseState): boolean {
  return options.isOne && calls.size > 0
}

function openCall(
  state: ResponseState,
  callId: string,
  shownName: string,
  input: string,
): string | undefined {
  const { calls, options } = state
  if (calls.has(callId)) return undefined
  if (isUnwanted(state)) {
    calls.set(callId, undefined)
    return undefined
  }
  const closed = begin(state) + closeText(state, 'completed')
  const index = state.nextIndex++
  const tool = options.toolMap.clientTool(shownName)
  const call: OpenCall = {
    id: outputItemId(state.id, itemIdPrefix(tool), index),
    index,
    callId,
    tool,
    shownName,
    pieces: [],
    inputReader: createCustomInputReader(),
  }
  calls.set(callId, call)
  const item = clientItem(call, input, 'in_progress')
  return closed + emit(state, 'response.output_item.added', { output_index: call.index, item })
}

function addArguments(state: ResponseState, callId: string, delta: string): string | undefined {
  const call = state.calls.get(callId)
  if (!call || delta === '') return undefined
  call.pieces.push(delta)
  if (call.tool.kind === 'custom') return addInput(state, call, call.inputReader.add(delta))
  return emit(state, 'response.function_call_arguments.delta', { ...callPlace(call), delta })
}

/** Sends text of the input of a custom tool. */
function addInput(state: ResponseState, call: OpenCall, delta: string): string | undefined {
  if (delta === '') return undefined
  return emit(state, 'response.custom_tool_call_input.delta', { ...callPlace(call), delta })
}

function callPlace({ id, index }: OpenCall): Readonly<Record<string, unknown>> {
  return { item_id: id, output_index: index }
}

/** Ends a call with all of its arguments. Opens it first if they did not come in pieces. */
function endCall(
  state: ResponseState,
  callId: string,
  name: string,
  input: string,
): string | undefined {
  const known = state.calls.get(callId)
  if (known) return closeKnownCall(state, known, input)
  // A call that is finished, or that the client does not want.
  if (state.calls.has(callId)) return undefined
  const tool = state.options.toolMap.clientTool(name)
  if (!isUnwanted(state) && !hasItem(tool, input)) return showCall(state, name, input)
  const opened = openCall(state, callId, name, input)
  const call = state.calls.get(callId)
  if (!call) return opened
  const added = isStreamed(tool) ? addArguments(state, callId, input) : ''
  return (opened ?? '') + (added ?? '') + closeKnownCall(state, call, input)
}

function closeKnownCall(state: ResponseState, call: OpenCall, input: string): string {
  const { kind } = call.tool
  if (kind === 'function')
    return readArguments(input) ? completeCall(state, call, input) : cutCall(state, call, input)
  const item = clientItem(call, input, 'completed')
  if (item === undefined) return cutCall(state, call, input)
  return (kind === 'custom' ? completeInput(state, call, input) : '') + closeCall(state, call, item)
}

/** Reports the arguments as done: a client may run the call now. */
function completeCall(state: ResponseState, call: OpenCall, input: string): string {
  const args = input.trim() === '' ? '{}' : input
  const done = emit(state, 'response.function_call_arguments.done', {
    ...callPlace(call),
    name: call.tool.name,
    arguments: args,
  })
  return done + closeCall(state, call, callItem(call, args, 'completed'))
}

/** Sends the rest of a custom tool's input, and reports it as done. */
function completeInput(state: ResponseState, call: OpenCall, json: string): string {
  const input = readCustomInput(json) ?? ''
  const rest = addInput(state, call, call.inputReader.rest(input)) ?? ''
  return rest + emit(state, 'response.custom_tool_call_input.done', { ...callPlace(call), input })
}

/**
 * Closes a call whose arguments were cut off or cannot be read: a client must not run it. Codex
 * runs a custom call that is done even with `status: incomplete`, so it is never reported as done. A
 * text shows it.
 */
function cutCall(state: ResponseState, call: OpenCall, input: string): string {
  if (call.tool.kind === 'function')
    return closeCall(state, call, callItem(call, input, 'incomplete'))
  state.calls.set(call.callId, undefined)
  return showCall(state, call.shownName, input)
}

/** Shows a call that must not be run as a text. */
function showCall(state: ResponseState, name: string, input: string): string {
  const closed = closeText(state, 'completed')
  return closed + (addText(state, 'message', unreadableCall(name, input)) ?? '')
}

function closeCall(state: ResponseState, call: OpenCall, item: unknown): string {
  state.output[call.index] = item
  state.calls.set(call.callId, undefined)
  return emit(state, 'response.output_item.done', { output_index: call.index, item })
}

/** Closes all items. Returns their last events, and the response with its usage. */
function finish(state: ResponseState, reason: FinishReason, usage: Usage): Finished {
  const cause = incompleteReasons[reason.unified]
  const status = cause === undefined ? 'completed' : 'incomplete'
  const closed = begin(state) + closeText(state, status)
  const cut = [...state.calls.values()].map(call =>
    call ? cutCall(state, call, call.pieces.join('')) : '',
  )
  // The text that shows a custom call.
  const last = closeText(state, status)
  const details = cause === undefined ? {} : { incomplete_details: { reason: cause } }
  const response = responseValue(state, status, { ...details, usage: usageOf(usage) })
  return { events: closed + cut.join('') + last, status, response }
}
