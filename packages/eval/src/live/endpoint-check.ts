import { describeConnection, type Fetch } from './retrying-fetch.js'

/**
 * Returns why the endpoint cannot be reached; undefined if it can. Any answer is accepted, because
 * many endpoints have no list of models or hide it.
 */
export async function findConnectionProblem(
  baseUrl: string,
  signal: AbortSignal,
  fetch: Fetch = globalThis.fetch,
): Promise<string | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
    })
    await response.body?.cancel()
    return undefined
  } catch (error) {
    if (signal.aborted) return undefined
    return `The endpoint ${baseUrl} cannot be reached: ${describeConnection(error)}`
  }
}
