import { isRecord } from '../is-record.js'
import type { Model, StreamPart } from '../model-types.js'
import { type LimitedBodyOptions, limitedBody } from './limited-body.js'

type Kind = 'text' | 'reasoning'
type Source = ReadableStreamDefaultReader<Uint8Array>

/** The ids under which the provider itself sends text and thoughts. */
const ids = { text: 'txt-0', reasoning: 'reasoning-0' } as const

/**
 * An event that is not over after so many bytes is left to the provider: here it would be looked at
 * again and again.
 */
const MAX_EVENT_BYTES = 16_384

/**
 * A short way for what most of a stream is made of. The provider takes each token through four
 * streams and a schema of all that may come, which costs more than everything else the proxy does.
 * Here an event that brings nothing but text is read at once; from the first one that brings
 * anything else (a call, the end, an error, something broken) the provider reads the answer. So
 * there is still one reader for all that can go wrong.
 */
export interface FastTextPath {
  /** What the provider has to fetch with. */
  readonly fetch: typeof fetch
  /** The provider's model, with the short way. */
  speedUp(model: Model): Model
}

interface Question {
  /** Is there once the answer has begun. */
  join?: (stream: ReadableStream<StreamPart>) => ReadableStream<StreamPart>
}

/**
 * The answers of a server as the provider reads them: not more than `maxBytes` at once, as a whole
 * or as an event.
 */
export function createFastTextPath(fetchUpstream: typeof fetch, maxBytes: number): FastTextPath {
  /** Streams that are asked for, by their signal: it goes through the provider as it is. */
  const asked = new WeakMap<AbortSignal, Question>()
  return {
    async fetch(input, init) {
      const response = await fetchUpstream(input, init)
      const { ok, status, statusText, headers, body } = response
      if (!body) return response
      const isEvents = headers.get('content-type')?.includes('text/event-stream') ?? false
      const question = init?.signal ? asked.get(init.signal) : undefined
      const answer = splitAnswer(body.getReader(), { maxBytes, isEvents })
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
        const question: Question = {}
        if (params.abortSignal) asked.set(params.abortSignal, question)
        const result = await model.doStream(params)
        return question.join ? { ...result, stream: question.join(result.stream) } : result
      },
    }),
  }
}

/**
 * `rest` is what the provider reads, once it is handed over; `join` puts the plain text before that
 * in front of its parts.
 */
function splitAnswer(source: Source, limit: LimitedBodyOptions) {
  const decoder = new TextDecoder()
  /**
   * Bytes that were read and not understood yet: an event that is not over, or what the provider
   * begins with.
   */
  let held: Uint8Array | undefined
  let isPlain = true
  let handOver = () => {}
  const isHandedOver = new Promise<void>(resolve => {
    handOver = resolve
  })
  /** What is open towards the reader. */
  let kind: Kind | undefined
  let frame: Frame | undefined

  const readRest = async () => {
    await isHandedOver
    if (!held) return source.read()
    const value = held
    held = undefined
    return { done: false as const, value }
  }
  const rest = limitedBody(source, readRest, limit)

  /** Reads the events that are whole, up to one that is not plain. */
  const readEvents = (bytes: Uint8Array, put: (part: StreamPart) => void) => {
    let start = 0
    for (let end = endOfEvent(bytes, start); end > 0; end = endOfEvent(bytes, start)) {
      const event = decoder.decode(bytes.subarray(start, end))
      let deltas = frame && framedDelta(event, frame)
      if (!deltas) {
        deltas = plainDeltas(event)
        frame = deltas && frameOf(event, deltas)
      }
      if (!deltas) {
        isPlain = false
        break
      }
      for (const next of ['reasoning', 'text'] as const) {
        const delta = deltas[next]
        if (!delta) continue
        if (kind !== next) {
          if (kind) put({ type: `${kind}-end`, id: ids[kind] })
          put({ type: `${next}-start`, id: ids[next] })
          kind = next
        }
        put({ type: `${next}-delta`, id: ids[next], delta })
      }
      start = end
    }
    held = start < bytes.length ? bytes.subarray(start) : undefined
    if (held && held.length > MAX_EVENT_BYTES) isPlain = false
  }

  const join = (stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> => {
    const provider = stream.getReader()
    let hasPut = false
    return new ReadableStream<StreamPart>(
      {
        start: controller => controller.enqueue({ type: 'stream-start', warnings: [] }),
        async pull(controller) {
          hasPut = false
          const put = (part: StreamPart) => {
            hasPut = true
            controller.enqueue(part)
          }
          while (isPlain && !hasPut) {
            const { done, value } = await source.read()
            if (done) isPlain = false
            else readEvents(held ? joined(held, value) : value, put)
          }
          if (isPlain || hasPut) return
          handOver()
          if (kind) put({ type: `${kind}-end`, id: ids[kind] })
          kind = undefined
          while (!hasPut) {
            const { done, value } = await provider.read()
            if (done) return controller.close()
            if (value.type !== 'stream-start') put(value)
          }
        },
        async cancel(reason) {
          handOver()
          await Promise.all([source.cancel(reason), provider.cancel(reason)])
        },
      },
      { highWaterMark: 0 },
    )
  }
  return { rest, join, handOver: () => handOver() }
}

const LINE_END = 10
const RETURN = 13

/**
 * Where the event behind an offset ends, with the empty line that ends it; -1 if that has not come
 * yet.
 */
function endOfEvent(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(LINE_END, start); at >= 0; at = bytes.indexOf(LINE_END, at + 1)) {
    const next = bytes[at + 1] === RETURN ? at + 2 : at + 1
    if (bytes[next] === LINE_END) return next + 1
  }
  return -1
}

type Deltas = { readonly [Each in Kind]?: string | undefined }

/** The text of an event that brings text and nothing else. */
function plainDeltas(event: string): Deltas | undefined {
  const data = /^data: ?(\{[^\r\n]*\})\r?\n\r?\n$/.exec(event)?.[1]
  // A comment keeps the connection alive.
  if (data === undefined) return /^:[^\r\n]*\r?\n\r?\n$/.test(event) ? {} : undefined
  const chunk = parse(data)
  if (!isRecord(chunk)) return undefined
  const { choices, usage, error } = chunk
  if (usage != null || error != null || !Array.isArray(choices) || choices.length !== 1)
    return undefined
  const [choice] = choices
  if (!isRecord(choice) || choice.finish_reason != null || !isRecord(choice.delta)) return undefined
  const { content, reasoning_content, reasoning, tool_calls, role } = choice.delta
  if (tool_calls != null && !(Array.isArray(tool_calls) && tool_calls.length === 0))
    return undefined
  if (role != null && role !== 'assistant' && role !== '') return undefined
  const thought = reasoning_content ?? reasoning
  if (!isText(content) || !isText(thought)) return undefined
  return { text: content ?? undefined, reasoning: thought ?? undefined }
}

/**
 * What stands around the text of an event. Most events of an answer differ in nothing else: if one
 * has the same frame, and what it holds is the inside of a JSON string, then that is its text and
 * the rest need not be read again.
 */
interface Frame {
  readonly kind: Kind
  readonly head: string
  readonly tail: string
}

const textKeys = {
  text: ['"content":'],
  reasoning: ['"reasoning_content":', '"reasoning":'],
} as const

function frameOf(event: string, { text, reasoning }: Deltas): Frame | undefined {
  const [kind, delta] = reasoning ? (['reasoning', reasoning] as const) : (['text', text] as const)
  if (!delta || (text && reasoning)) return undefined
  for (const key of textKeys[kind]) {
    const at = event.indexOf(key)
    if (at < 0 || event.includes(key, at + 1)) continue
    const [, space = '', inside = ''] =
      /^( ?")((?:[^"\\]|\\.)*)"/.exec(event.slice(at + key.length)) ?? []
    const start = at + key.length + space.length
    if (unquoted(inside) === delta) {
      return { kind, head: event.slice(0, start), tail: event.slice(start + inside.length) }
    }
  }
  return undefined
}

function framedDelta(event: string, { kind, head, tail }: Frame): Deltas | undefined {
  if (event.length < head.length + tail.length || !event.startsWith(head) || !event.endsWith(tail))
    return undefined
  const delta = unquoted(event.slice(head.length, event.length - tail.length))
  return delta === undefined ? undefined : { [kind]: delta }
}

/** What the inside of a JSON string says; undefined if it is none, or more than one. */
function unquoted(inside: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a string may not hold as they are.
  if (!/["\\\u0000-\u001f]/.test(inside)) return inside
  const value = parse(`"${inside}"`)
  return typeof value === 'string' ? value : undefined
}

function isText(value: unknown): value is string | null | undefined {
  return value == null || typeof value === 'string'
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(left.length + right.length)
  bytes.set(left)
  bytes.set(right, left.length)
  return bytes
}
