import type { Dialect } from '../../src/dialects/dialect.js'
import { HttpError } from '../../src/http/http-error.js'
import type { FinishReason, Generated, StreamPart, Usage } from '../../src/model-types.js'

export interface PlayedEvent {
  readonly event?: string
  readonly data: unknown
}

/**
 * The events that a dialect writes for a stream; with an error the stream breaks off behind the
 * parts.
 */
export function play(
  dialect: Dialect,
  body: unknown,
  parts: readonly StreamPart[],
  error?: HttpError,
): PlayedEvent[] {
  const { writer } = dialect.read(body)
  const texts = parts.map(part => writer.part(part))
  texts.push(error ? writer.fail(error) : writer.end())
  return readEvents(steady(texts.join('')))
}

export function playWhole(
  dialect: Dialect,
  body: unknown,
  content: Generated['content'],
  reason = 'stop',
): unknown {
  const { writer } = dialect.read(body)
  const whole = writer.whole({ content, finishReason: reasonOf(reason), usage, warnings: [] })
  return JSON.parse(steady(JSON.stringify(whole)))
}

/** The error that a body gets. */
export function refusal(
  dialect: Dialect,
  body: unknown,
): { status: number; param: string | undefined; body: unknown } {
  try {
    dialect.read(body)
  } catch (error) {
    if (error instanceof HttpError)
      return { status: error.status, param: error.param, body: dialect.error(error) }
    throw error
  }
  throw new Error('The body was accepted.')
}

export function readEvents(text: string): PlayedEvent[] {
  return text.split('\n\n').flatMap(block => {
    const event = /^event: (.*)$/m.exec(block)?.[1]
    const data = /^data: (.*)$/m.exec(block)?.[1]
    if (data === undefined) return []
    return [
      {
        ...(event === undefined ? {} : { event }),
        data: data === '[DONE]' ? data : JSON.parse(data),
      },
    ]
  })
}

/** Ids and times that change from run to run, as they come: `msg_1`, `msg_2`. */
function steady(text: string): string {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return text
    .replace(/\b(resp_|msg_|rs_|fc_|ctc_|chatcmpl-)[A-Za-z0-9]{24}\b/g, (id, prefix: string) => {
      const count = (counts.get(prefix) ?? 0) + (names.has(id) ? 0 : 1)
      counts.set(prefix, count)
      const name = names.get(id) ?? `${prefix}${count}`
      names.set(id, name)
      return name
    })
    .replace(/"(created|created_at)":\d+/g, '"$1":0')
}

export const usage: Usage = {
  inputTokens: { total: 10, noCache: 8, cacheRead: 2, cacheWrite: undefined },
  outputTokens: { total: 5, text: 4, reasoning: 1 },
}

function reasonOf(reason: string): FinishReason {
  const known: readonly FinishReason['unified'][] = [
    'stop',
    'length',
    'content-filter',
    'tool-calls',
    'error',
    'other',
  ]
  return { unified: known.find(each => each === reason) ?? 'other', raw: reason }
}

// Parts of a stream, short enough to read a whole one.
export const begin: StreamPart = { type: 'response-metadata', id: 'x' }
export const text = (delta: string): StreamPart => ({ type: 'text-delta', id: 't', delta })
export const reasoning = (delta: string): StreamPart => ({
  type: 'reasoning-delta',
  id: 'r',
  delta,
})
export const inputStart = (id: string, toolName: string): StreamPart => ({
  type: 'tool-input-start',
  id,
  toolName,
})
export const inputDelta = (id: string, delta: string): StreamPart => ({
  type: 'tool-input-delta',
  id,
  delta,
})
export const call = (
  toolCallId: string,
  toolName: string,
  input: string,
): StreamPart & Generated['content'][number] => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
})
/** A call as it comes in pieces. */
export const callInPieces = (
  id: string,
  toolName: string,
  pieces: readonly string[],
): StreamPart[] => [
  inputStart(id, toolName),
  ...pieces.map(piece => inputDelta(id, piece)),
  { type: 'tool-input-end', id },
  call(id, toolName, pieces.join('')),
]
export const finish = (reason = 'stop'): StreamPart => ({
  type: 'finish',
  finishReason: reasonOf(reason),
  usage,
})
export const gone = new HttpError(502, 'The upstream is gone.', { code: 'upstream_unreachable' })
