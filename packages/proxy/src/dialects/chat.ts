import { badRequest } from '../http/http-error.js'
import type { ModelParams } from '../model-types.js'
import { asksReasoning } from './asks-reasoning.js'
import { arePlainMessages, readMessages, readResponseFormat } from './chat-request.js'
import { readChatToolChoice, readChatTools } from './chat-tools.js'
import { chatError, createChatWriter } from './chat-writer.js'
import type { Dialect, DialectRequest } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { createRawChatWriter } from './raw-chat-writer.js'
import { otherFields, readSettings } from './settings.js'
import type { ToolMap } from './tool-map.js'
import { toolParams } from './tools.js'
import { createWarnings } from './warnings.js'

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
  read(body, options = {}) {
    const fields = fieldsOf(body)
    const model = fields.need('model', fields.string('model'))
    const messages = fields.need('messages', fields.list('messages'))
    if (messages.length === 0) throw badRequest('messages', 'is empty.')
    const warnings = createWarnings()
    const toolMap = readChatTools(fields, options, warnings)
    const { tools, toolChoice } = readChatToolChoice(fields, toolMap, warnings)
    const request: ChatRequest = {
      fields,
      messages,
      toolMap,
      common: {
        model,
        isStream: fields.boolean('stream') ?? false,
        asksReasoning: asksReasoning(fields.value),
        warnings: warnings.texts(),
      },
      settings: readSettings(fields, {
        maxTokens: ['max_completion_tokens', 'max_tokens'],
        stop: 'stop',
      }),
      hasUsage: fields.object('stream_options')?.boolean('include_usage') ?? false,
    }
    return tools?.length
      ? readToolRequest(request, toolParams(tools, toolChoice))
      : readPlainRequest(request)
  },
  error: chatError,
}

/** The body of a request, and what is read of every one. */
interface ChatRequest {
  readonly fields: Fields
  readonly messages: readonly unknown[]
  readonly toolMap: ToolMap
  readonly common: Pick<DialectRequest, 'model' | 'isStream' | 'asksReasoning' | 'warnings'>
  readonly settings: Partial<ModelParams>
  /** The stream ends with the usage. */
  readonly hasUsage: boolean
}

/** Reads a request with tools: its answer is read for calls. */
function readToolRequest(
  { fields, messages, toolMap, common, settings, hasUsage }: ChatRequest,
  shownTools: Partial<ModelParams>,
): DialectRequest {
  const field = asksUnread(fields)
  if (field !== undefined)
    throw badRequest(
      field,
      'cannot be used with tools: the proxy reads the calls from the text of one answer.',
    )
  const responseFormat = readResponseFormat(fields)
  const isOld = !fields.list('tools')
  const isOne = fields.boolean('parallel_tool_calls') === false || isOld
  return {
    ...common,
    params: {
      prompt: readMessages(messages, toolMap),
      ...settings,
      ...shownTools,
      ...(responseFormat ? { responseFormat } : {}),
    },
    extra: otherFields(fields, toolFields),
    writer: createChatWriter({ model: common.model, toolMap, isOld, isOne, hasUsage }),
  }
}

/** Reads a request without tools. The server gets all of its fields. */
function readPlainRequest({
  fields,
  messages,
  toolMap,
  common,
  settings,
  hasUsage,
}: ChatRequest): DialectRequest {
  const { model } = common
  const isPlain = arePlainMessages(messages)
  const isRaw = asksUnread(fields) !== undefined
  return {
    ...common,
    params: { prompt: isPlain ? [] : readMessages(messages, toolMap), ...settings },
    messages: isPlain ? messages : undefined,
    extra: otherFields(fields, plainFields),
    isRaw,
    writer: isRaw
      ? createRawChatWriter({ model, hasUsage })
      : createChatWriter({ model, toolMap, isOld: false, isOne: false, hasUsage }),
  }
}

/** Returns the field that asks for an answer that cannot be read: several choices, probabilities. */
function asksUnread(fields: Fields): string | undefined {
  if ((fields.number('n') ?? 1) !== 1) return 'n'
  if (fields.boolean('logprobs')) return 'logprobs'
  return (fields.number('top_logprobs') ?? 0) > 0 ? 'top_logprobs' : undefined
}
