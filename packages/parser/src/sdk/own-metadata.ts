import { asRecord } from '../is-record.js'
import type { ToolCall } from './parts.js'

/**
 * The key of our data in provider options and provider metadata. The middleware keeps there what the
 * response needs of the request, and what the next request needs of the response.
 */
export const OPTIONS_KEY = 'toolCallMiddleware'

/** Returns our data in provider options or provider metadata. */
export const requestState = (options: unknown) => asRecord(asRecord(options)[OPTIONS_KEY])

/**
 * Writes the metadata of a call that cannot be read: its raw text, and what is wrong with it. The SDK
 * replaces the input of such a call by an empty one, but hands the metadata back with the
 * conversation. So the next request can show the model what it wrote, and what was wrong.
 */
export const unreadMetadata = (raw: string, problem: string) => ({
  [OPTIONS_KEY]: { raw, problem },
})

/** Reads back what `unreadMetadata` wrote. Ignored if the input was repaired since. */
export function readUnreadMetadata(call: ToolCall & { readonly providerOptions?: unknown }) {
  const { raw, problem } = requestState(call.providerOptions)
  const isEmpty = typeof call.input === 'string' || Object.keys(asRecord(call.input)).length === 0
  return isEmpty && typeof raw === 'string' && typeof problem === 'string'
    ? { raw, problem }
    : undefined
}
