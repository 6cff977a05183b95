import { badRequest, type HttpError } from '../http/http-error.js'
import type { FinishReason, StreamPart, Usage } from '../model-types.js'
import { tokensOf } from './answer-parts.js'
import { readMessages, readResponseFormat, readToolChoice, readTools } from './chat-request.js'
import { type AnswerWriter, type Dialect, event } from './dialect.js'
import { fieldsOf } from './fields.js'
import { randomId } from './random-id.js'
import { otherFields, readSettings } from './settings.js'
import { toolParams } from './tools.js'

/** Fields that are read here; all others reach the server as they are. */
const knownFields = new Set([
  ...[
    'model',
    'messages',
    'stream',
    'stream_options',
    'tools',
    'tool_choice',
    'functions',
    'function_call',
  ],
  ...[
    'parallel_tool_calls',
    'max_tokens',
    'max_completion_tokens',
    'temperature',
    'top_p',
    'presence_penalty',
  ],
  ...['frequency_penalty', 'seed', 'stop', 'response_format', 'n'],
])

/** `POST /v1/chat/completions`. */
export const chatDialect: Dialect = {
  read(body) {
    const fields = fieldsOf(body)
    const model = fields.need('model', fields.string('model'))
    const messages = fields.need('messages', fields.list('messages'))
    if (messages.length === 0) throw badRequest('messages', 'is empty.')
    if ((fields.number('n') ?? 1) !== 1)
      throw badRequest('n', 'must be 1; several answers at once are not supported.')
    const tools = readTools(fields)
    const toolChoice = readToolChoice(fields, tools)
    const responseFormat = readResponseFormat(fields)
    const isOld = tools !== undefined && fields.value.tools === undefined
    const isOne = fields.boolean('parallel_tool_calls') === false || isOld
    return {
      model,
      isStream: fields.boolean('stream') ?? false,
      params: {
        prompt: readMessages(messages),
        ...readSettings(fields, {
          maxTokens: ['max_completion_tokens', 'max_tokens'],
          stop: 'stop',
        }),
        ...toolParams(tools, toolChoice),
        ...(responseFormat ? { responseFormat } : {}),
      },
      extra: otherFields(fields, knownFields),
      writer: createChatWriter({
        model,
        isOld,
        isOne,
        hasUsage: fields.object('stream_options')?.boolean('include_usage') ?? false,
      }),
    }
  },
  error: chatError,
}

export function chatError({ message, type, param, code }: HttpError): unknown {
  return { error: { message, type, param: param ?? null, code: code ?? null } }
}

interface ChatWriterOptions {
  readonly model: string
  /** The client knows only `function_call`. */
  readonly isOld: boolean
  /** No more than one call in an answer. */
  readonly isOne: boolean
  /** The stream ends with the usage. */
  readonly hasUsage: boolean
}

function createChatWriter({ model, isOld, isOne, hasUsage }: ChatWriterOptions): AnswerWriter {
  const id = randomId('chatcmpl-')
  const created = Math.floor(Date.now() / 1000)
  /** The calls so far, by id; a call that is not wanted has no place. */
  const places = new Map<string, number | undefined>()
  let hasBegun = false

  // All chunks are alike but for the delta and the reason, so the rest is written once.
  const head = JSON.stringify({ id, object: 'chat.completion.chunk', created, model }).slice(0, -1)
  const tail = hasUsage ? '],"usage":null}\n\n' : ']}\n\n'
  const chunk = (delta: Record<string, unknown>, finishReason: string | null = null) => {
    const json = JSON.stringify(hasBegun ? delta : { role: 'assistant', ...delta })
    hasBegun = true
    const reason = finishReason === null ? 'null' : `"${finishReason}"`
    return `data: ${head},"choices":[{"index":0,"delta":${json},"finish_reason":${reason}}${tail}`
  }
  const placeOf = (callId: string): number | undefined => {
    if (!places.has(callId)) places.set(callId, isOne && places.size > 0 ? undefined : places.size)
    return places.get(callId)
  }
  const callChunk = (callId: string, fn: { name?: string; arguments: string }) => {
    const index = placeOf(callId)
    if (index === undefined) return undefined
    if (isOld) return chunk({ function_call: fn })
    const head = fn.name === undefined ? {} : { id: callId, type: 'function' }
    return chunk({ tool_calls: [{ index, ...head, function: fn }] })
  }
  const finishOf = (reason: FinishReason) => {
    const names: Record<string, string> = { length: 'length', 'content-filter': 'content_filter' }
    const calls = isOld ? 'function_call' : 'tool_calls'
    return reason.unified === 'tool-calls' ? calls : (names[reason.unified] ?? 'stop')
  }

  return {
    whole: ({ content, finishReason, usage }) => {
      const text = content.map(part => (part.type === 'text' ? part.text : '')).join('')
      const thought = content.map(part => (part.type === 'reasoning' ? part.text : '')).join('')
      const calls = content
        .flatMap(part => (part.type === 'tool-call' ? [part] : []))
        .slice(0, isOne ? 1 : undefined)
      const written = calls.map(({ toolCallId, toolName, input }) => ({
        id: toolCallId,
        type: 'function',
        function: { name: toolName, arguments: input },
      }))
      const message = {
        role: 'assistant',
        content: text === '' && calls.length ? null : text,
        ...(thought ? { reasoning_content: thought } : {}),
        ...(calls.length
          ? isOld
            ? { function_call: written[0]?.function }
            : { tool_calls: written }
          : {}),
      }
      const choice = { index: 0, message, logprobs: null, finish_reason: finishOf(finishReason) }
      return {
        // A server may use an id twice, and LangGraph takes the second message for a change of the
        // first.
        id,
        object: 'chat.completion',
        created,
        model,
        choices: [choice],
        usage: usageOf(usage),
      }
    },
    part(part: StreamPart) {
      switch (part.type) {
        case 'text-delta':
          return chunk({ content: part.delta })
        case 'reasoning-delta':
          return chunk({ reasoning_content: part.delta })
        case 'tool-input-start':
          return callChunk(part.id, { name: part.toolName, arguments: '' })
        case 'tool-input-delta':
          return callChunk(part.id, { arguments: part.delta })
        case 'tool-call':
          // Most calls have come in pieces by now.
          if (places.has(part.toolCallId)) return undefined
          return callChunk(part.toolCallId, { name: part.toolName, arguments: part.input })
        case 'finish': {
          const last = chunk({}, finishOf(part.finishReason))
          if (!hasUsage) return last
          return (
            last +
            event({
              id,
              object: 'chat.completion.chunk',
              created,
              model,
              choices: [],
              usage: usageOf(part.usage),
            })
          )
        }
        default:
          return undefined
      }
    },
    end: () => 'data: [DONE]\n\n',
    fail: error => event(chatError(error)),
  }
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
