import { HttpError } from '../http/http-error.js'
import type { FinishReason, Generated, StreamPart, Usage } from '../model-types.js'
import { readArguments, unreadableCall } from './answer-parts.js'
import {
  anthropicError,
  type Call,
  callBlock,
  messageValue,
  stopReasonOf,
  textBlock,
  thinkingBlock,
  usageOf,
  usageValue,
} from './anthropic-blocks.js'
import { type AnswerWriter, event } from './dialect.js'
import { randomId } from './random-id.js'

export interface AnthropicWriterOptions {
  readonly model: string
  /** The answer contains at most one call. */
  readonly isOne: boolean
  /** Tools whose arguments are sent as they arrive. */
  readonly eager: ReadonlySet<string>
  /** The client asked for reasoning. */
  readonly hasThinking: boolean
}

/** A message that is being streamed. */
interface MessageStream {
  readonly id: string
  readonly options: AnthropicWriterOptions
  /** `message_start` was sent. */
  hasBegun: boolean
  /** Index of the open block, or of the next one. */
  index: number
  /** Call blocks that were started. */
  calls: number
  /** The open block, if it is not a call. */
  openKind: 'text' | 'thinking' | undefined
  /** The open block, if it is a call whose arguments are sent as they arrive. */
  eagerCall: EagerCall | undefined
  /** An eager call was cut off; the error that says so was the last event. */
  isBroken: boolean
}

interface EagerCall {
  readonly id: string
  /** Pieces of the arguments that were sent. */
  readonly sent: string[]
  /** Parts that arrived while the call was open. They are written when it ends. */
  readonly waiting: StreamPart[]
}

/**
 * Writes an answer of `/v1/messages`. Its blocks follow one another, and a client may run a call as
 * soon as its block stops. So the writer waits until a call's arguments are complete, as Anthropic's
 * own server does. A call that was cut off or cannot be read becomes text. A tool with
 * `eager_input_streaming` gets its arguments at once; if they break, an error ends the stream and
 * the block never stops.
 */
export function createAnthropicWriter(options: AnthropicWriterOptions): AnswerWriter {
  const stream: MessageStream = {
    id: randomId('msg_'),
    options,
    hasBegun: false,
    index: 0,
    calls: 0,
    openKind: undefined,
    eagerCall: undefined,
    isBroken: false,
  }
  return {
    whole: result => writeWhole(stream, result),
    part: part => writePart(stream, part) || undefined,
    end: () => undefined,
    fail: error => (stream.isBroken ? '' : event(anthropicError(error), 'error')),
  }
}

function writeWhole({ id, options }: MessageStream, result: Generated): unknown {
  let calls = 0
  const content = result.content.flatMap(part => {
    if (part.type === 'text') return part.text === '' ? [] : [textBlock(part.text)]
    if (part.type === 'reasoning') return wholeThinking(part.text, options)
    if (part.type !== 'tool-call') return []
    const input = readArguments(part.input)
    if (!input) return [textBlock(unreadableCall(part.toolName, part.input))]
    if (options.isOne && calls > 0) return []
    calls++
    return [callBlock(part, input)]
  })
  const stopReason = stopReasonOf(result.finishReason, calls)
  return messageValue({
    id,
    model: options.model,
    content,
    stopReason,
    usage: usageOf(result.usage),
  })
}

function wholeThinking(text: string, { hasThinking }: AnthropicWriterOptions): unknown[] {
  return hasThinking && text ? [thinkingBlock(text)] : []
}

function writePart(stream: MessageStream, part: StreamPart): string {
  if (stream.isBroken) return ''
  if (stream.eagerCall) return writeDuringEagerCall(stream, stream.eagerCall, part)
  switch (part.type) {
    case 'response-metadata':
      return begin(stream)
    case 'text-delta':
      return addText(stream, part.delta)
    case 'reasoning-delta':
      return addThinking(stream, part.delta)
    case 'tool-input-start':
      return startEagerCall(stream, part.id, part.toolName)
    case 'tool-call':
      return addCall(stream, part)
    case 'finish':
      return finish(stream, part.finishReason, part.usage)
    default:
      return ''
  }
}

function emit(type: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return event({ type, ...fields }, type)
}

function begin(stream: MessageStream): string {
  if (stream.hasBegun) return ''
  stream.hasBegun = true
  const { id, options } = stream
  const message = messageValue({
    id,
    model: options.model,
    content: [],
    stopReason: null,
    usage: usageValue(0, 0, 0),
  })
  return emit('message_start', { message }) + emit('ping')
}

function startBlock({ index }: MessageStream, block: unknown): string {
  return emit('content_block_start', { index, content_block: block })
}

function addDelta({ index }: MessageStream, delta: unknown): string {
  return emit('content_block_delta', { index, delta })
}

function stopBlock(stream: MessageStream): string {
  return emit('content_block_stop', { index: stream.index++ })
}

/** Stops the open block of text or reasoning. */
function closeText(stream: MessageStream): string {
  if (!stream.openKind) return ''
  stream.openKind = undefined
  return stopBlock(stream)
}

/** Makes sure that a block of this kind is open. */
function openText(stream: MessageStream, kind: 'text' | 'thinking', emptyBlock: unknown): string {
  const begun = begin(stream)
  if (stream.openKind === kind) return begun
  const closed = closeText(stream)
  stream.openKind = kind
  return begun + closed + startBlock(stream, emptyBlock)
}

function addText(stream: MessageStream, text: string): string {
  if (text === '') return ''
  const opened = openText(stream, 'text', textBlock(''))
  return opened + addDelta(stream, { type: 'text_delta', text })
}

function addThinking(stream: MessageStream, thinking: string): string {
  if (!stream.options.hasThinking || thinking === '') return ''
  const opened = openText(stream, 'thinking', thinkingBlock(''))
  return opened + addDelta(stream, { type: 'thinking_delta', thinking })
}

/** False for a second call if the client wants only one. */
function acceptsCall({ options, calls }: MessageStream): boolean {
  return !options.isOne || calls === 0
}

function startCall(stream: MessageStream, toolCallId: string, toolName: string): string {
  stream.calls++
  const opened = begin(stream) + closeText(stream)
  return opened + startBlock(stream, callBlock({ toolCallId, toolName }, {}))
}

function addArguments(stream: MessageStream, json: string): string {
  return json === '' ? '' : addDelta(stream, { type: 'input_json_delta', partial_json: json })
}

/** Writes a call whose arguments have all arrived. */
function addCall(stream: MessageStream, call: Call): string {
  if (!readArguments(call.input))
    return (
      closeText(stream) +
      addText(stream, unreadableCall(call.toolName, call.input)) +
      closeText(stream)
    )
  if (!acceptsCall(stream)) return ''
  return (
    startCall(stream, call.toolCallId, call.toolName) +
    addArguments(stream, call.input) +
    stopBlock(stream)
  )
}

function startEagerCall(stream: MessageStream, id: string, toolName: string): string {
  if (!stream.options.eager.has(toolName) || !acceptsCall(stream)) return ''
  stream.eagerCall = { id, sent: [], waiting: [] }
  return startCall(stream, id, toolName)
}

function writeDuringEagerCall(stream: MessageStream, call: EagerCall, part: StreamPart): string {
  if (part.type === 'tool-input-delta' && part.id === call.id)
    return addEagerArguments(stream, call, part.delta)
  if (part.type === 'tool-call' && part.toolCallId === call.id)
    return endEagerCall(stream, call, part.input)
  if (part.type === 'finish') return breakOff(stream)
  call.waiting.push(part)
  return ''
}

function addEagerArguments(stream: MessageStream, { sent }: EagerCall, json: string): string {
  sent.push(json)
  return addArguments(stream, json)
}

function endEagerCall(stream: MessageStream, call: EagerCall, input: string): string {
  const rest = call.sent.length === 0 ? addEagerArguments(stream, call, input) : ''
  if (!readArguments(call.sent.join(''))) return breakOff(stream)
  stream.eagerCall = undefined
  const stopped = stopBlock(stream)
  const later = call.waiting.map(part => writePart(stream, part))
  return rest + stopped + later.join('')
}

/** Ends the stream with an error: the open call must not be run. */
function breakOff(stream: MessageStream): string {
  stream.eagerCall = undefined
  stream.isBroken = true
  const error = new HttpError(502, 'A call of the model was cut off, or its input is not JSON.')
  return event(anthropicError(error), 'error')
}

function finish(stream: MessageStream, reason: FinishReason, usage: Usage): string {
  const closed = begin(stream) + closeText(stream)
  const delta = { stop_reason: stopReasonOf(reason, stream.calls), stop_sequence: null }
  return closed + emit('message_delta', { delta, usage: usageOf(usage) }) + emit('message_stop')
}
