import { createToolMiddleware, type FunctionTool, type Part } from '@toolglot/parser'
import type { NamedProtocol } from '../protocol-option.js'

/** The size of a piece, about one token. */
const CHUNK_CHARS = 4

export interface BenchPlan {
  readonly chars: number
  readonly repetitions: number
}

export interface BenchRow {
  readonly protocol: string
  readonly text: Speed
  readonly calls: Speed
}

export interface Speed {
  /** Time relative to a stream that does nothing, in the same repetition; the median. */
  readonly versusEmpty: number
  readonly megabytesPerSecond: number
}

const tools: readonly FunctionTool[] = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'The weather in a city.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, note: { type: 'string' } },
      required: ['city'],
    },
  },
]
const sentences = [
  'The café on the corner opens at eight, and by nine every table is taken. ',
  'If a < b and b < c, then a < c; that much is certain.\n',
  'Use `list[0]` for the first item, and {"key": "value"} for an object.\n\n',
  'She wrote: "Call me when you are there", and left without a word. ',
]

/**
 * Reads the same texts with each protocol and with an empty stream, in turn, so that other work on
 * the machine affects all alike. The texts are prose, and prose with a call in every paragraph.
 */
export async function measureStreams(
  protocols: readonly NamedProtocol[],
  plan: BenchPlan,
): Promise<BenchRow[]> {
  const prose = fill(plan.chars, i => sentences[i % sentences.length] ?? '')
  const entries = protocols.map(({ name, protocol }) => {
    const open = openerOf(name)
    const withCalls = fill(
      plan.chars,
      i => `${sentences[i % sentences.length]}\n${writeCall(protocol, i)}\n`,
    )
    return { name, text: createSeries(open, prose), calls: createSeries(open, withCalls) }
  })
  for (let i = 0; i <= plan.repetitions; i++) {
    // The first repetition does not count: the code is not compiled yet.
    for (const { text } of entries) await text.step(i > 0)
    for (const { calls } of entries) await calls.step(i > 0)
  }
  return entries.map(({ name, text, calls }) => ({
    protocol: name,
    text: text.speed(),
    calls: calls.speed(),
  }))
}

/** Puts a stream through something, and returns the result. */
type OpenStream = (source: ReadableStream<Part>) => Promise<ReadableStream<Part>>

const openEmpty: OpenStream = async source => source.pipeThrough(new TransformStream<Part, Part>())

/** Returns a function that puts an answer through the middleware. */
function openerOf(protocol: string): OpenStream {
  const middleware = createToolMiddleware({ protocol })
  const toolCallMiddleware = { originalTools: tools, toolNames: tools.map(tool => tool.name) }
  return async source => {
    const result: { readonly stream: ReadableStream<Part> } = await middleware.wrapStream({
      doGenerate: () => Promise.reject(new Error('The benchmark only streams.')),
      doStream: async () => ({ stream: source }),
      params: { prompt: [], providerOptions: { toolCallMiddleware } },
      model: undefined,
    })
    return result.stream
  }
}

function writeCall(protocol: NamedProtocol['protocol'], i: number): string {
  const input = {
    city: ['Oslo', 'New York', 'São Paulo'][i % 3],
    days: (i % 7) + 1,
    note: 'as soon as you can',
  }
  return protocol.formatToolCall(
    { toolCallId: `call-${i}`, toolName: 'get_weather', input },
    { tools },
  )
}

function createSeries(open: OpenStream, text: string) {
  const ratios: number[] = []
  const times: number[] = []
  return {
    async step(counts: boolean) {
      const emptyMs = await timeStream(openEmpty, text)
      const ms = await timeStream(open, text)
      if (!counts) return
      ratios.push(ms / emptyMs)
      times.push(ms)
    },
    speed(): Speed {
      return {
        versusEmpty: Number(median(ratios).toFixed(2)),
        megabytesPerSecond: Number((Buffer.byteLength(text) / 1000 / median(times)).toFixed(1)),
      }
    },
  }
}

async function timeStream(open: OpenStream, text: string): Promise<number> {
  let at = 0
  const source = new ReadableStream<Part>({
    pull(controller) {
      if (at >= text.length) return controller.close()
      const part = { type: 'text-delta', id: '0', delta: text.slice(at, at + CHUNK_CHARS) }
      at += CHUNK_CHARS
      controller.enqueue(part)
    },
  })
  const start = performance.now()
  const reader = (await open(source)).getReader()
  while (!(await reader.read()).done);
  return performance.now() - start
}

function fill(chars: number, piece: (i: number) => string): string {
  const pieces: string[] = []
  for (let length = 0, i = 0; length < chars; i++) {
    const next = piece(i)
    pieces.push(next)
    length += next.length
  }
  return pieces.join('')
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (upper + lower) / 2
}
