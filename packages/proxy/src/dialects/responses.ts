import { badRequest } from '../http/http-error.js'
import { chatError } from './chat-writer.js'
import type { Dialect } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { readInput, readTextFormat } from './responses-request.js'
import { readResponsesToolChoice, readResponsesTools } from './responses-tools.js'
import { createResponsesWriter } from './responses-writer.js'
import { otherFields, readSettings } from './settings.js'
import { createWarnings } from './warnings.js'

/**
 * Fields that are read here, or that a chat server does not know. All others are sent to the server
 * unchanged.
 */
const knownFields = new Set([
  ...[
    'model',
    'input',
    'instructions',
    'stream',
    'stream_options',
    'tools',
    'tool_choice',
    'parallel_tool_calls',
  ],
  ...[
    'max_output_tokens',
    'temperature',
    'top_p',
    'presence_penalty',
    'frequency_penalty',
    'seed',
    'text',
    'metadata',
  ],
  ...[
    'store',
    'previous_response_id',
    'conversation',
    'prompt',
    'background',
    'include',
    'truncation',
    'reasoning',
  ],
  ...[
    'max_tool_calls',
    'context_management',
    'prompt_cache_key',
    'prompt_cache_retention',
    'prompt_cache_options',
  ],
  ...['safety_identifier', 'moderation', 'service_tier', 'top_logprobs'],
])

/** Fields that need a server with storage, and what to send instead. */
const stateFields: Readonly<Record<string, string>> = {
  previous_response_id: 'send the earlier items in input.',
  conversation: 'send the earlier items in input.',
  prompt: 'send its text in instructions or input.',
}

/** `POST /v1/responses`. Nothing is stored, whatever `store` says. */
export const responsesDialect: Dialect = {
  read(body, options = {}) {
    const fields = fieldsOf(body)
    const model = fields.need('model', fields.string('model'))
    refuseState(fields)
    const warnings = createWarnings()
    const { input } = fields.value
    const toolMap = readResponsesTools(fields, { input }, options, warnings)
    const toolParams = readResponsesToolChoice(fields, toolMap, warnings)
    const responseFormat = readTextFormat(fields)
    const effort = fields.object('reasoning')?.string('effort')
    const metadata = fields.object('metadata')?.value ?? {}
    const isOne = fields.boolean('parallel_tool_calls') === false
    const { value } = fields
    return {
      model,
      isStream: fields.boolean('stream') ?? false,
      params: {
        prompt: readInput(fields, toolMap, warnings),
        ...readSettings(fields, { maxTokens: ['max_output_tokens'] }),
        ...toolParams,
        ...(responseFormat ? { responseFormat } : {}),
      },
      extra: {
        ...otherFields(fields, knownFields),
        ...(effort === undefined ? {} : { reasoning_effort: effort }),
      },
      warnings: warnings.texts(),
      writer: createResponsesWriter({
        isOne,
        toolMap,
        echo: {
          background: false,
          instructions: value.instructions ?? null,
          max_output_tokens: value.max_output_tokens ?? null,
          metadata,
          model,
          parallel_tool_calls: !isOne,
          previous_response_id: null,
          reasoning: { effort: effort ?? null, summary: null },
          store: false,
          temperature: value.temperature ?? null,
          text: { format: { type: 'text' }, ...fields.object('text')?.value },
          tool_choice: value.tool_choice ?? 'auto',
          tools: value.tools ?? [],
          top_p: value.top_p ?? null,
          truncation: 'disabled',
        },
      }),
    }
  },
  error: chatError,
}

function refuseState(fields: Fields): void {
  for (const [key, advice] of Object.entries(stateFields)) {
    const value = fields.value[key]
    if (value !== undefined && value !== null)
      throw badRequest(key, `cannot be used: the proxy stores nothing between requests; ${advice}`)
  }
  if (fields.boolean('background'))
    throw badRequest('background', 'must be false: the proxy stores nothing for later.')
}
