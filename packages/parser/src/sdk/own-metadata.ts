import type { Repair } from '../engine/repairs.js'
import { asRecord } from '../is-record.js'
import type { ToolCall } from './parts.js'

/**
 * The key of our data in provider options and provider metadata. The middleware keeps there what the
 * response needs of the request, and what the next request needs of the response.
 */
export const OPTIONS_KEY = 'toolCallMiddleware'

/** The key of the provider metadata that applications read: `{ repairs: [{ code, path }] }`. */
export const PUBLIC_KEY = 'toolglot'

/** True for a provider in provider options whose data is ours, and is sent to no provider. */
export const isOwnKey = (provider: string) => provider === OPTIONS_KEY || provider === PUBLIC_KEY

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

/** How many repairs of a call its metadata lists: they go into each later request of the SDK. */
const MAX_LISTED_REPAIRS = 16

/** Writes the metadata of a repaired call, for applications that ask before it runs. */
export const repairsMetadata = (repairs: readonly Repair[]) => ({
  [PUBLIC_KEY]: {
    repairs: repairs
      .slice(0, MAX_LISTED_REPAIRS)
      .map(({ code, path }) => (path === undefined ? { code } : { code, path })),
  },
})

/** Reads back what `unreadMetadata` wrote. Ignored if the input was repaired since. */
export function readUnreadMetadata(call: ToolCall & { readonly providerOptions?: unknown }) {
  const { raw, problem } = requestState(call.providerOptions)
  const isEmpty = typeof call.input === 'string' || Object.keys(asRecord(call.input)).length === 0
  return isEmpty && typeof raw === 'string' && typeof problem === 'string'
    ? { raw, problem }
    : undefined
}
