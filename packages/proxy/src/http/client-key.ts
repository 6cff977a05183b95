import { HttpError } from './http-error.js'

/**
 * Throws unless the client sent one of the keys. OpenAI's clients send `Authorization: Bearer …`,
 * Anthropic's `x-api-key: …`.
 */
export async function checkClientKey(headers: Headers, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const given = givenKey(headers)
  const refuse = (message: string) => new HttpError(401, message, { code: 'invalid_api_key' })
  if (!given) throw refuse('An API key is required: send it as "Authorization: Bearer …".')
  const digest = await digestOf(given)
  const digests = await Promise.all(keys.map(digestOf))
  // Every key is compared to its end, so that the time does not show how much of a key is right.
  const isKnown = digests.map(each => isEqual(each, digest)).includes(true)
  if (!isKnown) throw refuse('This API key is not valid.')
}

/** Returns the key that a client sent. */
export function givenKey(headers: Headers): string | undefined {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? undefined
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
