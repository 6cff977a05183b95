import { asRecord } from '../is-record.js'
import type { ToolCall } from './parts.js'

/**
 * Where the middleware keeps what it needs from the request to the response, and from there to the
 * next request.
 */
export const OPTIONS_KEY = 'toolCallMiddleware'

/** What stands under our key among the options of a provider, or its metadata. */
export const requestState = (options: unknown) => asRecord(asRecord(options)[OPTIONS_KEY])

/**
 * What a call that cannot be read carries as its metadata: as it was written, and what is wrong
 * with it. The SDK hands it back with the conversation, where it has put an empty input in place of
 * the text; so the model can be shown what it wrote, and why that was no call.
 */
export const unreadMetadata = (raw: string, problem: string) => ({
  [OPTIONS_KEY]: { raw, problem },
})

/** What `asUnread` made, as it came back; unless someone has put the call right since. */
export function readUnreadMetadata(call: ToolCall & { readonly providerOptions?: unknown }) {
  const { raw, problem } = requestState(call.providerOptions)
  const isEmpty = typeof call.input === 'string' || Object.keys(asRecord(call.input)).length === 0
  return isEmpty && typeof raw === 'string' && typeof problem === 'string'
    ? { raw, problem }
    : undefined
}
