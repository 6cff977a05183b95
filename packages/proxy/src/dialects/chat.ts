import { badRequest } from '../http/http-error.js'
import type { ModelParams, Tools } from '../model-types.js'
import { asksReasoning } from './asks-reasoning.js'
import {
  arePlainMessages,
  readMessages,
  readResponseFormat,
  readToolChoice,
  readTools,
} from './chat-request.js'
import { chatError, createChatWriter } from './chat-writer.js'
import type { Dialect, DialectRequest } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { createRawChatWriter } from './raw-chat-writer.js'
import { otherFields, readSettings } from './settings.js'
import { type ToolChoice, toolParams } from './tools.js'

/** Fields that are read in every request. */
const commonFields = [
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'functions'],
  ...['function_call', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'seed', 'stop'],
]
/** Fields that are read here. All others are sent to the server unchanged. */
const plainFields = new Set(commonFields)
const toolFields = new Set([...commonFields, 'response_format', 'n'])

/** `POST /v1/chat/completions`. */
export const chatDialect: Dialect = {
  read(body) {
    const fields = fieldsOf(body)
    const request: ChatRequest = {
      fields,
      model: fields.need('model', fields.string('model')),
      messages: fields.need('messages', fields.list('messages')),
      settings: readSettings(fields, {
        maxTokens: ['max_completion_tokens', 'max_tokens'],
        stop: 'stop',
      }),
      hasUsage: fields.object('stream_options')?.boolean('include_usage') ?? false,
    }
    if (request.messages.length === 0) throw badRequest('messages', 'is empty.')
    const { tools, toolChoice } = readToolChoice(fields, readTools(fields))
    return tools?.length
      ? readToolRequest(request, tools, toolChoice)
      : readPlainRequest(request, asksUnread(fields) !== undefined)
  },
  error: chatError,
}

/** The body of a request, and what is read of every one. */
interface ChatRequest {
  readonly fields: Fields
  readonly model: string
  readonly messages: readonly unknown[]
  readonly settings: Partial<ModelParams>
  /** The stream ends with the usage. */
  readonly hasUsage: boolean
}

/** Reads a request with tools: its answer is read for calls. */
function readToolRequest(
  { fields, model, messages, settings, hasUsage }: ChatRequest,
  tools: Tools,
  toolChoice: ToolChoice | undefined,
): DialectRequest {
  const field = asksUnread(fields)
  if (field !== undefined)
    throw badRequest(
      field,
      'cannot be used with tools: the proxy reads the calls from the text of one answer.',
    )
  const responseFormat = readResponseFormat(fields)
  const isOld = (fields.value.tools ?? undefined) === undefined
  const isOne = fields.boolean('parallel_tool_calls') === false || isOld
  return {
    model,
    isStream: fields.boolean('stream') ?? false,
    params: {
      prompt: readMessages(messages),
      ...settings,
      ...toolParams(tools, toolChoice),
      ...(responseFormat ? { responseFormat } : {}),
    },
    extra: otherFields(fields, toolFields),
    asksReasoning: asksReasoning(fields.value),
    writer: createChatWriter({ model, isOld, isOne, hasUsage }),
  }
}

/** Reads a request without tools. The server gets all of its fields. */
function readPlainRequest(
  { fields, model, messages, settings, hasUsage }: ChatRequest,
  isRaw: boolean,
): DialectRequest {
  const isPlain = arePlainMessages(messages)
  return {
    model,
    isStream: fields.boolean('stream') ?? false,
    params: { prompt: isPlain ? [] : readMessages(messages), ...settings },
    messages: isPlain ? messages : undefined,
    extra: otherFields(fields, plainFields),
    asksReasoning: asksReasoning(fields.value),
    isRaw,
    writer: isRaw
      ? createRawChatWriter({ model, hasUsage })
      : createChatWriter({ model, isOld: false, isOne: false, hasUsage }),
  }
}

/** Returns the field that asks for an answer that cannot be read: several choices, probabilities. */
function asksUnread(fields: Fields): string | undefined {
  if ((fields.number('n') ?? 1) !== 1) return 'n'
  if (fields.boolean('logprobs')) return 'logprobs'
  return (fields.number('top_logprobs') ?? 0) > 0 ? 'top_logprobs' : undefined
}
