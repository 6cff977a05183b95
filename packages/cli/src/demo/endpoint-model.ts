import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError } from 'ai'
import type { EndpointOptions } from './demo-options.js'
import type { LanguageModelV3 } from './sdk-types.js'

export function createEndpointModel(
  { baseUrl, modelName }: EndpointOptions,
  env: Readonly<Record<string, string | undefined>>,
): LanguageModelV3 {
  // An empty variable counts as not set.
  const apiKey = env.TOOLGLOT_API_KEY || env.OPENAI_API_KEY
  return createOpenAICompatible({
    name: 'endpoint',
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
  })(modelName)
}

/** Describes in one line what went wrong with a request. */
export function describeEndpointError(error: unknown, baseUrl: string): string {
  const status = APICallError.isInstance(error) ? (error.statusCode ?? 0) : undefined
  if (status !== undefined && status >= 400)
    return toLine(`${baseUrl} answered with HTTP ${status}: ${ownMessage(error)}`)
  const what =
    status === 0 ? 'cannot be reached' : 'sent an answer that is cut off or cannot be read'
  return toLine(`${baseUrl} ${what}: ${innerMessage(error)}`)
}

/**
 * Finds the reason of a failed connection. Node puts it into `cause`, or into an `AggregateError`
 * without a message if it tried two addresses.
 */
function innerMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner instanceof Error ? innerMessage(inner) : ownMessage(error)
}

function ownMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

function toLine(text: string): string {
  return `The endpoint ${text}`.replace(/\s+/g, ' ').trim()
}
