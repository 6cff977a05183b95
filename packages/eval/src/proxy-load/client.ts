import { Agent, request as openRequest } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { checksum, createStreamText, noteTool, TOOL_NAME } from './stream-text.js'

export interface LoadOptions {
  readonly url: string
  /** Streams at a time. */
  readonly concurrency: number
  readonly seconds: number
  readonly tokens: number
  /** Whether calls come as calls, and not as text. */
  readonly hasCalls: boolean
  /** The number of the first stream. */
  readonly first: number
}

export interface LoadResult {
  readonly streams: number
  readonly calls: number
  readonly tokens: number
  readonly errors: readonly string[]
  readonly seconds: number
}

const chunkShape = z.object({
  choices: z.array(
    z.object({
      delta: z.object({
        content: z.string().optional(),
        tool_calls: z
          .array(
            z.object({ index: z.number(), function: z.object({ name: z.string().optional(), arguments: z.string() }) }),
          )
          .optional(),
      }),
      finish_reason: z.string().nullable(),
    }),
  ),
})

/** Keeps so many streams open, one after the other, and looks at every one whether it is what was asked for. */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency })
  const began = performance.now()
  const end = began + options.seconds * 1000
  const total = { streams: 0, calls: 0, tokens: 0 }
  const errors: string[] = []
  let next = options.first
  const work = async () => {
    while (performance.now() < end) {
      const stream = next++
      const expected = createStreamText(stream, options.tokens)
      try {
        const problem = findProblem(await ask(options.url, stream, agent), stream, options)
        if (problem) errors.push(`stream ${stream}: ${problem}`)
      } catch (error) {
        errors.push(`stream ${stream}: ${error instanceof Error ? error.message : error}`)
      }
      total.streams++
      total.tokens += expected.tokens.length
      if (expected.args) total.calls++
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  agent.destroy()
  return { ...total, errors, seconds: (performance.now() - began) / 1000 }
}

function ask(url: string, stream: number, agent: Agent): Promise<string> {
  const body = JSON.stringify({
    model: 'load',
    stream: true,
    messages: [{ role: 'user', content: `Give me stream ${stream}` }],
    tools: [{ type: 'function', function: noteTool }],
  })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const request = openRequest(`${url}/chat/completions`, { method: 'POST', agent, headers }, response => {
      const received: Buffer[] = []
      response.on('data', (piece: Buffer) => received.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(received).toString()
        if (response.statusCode === 200 && response.complete) resolve(text)
        else reject(new Error(`status ${response.statusCode}: ${text.slice(0, 200)}`))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** What is wrong with an answer; undefined if it is what the stream's number asks for. */
export function findProblem(
  body: string,
  stream: number,
  { tokens, hasCalls }: Pick<LoadOptions, 'tokens' | 'hasCalls'>,
): string | undefined {
  const { prose, args, tokens: written } = createStreamText(stream, tokens)
  const { text, calls, finish, isDone } = readAnswer(body)
  if (!isDone) return `no end: ${body.slice(-200)}`
  const summed = /^(.*)sum ([0-9a-f]{8})\.\n/s.exec(text)
  if (!summed || checksum(summed[1] ?? '') !== summed[2]) return `the checksum is wrong: ${text.slice(0, 80)}`
  if (!hasCalls) return text === written.join('') ? undefined : 'the text is that of another stream'
  if (text.trimEnd() !== prose.trimEnd()) return 'the text is that of another stream'
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
