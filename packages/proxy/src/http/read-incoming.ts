import {
  type ModelRule,
  type ProxyConfig,
  ruleFor,
  type UpstreamConfig,
  upstreamFor,
} from '../config.js'
import { isRecord } from '../is-record.js'
import type { ProxyState } from '../proxy-state.js'
import { type Bytes, concatBytes } from './bytes.js'
import { clip } from './clip.js'
import type { Deadline } from './deadline.js'
import { decodeBody, encodingOf } from './decode-body.js'
import { HttpError } from './http-error.js'
import { beginsJson, isJsonType, readStart } from './json-start.js'
import type { PassedBody } from './pass-through.js'
import {
  type BodyReader,
  checkFieldCount,
  createBodyReader,
  JSON_TOO_DEEP,
  type JsonBody,
  parseJson,
  readWhole,
  tooLong,
} from './read-body.js'
import type { TrackedRequest } from './track-request.js'

/** A request that was let in, with what its body says about where it goes. */
export interface Incoming {
  readonly request: Request
  /** The body as it came, to be passed through. */
  readonly sent: PassedBody
  /** The body's JSON. Undefined if it is not JSON; only requests to other paths may be so. */
  readonly body: unknown
  readonly rule: ModelRule
  readonly upstream: UpstreamConfig
}

/** A body as it came, and its JSON. */
interface ReadBody {
  readonly sent: PassedBody
  readonly json?: JsonBody | undefined
}

export interface IncomingOptions {
  /** The proxy answers the path itself, so the body must be JSON. */
  readonly isApi: boolean
  /**
   * Called when the body has been read to its end. That of a file is read while it is sent to the
   * server. May throw.
   */
  readonly onBodyEnd: () => void
}

/** Reads the body, and finds the rule and the server for the model that it names. */
export async function readIncoming(
  state: ProxyState,
  request: Request,
  tracked: TrackedRequest,
  options: IncomingOptions,
): Promise<Incoming> {
  const { config, known } = tracked
  const { sent, json } = await readBody(state, request, tracked, options)
  known.body = json?.text ?? ''
  const body = json?.value
  if (options.isApi) checkFieldCount(body)
  const model = isRecord(body) && typeof body.model === 'string' ? body.model : ''
  const rule = ruleFor(config, model)
  const upstream = upstreamFor(config, rule)
  Object.assign(known, { model: clip(model), upstream: upstream.name, mode: rule.mode })
  return { request, sent, body, rule, upstream }
}

async function readBody(
  { metrics, arrivingBodies }: ProxyState,
  request: Request,
  { config, deadline, atEnd }: TrackedRequest,
  { isApi, onBodyEnd }: IncomingOptions,
): Promise<ReadBody> {
  // `GET /v1/models`
  if (request.method === 'GET' || request.method === 'HEAD') {
    onBodyEnd()
    return { sent: undefined }
  }
  const { limits } = config
  const onBytes = (count: number) => metrics.bytes('in', count)
  const arriving = arrivingBodies.open(deadline.abort)
  // The request may end before its body does, and without reading on.
  atEnd(arriving.close)
  const reader = createBodyReader(request, { limits, deadline, arriving, onBytes })
  const isJson = isApi || isJsonType(request.headers)
  // Some servers read JSON whatever its type says, so the first bytes decide for other types.
  const start = isJson ? undefined : await readStart(reader)
  // `POST /v1/audio/transcriptions` with a file
  if (start && !beginsJson(start)) return { sent: streamBody(start, reader, deadline, onBodyEnd) }
  const sent = await readWhole(reader, start)
  onBodyEnd()
  // `POST /v1/responses/resp_1/cancel` without a body
  if (!isApi && sent.length === 0) return { sent: undefined }
  try {
    const bytes = await decodeWhole(sent, request.headers, limits.bodyBytes)
    return { sent, json: parseJson(bytes) }
  } catch (error) {
    if (isApi || isRefused(error, isJson, config)) throw error
    return { sent }
  }
}

/**
 * A body to another path that cannot be read as JSON is passed through, unless it may contain tools
 * that should be in the prompt. `isJson`: its type says that it is JSON.
 */
function isRefused(error: unknown, isJson: boolean, config: ProxyConfig): boolean {
  const isTooDeep = error instanceof HttpError && error.code === JSON_TOO_DEEP
  return (isJson || isTooDeep) && ruleFor(config, '').mode === 'prompt'
}

/** A body that is sent to the server while it arrives. */
function streamBody(
  start: Bytes,
  reader: BodyReader,
  deadline: Deadline,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  let isFirst = true
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (!isFirst) reader.forget()
          const bytes = isFirst ? start : await reader.read()
          isFirst = false
          if (bytes) return controller.enqueue(bytes)
          onEnd()
          controller.close()
        } catch (error) {
          // The server must not mistake what it has for the whole body.
          deadline.abort(error)
          controller.error(error)
        }
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** Decodes a body as its `content-encoding` says. */
async function decodeWhole(bytes: Bytes, headers: Headers, maxBytes: number): Promise<Bytes> {
  const encoding = encodingOf(headers)
  if (encoding === '') return bytes
  const source = new Response(bytes).body
  const decoded = source && decodeBody(source, encoding)
  const shown = JSON.stringify(clip(encoding))
  if (!decoded)
    throw new HttpError(415, `The body is encoded as ${shown}. Send it as it is, or as gzip.`, {
      code: 'unknown_encoding',
    })
  try {
    return await readDecoded(decoded, maxBytes)
  } catch (cause) {
    if (cause instanceof HttpError) throw cause
    const message = `The body is not encoded as ${shown}, which its content-encoding names.`
    throw new HttpError(400, message, { code: 'invalid_encoding', cause })
  }
}

/** Reads decoded bytes. A few bytes may decode to very many, so these have the limit of a body, too. */
async function readDecoded(decoded: ReadableStream<Uint8Array>, maxBytes: number): Promise<Bytes> {
  const reader = decoded.getReader()
  const pieces: Bytes[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > maxBytes) {
      reader.cancel().catch(() => {})
      throw tooLong(maxBytes)
    }
    pieces.push(new Uint8Array(next.value))
  }
  return concatBytes(pieces)
}
