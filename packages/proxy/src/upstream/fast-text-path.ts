import {
  type BodyReader,
  bytesOfPiece,
  type Piece,
  type Read,
  readerOf,
  readPiece,
} from '../http/direct-body.js'
import type { Model, PartReader, PartResult, PartStream, StreamPart } from '../model-types.js'
import { type LimitedBodyOptions, limitedBody } from './limited-body.js'
import {
  createPlainEventReader,
  type Deltas,
  type ReadPlainEvent,
  type TextKind,
} from './plain-event.js'

const decoder = new TextDecoder()

/** The ids that the provider itself gives to text and reasoning. */
const ids = { text: 'txt-0', reasoning: 'reasoning-0' } as const

/** The types of parts. A type that is put together for each token is slow to compare. */
const partTypes = {
  text: { start: 'text-start', delta: 'text-delta', end: 'text-end' },
  reasoning: { start: 'reasoning-start', delta: 'reasoning-delta', end: 'reasoning-end' },
} as const

/**
 * The longest event that is read here. A longer one is left to the provider, because here it would
 * be searched for its end again with every piece that arrives.
 */
const MAX_EVENT_BYTES = 16_384

/**
 * A faster reader for plain text, which is most of a stream. The provider takes each token through
 * four streams and a schema, which costs more than everything else the proxy does. The fast path
 * reads events that contain only text. From the first event that contains anything else (a call,
 * the end, an error, broken JSON) the provider reads the answer. So everything that can go wrong
 * has one reader.
 */
export interface FastTextPath {
  /** The `fetch` that the provider must use. */
  readonly fetch: typeof fetch
  /** Returns the provider's model with the fast path. */
  speedUp(model: Model): Model
}

/** A stream that was asked for. */
interface Question {
  /** Puts the plain text before the provider's parts. Is set once the answer has begun. */
  join?: (stream: PartStream) => PartStream
}

/**
 * Creates a fast path. An answer that is not a stream, or one event of a stream, may have at most
 * `maxBytes`.
 */
export function createFastTextPath(fetchUpstream: typeof fetch, maxBytes: number): FastTextPath {
  /** Questions by their signal, which the provider passes on to `fetch`. */
  const questions = new WeakMap<AbortSignal, Question>()
  return {
    async fetch(input, init) {
      const response = await fetchUpstream(input, init)
      const { ok, status, statusText, headers } = response
      const body = readerOf(response)
      if (!body) return response
      const isEvents = headers.get('content-type')?.includes('text/event-stream') ?? false
      const question = init?.signal ? questions.get(init.signal) : undefined
      const answer = splitAnswer(body, { maxBytes, isEvents })
      if (question && ok && isEvents) question.join = answer.join
      else answer.handOver()
      return new Response(answer.rest, { status, statusText, headers })
    },
    speedUp: model => ({
      specificationVersion: model.specificationVersion,
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: params => model.doGenerate(params),
      async doStream(params) {
        // The fast path leaves out the chunks themselves.
        if (params.includeRawChunks) return model.doStream(params)
        const question: Question = {}
        if (params.abortSignal) questions.set(params.abortSignal, question)
        const result = await model.doStream(params)
        return question.join ? { ...result, stream: question.join(result.stream) } : result
      },
    }),
  }
}

/** The beginning of a server's answer, as long as it is plain text. */
interface PlainText {
  readonly source: BodyReader<Piece>
  readonly readEvent: ReadPlainEvent
  /** Bytes that were read but not used: an incomplete event, or the first event for the provider. */
  held: Uint8Array | undefined
  /** False once an event, or the end of the stream, is left to the provider. */
  isPlain: boolean
  /** The kind of text whose `start` part was put last. */
  openKind: TextKind | undefined
}

/**
 * Splits an answer between the fast path and the provider:
 *
 * - `rest` is the body that the provider reads. It stays empty until the answer is handed over.
 * - `join` returns a stream of the plain text followed by the provider's parts.
 * - `handOver` leaves the whole answer to the provider.
 */
function splitAnswer(source: BodyReader<Piece>, limit: LimitedBodyOptions) {
  const text: PlainText = {
    source,
    readEvent: createPlainEventReader(),
    held: undefined,
    isPlain: true,
    openKind: undefined,
  }
  let handOver = () => {}
  const isHandedOver = new Promise<void>(resolve => {
    handOver = resolve
  })
  const readRest = async (): Promise<Uint8Array | undefined> => {
    await isHandedOver
    const { held } = text
    text.held = undefined
    if (held) return held
    const piece = await readPiece(source)
    return piece === undefined ? undefined : bytesOfPiece(piece)
  }
  return {
    rest: limitedBody(source, readRest, limit),
    join: (stream: PartStream) => joinStreams(text, stream.getReader(), handOver),
    handOver,
  }
}

/** A read of a part that waits. */
interface WaitingRead {
  resolve(result: PartResult | Promise<PartResult>): void
  reject(error: unknown): void
}

/**
 * Returns the plain text followed by the provider's parts. It is not a `ReadableStream`, which would
 * cost more for each token than reading its event does.
 */
function joinStreams(text: PlainText, provider: PartReader, handOver: () => void): PartStream {
  /** Parts that are not read yet. */
  const ready: StreamPart[] = [{ type: 'stream-start', warnings: [] }]
  /** The read that waits for text. */
  let waiting: WaitingRead | undefined
  const readyPart = (): PartResult | undefined => {
    const value = ready.shift()
    return value && { done: false, value }
  }
  const readProvider = async (): Promise<PartResult> => {
    handOver()
    closeText(text, ready)
    if (ready.length === 0) await putProviderPart(provider, ready)
    return readyPart() ?? { done: true }
  }
  // Functions that are made once and one promise: more of them would cost more than the token.
  const textRead: Read<Piece> = {
    take(piece) {
      if (piece === undefined) text.isPlain = false
      else readEvents(text, bytesOfPiece(piece), ready)
      const part = readyPart()
      if (part) waiting?.resolve(part)
      // Half an event, or a comment: the text is in what follows.
      else if (text.isPlain) text.source.read(textRead)
      else waiting?.resolve(readProvider())
    },
    fail: error => waiting?.reject(error),
  }
  const reader: PartReader = {
    read() {
      const part = readyPart()
      if (part) return Promise.resolve(part)
      if (!text.isPlain) return readProvider()
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        text.source.read(textRead)
      })
    },
    async cancel(reason) {
      handOver()
      text.source.cancel(reason)
      await provider.cancel(reason)
    },
  }
  return { getReader: () => reader }
}

/** Puts the next part of the provider, if there is one. */
async function putProviderPart(provider: PartReader, parts: StreamPart[]): Promise<void> {
  let { done, value } = await provider.read()
  // The fast path has put its own.
  while (value?.type === 'stream-start') ({ done, value } = await provider.read())
  if (!done && value) parts.push(value)
}

/** Puts the text of all complete events, up to one that is not plain. */
function readEvents(text: PlainText, added: Uint8Array, parts: StreamPart[]): void {
  const bytes = text.held ? joinBytes(text.held, added) : added
  let start = 0
  for (let end = endOfEvent(bytes, start); end > 0; end = endOfEvent(bytes, start)) {
    const deltas = text.readEvent(decoder.decode(bytes.subarray(start, end)))
    if (!deltas) {
      text.isPlain = false
      break
    }
    putDelta(text, 'reasoning', deltas, parts)
    putDelta(text, 'text', deltas, parts)
    start = end
  }
  text.held = start < bytes.length ? bytes.subarray(start) : undefined
  if (text.held && text.held.length > MAX_EVENT_BYTES) text.isPlain = false
}

function putDelta(text: PlainText, kind: TextKind, deltas: Deltas, parts: StreamPart[]): void {
  const delta = deltas[kind]
  if (!delta) return
  if (text.openKind !== kind) {
    closeText(text, parts)
    parts.push({ type: partTypes[kind].start, id: ids[kind] })
    text.openKind = kind
  }
  parts.push({ type: partTypes[kind].delta, id: ids[kind], delta })
}

function closeText(text: PlainText, parts: StreamPart[]): void {
  const { openKind } = text
  if (!openKind) return
  parts.push({ type: partTypes[openKind].end, id: ids[openKind] })
  text.openKind = undefined
}

const LINE_END = 10
const RETURN = 13

/** Returns the offset after the event's empty line; -1 if that line has not arrived yet. */
function endOfEvent(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(LINE_END, start); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) {
    const next = bytes[at + 1] === RETURN ? at + 2 : at + 1
    if (bytes[next] === LINE_END) return next + 1
  }
  return -1
}

function joinBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length)
  bytes.set(left)
  bytes.set(right, left.length)
  return bytes
}
