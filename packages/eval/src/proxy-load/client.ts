import { isDeepStrictEqual } from 'node:util'
import autocannon from 'autocannon'
import { z } from 'zod'
import { checksum, createStreamText, noteTool, TOOL_NAME } from './stream-text.js'

export interface LoadOptions {
  readonly url: string
  /** Streams at a time. */
  readonly concurrency: number
  /** Streams per connection, one after another. */
  readonly rounds: number
  readonly tokens: number
  /** True if calls are expected as tool calls, false if as text. */
  readonly hasCalls: boolean
  /** Number of the first stream. */
  readonly first: number
}

export interface LoadResult {
  readonly streams: number
  readonly calls: number
  readonly tokens: number
  readonly errors: readonly string[]
  readonly seconds: number
}

/** Time limit of a stream, in seconds. */
const TIMEOUT_SECONDS = 300

const chunkShape = z.object({
  choices: z.array(
    z.object({
      delta: z.object({
        content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({
              index: z.number(),
              function: z.object({ name: z.string().optional(), arguments: z.string() }),
            }),
          )
          .optional(),
      }),
      finish_reason: z.string().nullable(),
    }),
  ),
})

/**
 * Lets autocannon keep a number of streams open, one after another on each connection, and checks
 * the answer of every stream.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const began = performance.now()
  const total = { streams: 0, calls: 0, tokens: 0 }
  const errors: string[] = []
  let next = options.first
  const asked = new WeakMap<object, number>()
  const result = await autocannon({
    url: `${options.url}/chat/completions`,
    connections: options.concurrency,
    amount: options.concurrency * options.rounds,
    timeout: TIMEOUT_SECONDS,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest(request, context) {
          const stream = next++
          asked.set(context, stream)
          return { ...request, body: bodyOf(stream) }
        },
        onResponse(status, body, context) {
          const stream = asked.get(context) ?? Number.NaN
          const problem =
            status === 200
              ? findProblem(body, stream, options)
              : `status ${status}: ${body.slice(0, 200)}`
          if (problem) errors.push(`stream ${stream}: ${problem}`)
          const expected = createStreamText(stream, options.tokens)
          total.streams++
          total.tokens += expected.tokens.length
          if (expected.args) total.calls++
        },
      },
    ],
  })
  const lost = next - options.first - total.streams
  if (result.errors > 0 || lost > 0)
    errors.push(`${result.errors} connections failed, ${lost} streams were lost`)
  return { ...total, errors, seconds: (performance.now() - began) / 1000 }
}

function bodyOf(stream: number): string {
  return JSON.stringify({
    model: 'load',
    stream: true,
    messages: [{ role: 'user', content: `Give me stream ${stream}` }],
    tools: [{ type: 'function', function: noteTool }],
  })
}

/** Returns what is wrong with an answer; undefined if it matches the stream's number. */
export function findProblem(
  body: string,
  stream: number,
  { tokens, hasCalls }: Pick<LoadOptions, 'tokens' | 'hasCalls'>,
): string | undefined {
  const { prose, args, tokens: written } = createStreamText(stream, tokens)
  const { text, calls, finish, isDone } = readAnswer(body)
  if (!isDone) return `the stream has no end: ${body.slice(-200)}`
  const summed = /^(.*)sum ([0-9a-f]{8})\.\n/s.exec(text)
  if (!summed || checksum(summed[1] ?? '') !== summed[2])
    return `the checksum is wrong: ${text.slice(0, 80)}`
  if (!hasCalls) return text === written.join('') ? undefined : 'the text belongs to another stream'
  if (text.trimEnd() !== prose.trimEnd()) return 'the text belongs to another stream'
  if (finish !== (args ? 'tool_calls' : 'stop')) return `finish is ${finish}`
  const expected = args ? [{ name: TOOL_NAME, args }] : []
  const given = calls.map(({ name, json }) => ({ name, args: JSON.parse(json) }))
  return isDeepStrictEqual(given, expected) ? undefined : `the calls are ${JSON.stringify(calls)}`
}

function readAnswer(body: string) {
  const calls: { name: string; json: string }[] = []
  let text = ''
  let finish: string | undefined
  const events = body.split('\n\n')
  for (const event of events) {
    if (!event.startsWith('data: {')) continue
    for (const { delta, finish_reason } of chunkShape.parse(JSON.parse(event.slice(6))).choices) {
      text += delta.content ?? ''
      finish = finish_reason ?? finish
      for (const { index, function: fn } of delta.tool_calls ?? []) {
        const call = calls[index] ?? { name: '', json: '' }
        calls[index] = { name: call.name + (fn.name ?? ''), json: call.json + fn.arguments }
      }
    }
  }
  return { text, calls, finish, isDone: events.includes('data: [DONE]') }
}
