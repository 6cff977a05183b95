import { isRecord } from '../../src/is-record.js'

// Servers that refuse what most others accept, as their templates and schemas do.

/** Returns why a server refuses a body; undefined if it accepts it. */
export type Refuse = (body: Readonly<Record<string, unknown>>) => string | undefined

function messagesOf(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  return Array.isArray(body.messages) ? body.messages.filter(isRecord) : []
}

/** The chat template of Qwen 3.5. */
export const refuseAsQwen: Refuse = body => {
  const messages = messagesOf(body)
  const isLate = messages.some(({ role }, i) => role === 'system' && i > 0)
  if (isLate) return 'System message must be at the beginning.'
  if (!messages.some(({ role }) => role === 'user')) return 'No user query found in messages.'
  const known = ['system', 'user', 'assistant', 'tool']
  const strange = messages.find(({ role }) => !known.includes(String(role)))
  return strange && 'Unexpected message role.'
}

/** The chat template of Mistral. */
export const refuseAsMistral: Refuse = body => {
  const [first, ...rest] = messagesOf(body)
  const turns = first?.role === 'system' ? rest : first ? [first, ...rest] : []
  const isWrong = turns.some(({ role }, i) => role !== (i % 2 === 0 ? 'user' : 'assistant'))
  const alternate =
    'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'
  return isWrong || turns.length === 0 ? alternate : undefined
}

const knownFields = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'max_tokens', 'temperature', 'top_p', 'n'],
  ...['stop', 'seed', 'response_format', 'logprobs', 'top_logprobs', 'user', 'reasoning_effort'],
  ...['presence_penalty', 'frequency_penalty', 'skip_special_tokens', 'top_k', 'min_p'],
  ...['chat_template_kwargs'],
])

/** A server whose schema of a request forbids additional fields. */
export const refuseUnknownFields: Refuse = body => {
  const unknown = Object.keys(body).find(key => !knownFields.has(key))
  return unknown && `${unknown}: Extra inputs are not permitted`
}

/** Refuses what any of them refuses. */
export const refuseAsAll: Refuse = body =>
  refuseAsQwen(body) ?? refuseAsMistral(body) ?? refuseUnknownFields(body)
