import { badRequest } from '../http/http-error.js'
import { recall } from '../store/recall.js'
import { asksReasoning } from './asks-reasoning.js'
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

/** `POST /v1/responses` */
export const responsesDialect: Dialect = {
  recall,
  read(body, options = {}) {
    const { recalled } = options
    const fields = fieldsOf(body)
    const model = fields.need('model', fields.string('model'))
    refuseState(fields, recalled !== undefined)
    // OpenAI's default is to store.
    const keep = fields.boolean('store') === false ? undefined : recalled?.keep
    const warnings = createWarnings()
    const itemLists = {
      previous_response_id: recalled?.earlier,
      input: recalled ? recalled.input : fields.value.input,
    }
    const toolMap = readResponsesTools(fields, itemLists, options, warnings)
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
        prompt: readInput(fields, toolMap, warnings, recalled),
        ...readSettings(fields, { maxTokens: ['max_output_tokens'] }),
        ...toolParams,
        ...(responseFormat ? { responseFormat } : {}),
      },
      extra: {
        ...otherFields(fields, knownFields),
        ...(effort === undefined ? {} : { reasoning_effort: effort }),
      },
      asksReasoning: asksReasoning(value),
      warnings: warnings.texts(),
      writer: createResponsesWriter({
        isOne,
        toolMap,
        keep,
        echo: {
          background: false,
          instructions: value.instructions ?? null,
          max_output_tokens: value.max_output_tokens ?? null,
          metadata,
          model,
          parallel_tool_calls: !isOne,
          previous_response_id: value.previous_response_id ?? null,
          reasoning: { effort: effort ?? null, summary: null },
          store: keep !== undefined,
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

/** Refuses fields for which the proxy stores nothing, and says what to send instead. */
function refuseState(fields: Fields, hasStore: boolean): void {
  const refuse = (key: string, reason: string) => {
    if (fields.value[key] !== undefined && fields.value[key] !== null)
      throw badRequest(key, `cannot be used: ${reason}`)
  }
  const nothing = 'the proxy stores nothing between requests; send the earlier items in input.'
  const noConversation =
    'the proxy stores no conversations; send previous_response_id, or the earlier items in input.'
  if (!hasStore) refuse('previous_response_id', nothing)
  refuse('conversation', hasStore ? noConversation : nothing)
  refuse('prompt', 'the proxy stores no prompts; send its text in instructions or input.')
  if (fields.boolean('background'))
    throw badRequest('background', 'must be false: the proxy answers at once or as a stream.')
}
