import { HttpError } from './http-error.js'

/**
 * Reads the body of a request as text. Throws as soon as it is too long, or when the signal aborts
 * because it takes too long.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const tooLong = () =>
    new HttpError(413, `The body is longer than ${maxBytes} bytes.`, { code: 'body_too_large' })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLong()
  if (!request.body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of chunksOf(request.body, signal)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Yields the chunks of a stream. A caller that stops early cancels the stream. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  // A cancelled read returns `done`, like one at the end.
  const cancel = () => reader.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    await reader.cancel().catch(() => {})
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON'
    throw new HttpError(400, `The body is not JSON: ${reason}`, { code: 'invalid_json' })
  }
}
