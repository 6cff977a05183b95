import type { ModelRule } from '../config.js'
import { withoutUndefined } from '../dialects/settings.js'
import { isRecord } from '../is-record.js'
import { orderMessages } from './order-messages.js'
import { placeCarriedFields } from './place-carried-fields.js'

/**
 * The field that carries the client's own fields through the provider, so that it does not interpret
 * them: `{ fields, messages }`.
 */
export const CLIENT_FIELDS = 'toolglot:client'

/** Fields that only the services of OpenAI and Anthropic know. Strict servers refuse them. */
const vendorFields: readonly string[] = [
  ...['client_metadata', 'metadata', 'store', 'service_tier', 'safety_identifier', 'moderation'],
  ...['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'cache_control'],
  ...['prediction', 'verbosity', 'web_search_options', 'context_management', 'betas'],
]

type Body = Readonly<Record<string, unknown>>

/**
 * Turns the provider's body into the one that the server gets: messages in order, without the
 * fields that only a vendor knows, and with what the model's rule sets and strips.
 */
export function serverBody(body: Body, { strip = [], set = {}, messages: mode }: ModelRule): Body {
  const { [CLIENT_FIELDS]: carried, ...own } = body
  const client = isRecord(carried) ? carried : {}
  const fields = { ...(isRecord(client.fields) ? client.fields : {}), ...withoutUndefined(own) }
  const messages = client.messages ?? placeCarriedFields(own.messages)
  const isVerbatim = mode === 'verbatim'
  const removed = new Set(isVerbatim ? strip : [...vendorFields, ...strip])
  const kept = Object.entries(fields).filter(([key]) => !removed.has(key))
  return {
    ...Object.fromEntries(kept),
    messages: isVerbatim ? messages : orderMessages(messages),
    ...set,
  }
}
