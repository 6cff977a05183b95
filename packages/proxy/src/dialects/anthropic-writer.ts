import { HttpError } from '../http/http-error.js'
import type { Content, FinishReason, StreamPart, Usage } from '../model-types.js'
import { readArguments, tokensOf } from './answer-parts.js'
import { type AnswerWriter, event } from './dialect.js'
import { randomId } from './random-id.js'

export interface AnthropicWriterOptions {
  readonly model: string
  /** No more than one call in an answer. */
  readonly isOne: boolean
  /** Tools whose arguments are sent as they come. */
  readonly eager: ReadonlySet<string>
  /** The client wants to see what the model thinks. */
  readonly hasThinking: boolean
}

type Call = Extract<Content, { type: 'tool-call' }>

/** What a client's library looks for in `details`, so that it starts a new thread by itself. */
export const THREAD_NOT_FOUND = 'thread_not_found'

export function anthropicError({ status, type, message, code }: HttpError): unknown {
  const details = code === THREAD_NOT_FOUND ? { details: { error_code: code } } : {}
  const names: Readonly<Record<number, string>> = {
    413: 'request_too_large',
    503: 'overloaded_error',
  }
  return { type: 'error', error: { type: names[status] ?? type, message, ...details } }
}

/**
 * Blocks follow one another here, and a client may run a call as soon as its block stops. So a call
 * is held until its arguments are known to be whole, as Anthropic's own server does, and one that
 * cannot be read or was cut is shown as text. A tool with `eager_input_streaming` gets its
 * arguments at once; if they break, an error ends the stream instead of the block.
 */
export function createAnthropicWriter(options: AnthropicWriterOptions): AnswerWriter {
  const { model, isOne, eager, hasThinking } = options
  const id = randomId('msg_')
  /** Parts that came while an eager call is open. */
  const waiting: StreamPart[] = []
  let hasBegun = false
  let blocks = 0
  let calls = 0
  let openKind: 'text' | 'thinking' | undefined
  let eagerId: string | undefined
  /** What the client has of its arguments. */
  let eagerPieces: string[] = []
  let isBroken = false

  const emit = (type: string, fields: Readonly<Record<string, unknown>> = {}) =>
    event({ type, ...fields }, type)
  const message = (content: readonly unknown[], stopReason: string | null, usage: unknown) => ({
    ...{
      id,
      type: 'message',
      role: 'assistant',
      model,
      content,
      stop_reason: stopReason,
      stop_sequence: null,
    },
    usage,
  })
  const begin = () => {
    if (hasBegun) return ''
    hasBegun = true
    const usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    }
    return emit('message_start', { message: message([], null, usage) }) + emit('ping')
  }
  const start = (block: unknown) =>
    emit('content_block_start', { index: blocks, content_block: block })
  const delta = (value: unknown) => emit('content_block_delta', { index: blocks, delta: value })
  const stop = () => emit('content_block_stop', { index: blocks++ })

  const close = () => {
    if (!openKind) return ''
    openKind = undefined
    return stop()
  }
  const addText = (text: string): string => {
    if (text === '') return ''
    const closed = begin() + (openKind === 'thinking' ? close() : '')
    const opened = openKind ? '' : start(textBlock(''))
    openKind = 'text'
    return closed + opened + delta({ type: 'text_delta', text })
  }
  const addThought = (thinking: string): string => {
    if (!hasThinking || thinking === '') return ''
    const closed = begin() + (openKind === 'text' ? close() : '')
    const opened = openKind ? '' : start(thinkingBlock(''))
    openKind = 'thinking'
    return closed + opened + delta({ type: 'thinking_delta', thinking })
  }
  const isWanted = () => !isOne || calls === 0
  const startCall = (callId: string, name: string) => {
    calls++
    return begin() + close() + start(callBlock({ toolCallId: callId, toolName: name }, {}))
  }
  const addArguments = (json: string) =>
    json === '' ? '' : delta({ type: 'input_json_delta', partial_json: json })
  const addCall = (call: Call): string => {
    if (!readArguments(call.input)) return close() + addText(unreadable(call)) + close()
    if (!isWanted()) return ''
    return startCall(call.toolCallId, call.toolName) + addArguments(call.input) + stop()
  }
  const addEager = (json: string) => {
    eagerPieces.push(json)
    return addArguments(json)
  }
  const endEager = (input: string | undefined): string => {
    eagerId = undefined
    const rest = eagerPieces.length === 0 && input !== undefined ? addEager(input) : ''
    if (input !== undefined && readArguments(eagerPieces.join('')))
      return rest + stop() + waiting.splice(0).map(write).join('')
    isBroken = true
    return event(
      anthropicError(
        new HttpError(502, 'A call of the model is cut off, or its input is no JSON.'),
      ),
      'error',
    )
  }
  const finish = (reason: FinishReason, usage: Usage): string => {
    const ended = begin() + close()
    const outcome = { stop_reason: stopReasonOf(reason, calls), stop_sequence: null }
    return (
      ended +
      emit('message_delta', { delta: outcome, usage: usageOf(usage) }) +
      emit('message_stop')
    )
  }

  const write = (part: StreamPart): string => {
    if (isBroken) return ''
    if (eagerId !== undefined) {
      if (part.type === 'tool-input-delta' && part.id === eagerId) return addEager(part.delta)
      if (part.type === 'tool-call' && part.toolCallId === eagerId) return endEager(part.input)
      if (part.type === 'finish') return endEager(undefined)
      waiting.push(part)
      return ''
    }
    switch (part.type) {
      case 'response-metadata':
        return begin()
      case 'text-delta':
        return addText(part.delta)
      case 'reasoning-delta':
        return addThought(part.delta)
      case 'tool-input-start':
        if (!eager.has(part.toolName) || !isWanted()) return ''
        eagerId = part.id
        eagerPieces = []
        return startCall(part.id, part.toolName)
      case 'tool-call':
        return addCall(part)
      case 'finish':
        return finish(part.finishReason, part.usage)
      default:
        return ''
    }
  }

  return {
    whole({ content, finishReason, usage }) {
      let uses = 0
      const written = content.flatMap(part => {
        if (part.type === 'text') return part.text === '' ? [] : [textBlock(part.text)]
        if (part.type === 'reasoning')
          return hasThinking && part.text ? [thinkingBlock(part.text)] : []
        if (part.type !== 'tool-call') return []
        const input = readArguments(part.input)
        if (!input) return [textBlock(unreadable(part))]
        if (isOne && uses > 0) return []
        uses++
        return [callBlock(part, input)]
      })
      return message(written, stopReasonOf(finishReason, uses), usageOf(usage))
    },
    part: part => write(part) || undefined,
    end: () => undefined,
    fail: error => (isBroken ? '' : event(anthropicError(error), 'error')),
  }
}

function textBlock(text: string): unknown {
  return { type: 'text', text }
}

/** A signature proves to Anthropic that its own model thought so; there is none to give. */
function thinkingBlock(thinking: string): unknown {
  return { type: 'thinking', thinking, signature: '' }
}

function callBlock(
  { toolCallId, toolName }: Pick<Call, 'toolCallId' | 'toolName'>,
  input: unknown,
): unknown {
  return { type: 'tool_use', id: toolCallId, name: toolName, input }
}

function unreadable({ toolName, input }: Call): string {
  return `[A call of ${toolName} that is cut off or cannot be read: ${input}]`
}

/**
 * A server does not say which of the texts that end an answer it met, so `stop_sequence` only comes
 * from one that names it.
 */
function stopReasonOf({ unified, raw }: FinishReason, calls: number): string {
  if (unified === 'length') return 'max_tokens'
  if (unified === 'content-filter') return 'refusal'
  if (calls > 0) return 'tool_use'
  return raw === 'stop_sequence' ? 'stop_sequence' : 'end_turn'
}

/** Tokens read from a cache are counted apart here. */
function usageOf(usage: Usage): unknown {
  const { input, output, cached = 0 } = tokensOf(usage)
  return {
    input_tokens: Math.max(0, input - cached),
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  }
}
