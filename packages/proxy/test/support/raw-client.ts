import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http'
import { z } from 'zod'
import { weatherTool } from './scripted-upstream.js'

export interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The answer ended as answers do; it was not cut off. */
  readonly isWhole: boolean
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is, or a value for JSON. */
  readonly body?: unknown
}

const { name, description, inputSchema } = weatherTool
export const chatTools = [
  { type: 'function', function: { name, description, parameters: inputSchema } },
]

/** A request for a chat about the weather. */
export function chatBody(model: string, extra: Readonly<Record<string, unknown>> = {}) {
  const messages = [{ role: 'user', content: 'How is the weather?' }]
  return { model, messages, stream: true, tools: chatTools, ...extra }
}

/** A request on a socket of its own, without any of the comfort that would hide a fault. */
export function open(
  url: string,
  { method = 'POST', headers = {}, body }: SendOptions = {},
): ClientRequest {
  const request = openRequest(url, {
    method,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  })
  // Without a listener the end of a socket would end the test run.
  request.on('error', () => {})
  if (body === undefined) request.end()
  else request.end(typeof body === 'string' ? body : JSON.stringify(body))
  return request
}

/** The head of the answer, as soon as it is there. */
export function headOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', response => {
      response.on('error', () => {})
      resolve(response)
    })
    request.on('error', reject)
    request.on('close', () => reject(new Error('closed without an answer')))
  })
}

/** An answer that is being received. */
export interface Receiving {
  /** The body so far. */
  readonly body: () => string
  /** The answer, once it is over. */
  readonly reply: Promise<Reply>
}

export function receive(response: IncomingMessage): Receiving {
  const received: Buffer[] = []
  const body = () => Buffer.concat(received).toString()
  response.on('data', (piece: Buffer) => received.push(piece))
  const reply = new Promise<Reply>(resolve => {
    response.on('close', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: body(),
        isWhole: response.complete,
      }),
    )
  })
  return { body, reply }
}

/** Sends a request and receives its answer, as soon as that has a head. */
export async function begin(url: string, options: SendOptions = {}): Promise<Receiving> {
  return receive(await headOf(open(url, options)))
}

export async function send(url: string, options: SendOptions = {}): Promise<Reply> {
  return (await begin(url, options)).reply
}

const errorShape = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    code: z.string().nullable(),
    param: z.string().nullable(),
  }),
})

export function errorOf(reply: Reply): z.infer<typeof errorShape>['error'] {
  return errorShape.parse(JSON.parse(reply.body)).error
}

const chunkShape = z.union([
  errorShape,
  z.object({
    choices: z.array(
      z.object({
        delta: z.object({
          content: z.string().optional(),
          reasoning_content: z.string().optional(),
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
  }),
])

/** What a client has in its hands when a stream is over. */
export interface Outcome {
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish: string | undefined
  readonly error: string | undefined
  readonly isDone: boolean
  readonly heartbeats: number
}

export function outcomeOf(body: string): Outcome {
  const calls: { name: string; arguments: string }[] = []
  const texts = { content: '', reasoning: '' }
  let finish: string | undefined
  let error: string | undefined
  const events = body.split('\n\n')
  for (const event of events) {
    if (!event.startsWith('data: {')) continue
    const chunk = chunkShape.parse(JSON.parse(event.slice(6)))
    if ('error' in chunk) {
      error = chunk.error.code ?? 'none'
      continue
    }
    for (const { delta, finish_reason } of chunk.choices) {
      texts.content += delta.content ?? ''
      texts.reasoning += delta.reasoning_content ?? ''
      finish = finish_reason ?? finish
      for (const { index, function: fn } of delta.tool_calls ?? []) {
        const call = calls[index] ?? { name: '', arguments: '' }
        calls[index] = {
          name: call.name + (fn.name ?? ''),
          arguments: call.arguments + fn.arguments,
        }
      }
    }
  }
  const heartbeats = events.filter(event => event.startsWith(':')).length
  return { ...texts, calls, finish, error, isDone: events.includes('data: [DONE]'), heartbeats }
}

// Tests may stop the clock, but not this one.
const { setTimeout: later } = globalThis

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise(resolve => later(resolve, milliseconds))

/** So often, 5 ms apart or more: about as long as a test may take. */
const MAX_LOOKS = 5000

/** Looks again and again until it is so. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks++) {
    if (looks === MAX_LOOKS) throw new Error(`not so after ${looks} looks: ${isSo}`)
    await sleep(5)
  }
}
