import { isDeepStrictEqual } from 'node:util'
import { createToolMiddleware, type FunctionTool, type ProtocolLike } from '@toolglot/parser'
import { isRecord } from '../is-record.js'
import type { Call } from './catalogue/case.js'
import { createFakeModel } from './fake-model.js'

export interface RoundTrip {
  readonly protocol: ProtocolLike
  readonly tools: readonly FunctionTool[]
  /** The text that the model writes. */
  readonly text: string
  /** The calls that must be read from it. */
  readonly calls: readonly Call[]
}

/**
 * Lets a model write the text and the middleware read it, whole and streamed. Returns what is wrong
 * with the calls; undefined if they are correct. Only text that the library reads back is counted.
 */
export async function findLoss({
  protocol,
  tools,
  text,
  calls,
}: RoundTrip): Promise<string | undefined> {
  const middleware = createToolMiddleware({ protocol })
  const model = createFakeModel(text)
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }]
  for (const type of ['generate', 'stream'] as const) {
    const params = await middleware.transformParams({ type, params: { prompt, tools }, model })
    const options = { ...model, params, model }
    const parts: unknown =
      type === 'generate'
        ? (await middleware.wrapGenerate(options)).content
        : await readAll((await middleware.wrapStream(options)).stream)
    const problem = compare(Array.isArray(parts) ? parts : [], calls)
    if (problem !== undefined) return `${type}: ${problem}`
  }
  return undefined
}

async function readAll(stream: ReadableStream<unknown>): Promise<unknown[]> {
  const parts: unknown[] = []
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return parts
    parts.push(value)
  }
}

function compare(parts: readonly unknown[], calls: readonly Call[]): string | undefined {
  const found = parts.filter(isRecord).filter(part => part.type === 'tool-call')
  if (found.length !== calls.length) return `${found.length} calls instead of ${calls.length}`
  for (const [i, { toolName, args }] of calls.entries()) {
    if (found[i]?.toolName !== toolName)
      return `call ${i + 1} is of ${String(found[i]?.toolName)}, not of ${toolName}`
    if (!isDeepStrictEqual(parseJson(found[i]?.input), args))
      return `the arguments of ${toolName} have changed`
  }
  const rest = parts.filter(isRecord).map(textOf).join('').trim()
  return rest === '' ? undefined : `text is left over: ${JSON.stringify(rest.slice(0, 40))}`
}

function textOf({ type, text, delta }: Record<string, unknown>): string {
  if (type === 'text' && typeof text === 'string') return text
  return type === 'text-delta' && typeof delta === 'string' ? delta : ''
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}
