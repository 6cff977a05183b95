import type { Limits } from '../config.js'
import { isRecord } from '../is-record.js'
import type { ArrivingBody } from './arriving-bodies.js'
import { type Bytes, concatBytes } from './bytes.js'
import type { Deadline } from './deadline.js'
import { badRequest, HttpError } from './http-error.js'
import { isTooDeep, MAX_JSON_DEPTH } from './json-depth.js'

/** The body of a request, read piece by piece within its limits. */
export interface BodyReader {
  /**
   * Returns the next bytes; undefined at the end. Throws when the body is too long, or has taken
   * too long to arrive. Time in which nobody reads does not count.
   */
  read(): Promise<Bytes | undefined>
  /** Notes that all bytes so far have been sent on, and are in memory no longer. */
  forget(): void
  /** Stops reading. */
  cancel(reason?: unknown): Promise<void>
}

export interface BodyOptions {
  readonly limits: Limits
  readonly deadline: Deadline
  /** Counts what is in memory. */
  readonly arriving: ArrivingBody
  /** Called with the size of each piece. */
  readonly onBytes: (count: number) => void
}

const ended = { done: true, value: undefined } as const

export function createBodyReader(request: Request, options: BodyOptions): BodyReader {
  const { limits, deadline, arriving, onBytes } = options
  const { bodyBytes: maxBytes, bodyMs } = limits
  const { signal } = deadline
  const late = () =>
    new HttpError(408, `The body took longer than ${bodyMs} ms to arrive.`, {
      code: 'body_timeout',
      headers: { connection: 'close' },
    })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLong(maxBytes)
  const reader = request.body?.getReader()
  // A cancelled read returns `done`, like one at the end.
  const cancel = () => void reader?.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', cancel)
  const stop = async (reason?: unknown) => {
    arriving.close()
    signal.removeEventListener('abort', cancel)
    await reader?.cancel(reason).catch(() => {})
  }
  const cutOff = (cause: unknown) => {
    signal.throwIfAborted()
    throw new HttpError(400, 'The body was cut off.', { code: 'body_cut_off', cause })
  }
  const readNext = async () => (reader ? reader.read().catch(cutOff) : ended)
  let bytes = 0
  let leftMs = bodyMs
  return {
    async read() {
      signal.throwIfAborted()
      const beganAt = performance.now()
      // Not `deadline.within`: the server's answer may be waited for at the same time.
      const timer = setTimeout(() => deadline.abort(late()), leftMs)
      const { done, value } = await readNext().finally(() => clearTimeout(timer))
      leftMs = Math.max(0, leftMs - (performance.now() - beganAt))
      signal.throwIfAborted()
      if (done) {
        await stop()
        return undefined
      }
      bytes += value.length
      onBytes(value.length)
      arriving.hold(value.length)
      if (bytes <= maxBytes) return value
      await stop()
      throw tooLong(maxBytes)
    },
    forget: arriving.forget,
    cancel: stop,
  }
}

export function tooLong(maxBytes: number): HttpError {
  const message = `The body is longer than ${maxBytes} bytes.`
  return new HttpError(413, message, { code: 'body_too_large' })
}

/** Reads a body to its end. `start`: what was read before. */
export async function readWhole(body: BodyReader, start?: Bytes): Promise<Bytes> {
  const pieces = start ? [start] : []
  for (let next = await body.read(); next; next = await body.read()) pieces.push(next)
  return concatBytes(pieces)
}

/** A body as text, and as the value of its JSON. */
export interface JsonBody {
  readonly text: string
  readonly value: unknown
}

/** The APIs have some dozens. The fields are copied many times, which takes long for a million. */
const MAX_FIELDS = 1000

/** Throws if a request to one of the APIs has too many fields. */
export function checkFieldCount(body: unknown): void {
  if (!isRecord(body) || Object.keys(body).length <= MAX_FIELDS) return
  throw badRequest('body', `has more than ${MAX_FIELDS} fields.`)
}

/** The code of the error for JSON that is nested too deep. */
export const JSON_TOO_DEEP = 'json_too_deep'

/** Parses a body. Throws an `HttpError` if it is not JSON, or nested too deep. */
export function parseJson(bytes: Uint8Array): JsonBody {
  if (isTooDeep(bytes))
    throw new HttpError(400, `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`, {
      code: JSON_TOO_DEEP,
    })
  const text = new TextDecoder().decode(bytes)
  try {
    return { text, value: JSON.parse(text) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unreadable'
    throw new HttpError(400, `The body is not JSON: ${reason}`, { code: 'invalid_json' })
  }
}
