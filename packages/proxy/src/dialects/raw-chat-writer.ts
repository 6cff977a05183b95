import { isRecord } from '../is-record.js'
import type { StreamPart } from '../model-types.js'
import { chatError } from './chat-writer.js'
import { type AnswerWriter, event } from './dialect.js'

export interface RawChatWriterOptions {
  readonly model: string
  /** The stream ends with the usage. */
  readonly hasUsage: boolean
}

/**
 * Hands the chunks of the server on as they are, under the model id that the client knows. For
 * answers with several choices or with the probabilities of tokens.
 */
export function createRawChatWriter(options: RawChatWriterOptions): AnswerWriter {
  const named = (value: unknown) => (isRecord(value) ? { ...value, model: options.model } : value)
  return {
    whole: result => named(result.response?.body),
    part: part => (isWanted(part, options) ? event(named(part.rawValue)) : undefined),
    end: () => 'data: [DONE]\n\n',
    fail: error => event(chatError(error)),
  }
}

type RawPart = Extract<StreamPart, { type: 'raw' }>

/** False for an error, which `fail` writes, and for usage that the client did not ask for. */
function isWanted(part: StreamPart, { hasUsage }: RawChatWriterOptions): part is RawPart {
  if (part.type !== 'raw' || !isRecord(part.rawValue)) return false
  const { error, choices } = part.rawValue
  if (error != null) return false
  const isUsage = Array.isArray(choices) && choices.length === 0
  return hasUsage || !isUsage
}
