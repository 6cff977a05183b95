import type { HttpError } from '../http/http-error.js'
import type { FinishReason, StreamPart, Usage } from '../model-types.js'
import { readArguments, tokensOf } from './answer-parts.js'
import { type AnswerWriter, event } from './dialect.js'
import { randomId } from './random-id.js'

export interface ResponsesWriterOptions {
  /** What a response repeats of its request. */
  readonly echo: Readonly<Record<string, unknown>>
  /** No more than one call in an answer. */
  readonly isOne: boolean
}

type Status = 'in_progress' | 'completed' | 'incomplete'

/** An item that grows, at its place in the output. */
interface OpenText {
  readonly kind: 'message' | 'reasoning'
  readonly id: string
  readonly place: number
  readonly pieces: string[]
}
interface OpenCall {
  readonly id: string
  readonly place: number
  readonly callId: string
  readonly name: string
  readonly pieces: string[]
}

const incompleteReasons: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
}

export function createResponsesWriter({ echo, isOne }: ResponsesWriterOptions): AnswerWriter {
  const responseId = randomId('resp_')
  const createdAt = Math.floor(Date.now() / 1000)
  /** The items that are done; one that still grows has a hole. */
  const output: unknown[] = []
  /** Calls by id. One that is not wanted, and one that is done, is undefined. */
  const calls = new Map<string, OpenCall | undefined>()
  let places = 0
  let sequence = 0
  // What the model writes now. It stays open behind its end, for only the finish tells whether it
  // was cut.
  let open: OpenText | undefined

  const emit = (type: string, fields: Readonly<Record<string, unknown>>) =>
    event({ type, sequence_number: sequence++, ...fields }, type)
  const response = (status: string, fields: Readonly<Record<string, unknown>> = {}) => ({
    ...{
      id: responseId,
      object: 'response',
      created_at: createdAt,
      status,
      error: null,
      incomplete_details: null,
    },
    ...echo,
    output: output.filter(item => item !== undefined),
    usage: null,
    ...fields,
  })
  const begin = () => {
    if (sequence > 0) return ''
    return (
      emit('response.created', { response: response('in_progress') }) +
      emit('response.in_progress', { response: response('in_progress') })
    )
  }

  const openText = (kind: OpenText['kind']): string => {
    if (open?.kind === kind) return ''
    const closed = closeText('completed')
    const id = randomId(kind === 'message' ? 'msg_' : 'rs_')
    open = { kind, id, place: places++, pieces: [] }
    const at = { item_id: id, output_index: open.place, content_index: 0 }
    return (
      closed +
      emit('response.output_item.added', {
        output_index: open.place,
        item: textItem(open, 'in_progress'),
      }) +
      emit('response.content_part.added', { ...at, part: textContent(kind, '') })
    )
  }
  const addText = (kind: OpenText['kind'], delta: string): string | undefined => {
    if (delta === '') return undefined
    const opened = begin() + openText(kind)
    open?.pieces.push(delta)
    const at = { item_id: open?.id, output_index: open?.place, content_index: 0 }
    const logprobs = kind === 'message' ? { logprobs: [] } : {}
    return opened + emit(`response.${textName(kind)}.delta`, { ...at, delta, ...logprobs })
  }
  const closeText = (status: Status): string => {
    if (!open) return ''
    const { kind, id, place, pieces } = open
    const text = pieces.join('')
    const at = { item_id: id, output_index: place, content_index: 0 }
    const item = textItem(open, status)
    output[place] = item
    open = undefined
    return (
      emit(`response.${textName(kind)}.done`, {
        ...at,
        text,
        ...(kind === 'message' ? { logprobs: [] } : {}),
      }) +
      emit('response.content_part.done', { ...at, part: textContent(kind, text) }) +
      emit('response.output_item.done', { output_index: place, item })
    )
  }

  const openCall = (callId: string, name: string): string | undefined => {
    if (calls.has(callId)) return undefined
    if (isOne && calls.size > 0) {
      calls.set(callId, undefined)
      return undefined
    }
    const opened = begin() + closeText('completed')
    const call = { id: randomId('fc_'), place: places++, callId, name, pieces: [] }
    calls.set(callId, call)
    return (
      opened +
      emit('response.output_item.added', {
        output_index: call.place,
        item: callItem(call, '', 'in_progress'),
      })
    )
  }
  const addArguments = (callId: string, delta: string): string | undefined => {
    const call = calls.get(callId)
    if (!call || delta === '') return undefined
    call.pieces.push(delta)
    return emit('response.function_call_arguments.delta', {
      item_id: call.id,
      output_index: call.place,
      delta,
    })
  }
  /** Only arguments that can be read are done: a client may run the call at that word. */
  const closeCall = (
    call: OpenCall,
    input: string,
    isWhole = readArguments(input) !== undefined,
  ): string => {
    const args = isWhole && input.trim() === '' ? '{}' : input
    const item = callItem(call, args, isWhole ? 'completed' : 'incomplete')
    const at = { item_id: call.id, output_index: call.place }
    output[call.place] = item
    calls.set(call.callId, undefined)
    const done = isWhole
      ? emit('response.function_call_arguments.done', { ...at, name: call.name, arguments: args })
      : ''
    return done + emit('response.output_item.done', { output_index: call.place, item })
  }
  const endCall = (callId: string, name: string, input: string): string | undefined => {
    const isNew = !calls.has(callId)
    const opened = isNew ? (openCall(callId, name) ?? '') : ''
    const written = isNew ? (addArguments(callId, input) ?? '') : ''
    const call = calls.get(callId)
    return call ? opened + written + closeCall(call, input) : undefined
  }

  /** Closes what is open, and tells how it all ended. */
  const finish = (reason: FinishReason, usage: Usage) => {
    const cause = incompleteReasons[reason.unified]
    const status = cause === undefined ? 'completed' : 'incomplete'
    const began = begin() + closeText(status)
    // A call that nobody ended is not one to run.
    const broken = [...calls.values()].map(call =>
      call ? closeCall(call, call.pieces.join(''), false) : '',
    )
    const details = cause === undefined ? {} : { incomplete_details: { reason: cause } }
    const last = response(status, { ...details, usage: usageOf(usage) })
    return {
      last,
      events: () => began + broken.join('') + emit(`response.${status}`, { response: last }),
    }
  }

  return {
    whole({ content, finishReason, usage }) {
      for (const part of content) {
        if (part.type === 'text') addText('message', part.text)
        else if (part.type === 'reasoning') addText('reasoning', part.text)
        else if (part.type === 'tool-call') {
          // Whole answers come with the server's ids, and one that is there twice would hide a
          // call.
          const callId = calls.has(part.toolCallId) ? randomId('call_') : part.toolCallId
          endCall(callId, part.toolName, part.input)
        }
      }
      return finish(finishReason, usage).last
    },
    part(part: StreamPart) {
      switch (part.type) {
        case 'response-metadata':
          return begin() || undefined
        case 'text-delta':
          return addText('message', part.delta)
        case 'reasoning-delta':
          return addText('reasoning', part.delta)
        case 'tool-input-start':
          return openCall(part.id, part.toolName)
        case 'tool-input-delta':
          return addArguments(part.id, part.delta)
        case 'tool-call':
          return endCall(part.toolCallId, part.toolName, part.input)
        case 'finish':
          return finish(part.finishReason, part.usage).events()
        default:
          return undefined
      }
    },
    end: () => undefined,
    fail({ message, type, code, param }: HttpError) {
      const began = begin()
      const error = { type, code: code ?? null, message, param: param ?? null }
      // The official types have these fields flat; clients in use look for them in `error`.
      const told = emit('error', { code: error.code, message, param: error.param, error })
      const reason = {
        code: type === 'rate_limit_error' ? 'rate_limit_exceeded' : 'server_error',
        message,
      }
      return (
        began + told + emit('response.failed', { response: response('failed', { error: reason }) })
      )
    },
  }
}

function textName(kind: OpenText['kind']): string {
  return kind === 'message' ? 'output_text' : 'reasoning_text'
}

function textContent(kind: OpenText['kind'], text: string): unknown {
  return kind === 'message'
    ? { type: 'output_text', text, annotations: [], logprobs: [] }
    : { type: 'reasoning_text', text }
}

function textItem({ kind, id, pieces }: OpenText, status: Status): unknown {
  const content = status === 'in_progress' ? [] : [textContent(kind, pieces.join(''))]
  return kind === 'message'
    ? { id, type: 'message', status, role: 'assistant', content }
    : { id, type: 'reasoning', status, summary: [], content }
}

function callItem({ id, callId, name }: OpenCall, args: string, status: Status): unknown {
  return { id, type: 'function_call', status, call_id: callId, name, arguments: args }
}

function usageOf(usage: Usage): unknown {
  const { input, output, cached, reasoning } = tokensOf(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached ?? 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning ?? 0 },
    total_tokens: input + output,
  }
}
