import { HttpError } from './http-error.js'

/**
 * Refuses a client without a key that is known. OpenAI's clients send it as a bearer, Anthropic's
 * in a header of its own.
 */
export async function checkClientKey(headers: Headers, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  const given = bearer ?? headers.get('x-api-key')
  const refuse = (message: string) => new HttpError(401, message, { code: 'invalid_api_key' })
  if (!given) throw refuse('An API key is needed: send it as "Authorization: Bearer …".')
  const digest = await digestOf(given)
  const digests = await Promise.all(keys.map(digestOf))
  // All are compared, and each to its end: how long this takes tells nothing.
  const isKnown = digests.map(each => isEqual(each, digest)).includes(true)
  if (!isKnown) throw refuse('This API key is not known.')
}

async function digestOf(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)))
}

function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length
  left.forEach((byte, i) => {
    difference |= byte ^ (right[i] ?? 0)
  })
  return difference === 0
}
