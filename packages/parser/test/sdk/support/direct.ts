import type { ToolCallMiddleware } from '@toolglot/parser'
import { collect, type Message, type Request, streamOf } from './scripted-model.js'
import type { AnyPart, Data } from './sdk-versions.js'

/**
 * The middleware without an SDK around it: what it makes of a request, and of an answer to that
 * request.
 */

export async function transform(middleware: ToolCallMiddleware, params: Data): Promise<Request> {
  return middleware.transformParams({ type: 'stream', params, model: undefined })
}

export function userSays(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}

export interface GenerateAnswer {
  readonly content: readonly AnyPart[]
  readonly finishReason: unknown
  readonly warnings?: readonly unknown[]
}

export async function runStream(
  middleware: ToolCallMiddleware,
  params: Data,
  parts: readonly AnyPart[],
): Promise<AnyPart[]> {
  return collect(await openStream(middleware, params, streamOf(parts)))
}

export async function openStream(
  middleware: ToolCallMiddleware,
  params: Data,
  source: ReadableStream<AnyPart>,
): Promise<ReadableStream<AnyPart>> {
  const doStream = async () => ({ stream: source })
  const transformed = await transform(middleware, params)
  const { stream } = await middleware.wrapStream({
    doStream,
    doGenerate: never,
    params: transformed,
    model: undefined,
  })
  return stream
}

export async function runGenerate(
  middleware: ToolCallMiddleware,
  params: Data,
  answer: Data,
): Promise<GenerateAnswer & Data> {
  const transformed = await transform(middleware, params)
  const doGenerate = async () => answer
  return middleware.wrapGenerate({
    doGenerate,
    doStream: never,
    params: transformed,
    model: undefined,
  })
}

async function never(): Promise<Data> {
  throw new Error('the middleware must not ask the model in another way')
}

/** The parts of a stream that carries one text, in pieces. V3 shapes. */
export function textStream(deltas: readonly string[], reason = 'stop'): AnyPart[] {
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't1' },
    ...deltas.map(delta => ({ type: 'text-delta', id: 't1', delta })),
    { type: 'text-end', id: 't1' },
    { type: 'finish', finishReason: { unified: reason, raw: reason }, usage: {} },
  ]
}

/** The whole answer that carries one text. V3 shapes. */
export function textAnswer(text: string, reason = 'stop'): Data {
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: reason, raw: reason },
    usage: {},
    warnings: [],
  }
}

export function textOf(parts: readonly AnyPart[]): string {
  return parts
    .map(part => (part.type === 'text-delta' ? part.delta : part.type === 'text' ? part.text : ''))
    .join('')
}

export function callsOf(parts: readonly AnyPart[]): { toolName: unknown; input: unknown }[] {
  return parts
    .filter(part => part.type === 'tool-call')
    .map(({ toolName, input }) => ({ toolName, input: parseJson(input) }))
}

/** The value of a JSON text; the text itself where it is none. */
function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return text
  }
}

/**
 * A stream that makes a part only when it is asked for one, and tells how many it was asked for.
 */
export function countedSource(parts: readonly AnyPart[]): {
  source: ReadableStream<AnyPart>
  pulled: () => number
} {
  let pulled = 0
  const source = new ReadableStream<AnyPart>(
    {
      pull(controller) {
        const part = parts[pulled++]
        if (part) controller.enqueue(part)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { source, pulled: () => pulled }
}
