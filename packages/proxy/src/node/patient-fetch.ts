import { Agent, fetch as undiciFetch } from 'undici'

/**
 * A fetch that waits as long as it is let. Node's own gives up when the headers, or the next bytes, have not come for five
 * minutes: a model on a small machine may think for longer, and how long it may is for the limits of the configuration to say.
 */
export function createPatientFetch(): typeof fetch {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return async (input, { method = 'GET', headers, body, signal = null, redirect = 'follow' } = {}) => {
    if (typeof body !== 'string' && body != null) throw new TypeError('Only a text can be sent.')
    const pairs: [string, string][] = []
    new Headers(headers).forEach((value, name) => {
      pairs.push([name, value])
    })
    const answer: unknown = await undiciFetch(input instanceof Request ? input.url : input, {
      ...{ method, headers: pairs, body: body ?? null, signal, redirect, dispatcher },
    })
    if (!isResponse(answer)) throw new TypeError('The answer is none.')
    return answer
  }
}

/** It is of the same kind, and only its type has another origin. */
function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'headers' in value && 'body' in value
}
