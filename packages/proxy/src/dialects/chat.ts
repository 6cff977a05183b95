import { badRequest } from '../http/http-error.js'
import { readMessages, readResponseFormat } from './chat-request.js'
import { readChatToolChoice, readChatTools } from './chat-tools.js'
import { chatError, createChatWriter } from './chat-writer.js'
import type { Dialect } from './dialect.js'
import { fieldsOf } from './fields.js'
import { otherFields, readSettings } from './settings.js'
import { toolParams } from './tools.js'
import { createWarnings } from './warnings.js'

/** Fields that are read here. All others are sent to the server unchanged. */
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
  read(body, options = {}) {
    const fields = fieldsOf(body)
    const model = fields.need('model', fields.string('model'))
    const messages = fields.need('messages', fields.list('messages'))
    if (messages.length === 0) throw badRequest('messages', 'is empty.')
    if ((fields.number('n') ?? 1) !== 1)
      throw badRequest('n', 'must be 1; several answers per request are not supported.')
    const warnings = createWarnings()
    const toolMap = readChatTools(fields, options, warnings)
    const { tools, toolChoice } = readChatToolChoice(fields, toolMap, warnings)
    const responseFormat = readResponseFormat(fields)
    const isOld = toolMap.tools !== undefined && !fields.list('tools')
    const isOne = fields.boolean('parallel_tool_calls') === false || isOld
    return {
      model,
      isStream: fields.boolean('stream') ?? false,
      params: {
        prompt: readMessages(messages, toolMap),
        ...readSettings(fields, {
          maxTokens: ['max_completion_tokens', 'max_tokens'],
          stop: 'stop',
        }),
        ...toolParams(tools, toolChoice),
        ...(responseFormat ? { responseFormat } : {}),
      },
      extra: otherFields(fields, knownFields),
      warnings: warnings.texts(),
      writer: createChatWriter({
        model,
        toolMap,
        isOld,
        isOne,
        hasUsage: fields.object('stream_options')?.boolean('include_usage') ?? false,
      }),
    }
  },
  error: chatError,
}
