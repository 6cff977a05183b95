import { HttpError } from '../http/http-error.js'
import { anthropicError, THREAD_NOT_FOUND } from './anthropic-blocks.js'
import {
  readAnthropicMessages,
  readAnthropicToolChoice,
  readOutputFormat,
  readThinking,
} from './anthropic-request.js'
import { readAnthropicTools } from './anthropic-tools.js'
import { createAnthropicWriter } from './anthropic-writer.js'
import type { Dialect } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { otherFields, readSettings, withoutUndefined } from './settings.js'
import { toolParams } from './tools.js'
import { createWarnings } from './warnings.js'

/**
 * Fields that are read here, or that a chat server does not know. All others are sent to the server
 * unchanged.
 */
const knownFields = new Set([
  ...[
    'model',
    'messages',
    'system',
    'stream',
    'tools',
    'tool_choice',
    'max_tokens',
    'stop_sequences',
    'temperature',
  ],
  ...[
    'top_p',
    'presence_penalty',
    'frequency_penalty',
    'seed',
    'thinking',
    'metadata',
    'output_config',
  ],
  ...[
    'output_format',
    'cache_control',
    'container',
    'context_management',
    'mcp_servers',
    'service_tier',
    'betas',
  ],
  ...[
    'diagnostics',
    'inference_geo',
    'speed',
    'user_profile_id',
    'workspace_id',
    'thread',
    'fallbacks',
    'compaction',
  ],
])

/** `POST /v1/messages`. */
export const anthropicDialect: Dialect = {
  read(body, options = {}) {
    const fields = fieldsOf(body)
    const model = fields.need('model', fields.string('model'))
    fields.need('max_tokens', fields.number('max_tokens'))
    refuseThread(fields)
    const warnings = createWarnings()
    const { map, eager } = readAnthropicTools(fields, options, warnings)
    const { toolChoice, isOne } = readAnthropicToolChoice(fields, map, warnings)
    const responseFormat = readOutputFormat(fields)
    const known = withoutUndefined({
      user: fields.object('metadata')?.string('user_id'),
      reasoning_effort: fields.object('output_config')?.string('effort'),
    })
    return {
      model,
      isStream: fields.boolean('stream') ?? false,
      params: {
        prompt: readAnthropicMessages(fields, map, warnings),
        ...readSettings(fields, { maxTokens: ['max_tokens'], stop: 'stop_sequences' }),
        ...toolParams(map.tools, toolChoice),
        ...(responseFormat ? { responseFormat } : {}),
      },
      // This includes `top_k`: OpenAI's API does not have it, but local servers do.
      extra: { ...otherFields(fields, knownFields), ...known },
      warnings: warnings.texts(),
      writer: createAnthropicWriter({ model, isOne, eager, hasThinking: readThinking(fields) }),
    }
  },
  error: anthropicError,
}

/**
 * Refuses to continue a thread, because the proxy stores no conversations. At this code Anthropic's
 * client sends the whole conversation again.
 */
function refuseThread(fields: Fields): void {
  const thread = fields.object('thread')
  if (thread?.string('type') !== 'continue') return
  throw new HttpError(
    404,
    'thread: the proxy stores nothing between requests; send the whole conversation.',
    {
      code: THREAD_NOT_FOUND,
      param: 'thread',
    },
  )
}

/**
 * `POST /v1/messages/count_tokens`. Only the model's tokenizer can count its tokens, and the proxy
 * does not have it. Clients that get an error estimate the number themselves.
 */
export const countTokensDialect: Dialect = {
  read() {
    throw new HttpError(
      501,
      'The proxy cannot count tokens: it does not have the tokenizer of the model.',
      {
        code: 'not_implemented',
      },
    )
  },
  error: anthropicError,
}
