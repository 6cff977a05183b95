import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getProtocol, protocolNames } from '@toolglot/parser'
import { z } from 'zod'
import type { Task } from '../../src/live/task.js'
import { catalogue } from '../../src/live/tasks/catalogue.js'
import { type Manner, manners, type ScriptedTurn, toolsOf, writeTurn } from './scripted-models.js'

const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.unknown()).optional(),
  stream: z.boolean().optional(),
})
export type ChatRequest = z.infer<typeof chatRequest>

export interface SeenRequest {
  readonly body: ChatRequest
  readonly raw: string
  readonly authorization: string | undefined
}

export interface ScriptedServer {
  readonly baseUrl: string
  readonly requests: readonly SeenRequest[]
  /** The most requests that were answered at the same time. */
  mostAtOnce(): number
  close(): Promise<void>
}

export interface ServerOptions {
  readonly tasks?: readonly Task[] | undefined
  readonly hasUsage?: boolean | undefined
  /** How long the slow one takes for an answer. */
  readonly slowMs?: number | undefined
  /** Answers instead of the scripted model, if it returns true. */
  readonly intercept?: ((request: SeenRequest, response: ServerResponse, count: number) => boolean) | undefined
}

/**
 * An endpoint on the loopback that plays models. The name of the model says how it behaves: `perfect`, or `sloppy/hermes`
 * where the protocol shall not be found out from the request.
 */
export async function startScriptedServer({
  tasks = catalogue,
  hasUsage = true,
  slowMs = 60,
  intercept,
}: ServerOptions = {}): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  let active = 0
  let most = 0
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
      return
    }
    let raw = ''
    for await (const piece of request) raw += piece
    const seen = { body: chatRequest.parse(JSON.parse(raw)), raw, authorization: request.headers.authorization }
    requests.push(seen)
    active++
    most = Math.max(most, active)
    response.on('close', () => active--)
    if (intercept?.(seen, response, requests.length)) return
    const { manner, protocol } = readModel(seen.body, tasks)
    if (manner === 'flaky' && requests.length % 3 === 0) return refuse(response, requests.length)
    if (manner === 'slow') await sleep(slowMs)
    const { task, turn } = locate(seen.body, tasks)
    answer(response, seen.body, writeTurn(task, turn, protocol, manner), hasUsage)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    mostAtOnce: () => most,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function refuse(response: ServerResponse, count: number): void {
  const status = count % 2 ? 429 : 500
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
  response.end('{"error":{"message":"try later"}}')
}

function readModel(body: ChatRequest, tasks: readonly Task[]): { manner: Manner; protocol: string } {
  const [name = '', protocol] = body.model.split('/')
  const manner = manners.find(each => each === name)
  if (!manner) throw new Error(`no model ${body.model}`)
  return { manner, protocol: protocol ?? findProtocol(body, tasks) }
}

/** The protocol whose description of the tools is in the request. */
function findProtocol(body: ChatRequest, tasks: readonly Task[]): string {
  if (body.tools) return 'native'
  const tools = toolsOf(locate(body, tasks).task)
  const system = textOf(body.messages[0]?.content)
  const found = protocolNames().find(name => system.includes(getProtocol(name).formatTools({ tools })))
  if (!found) throw new Error('the request shows the tools of no protocol')
  return found
}

/** Which task the conversation is about, and how often the model has spoken. */
function locate({ messages }: ChatRequest, tasks: readonly Task[]): { task: Task; turn: number } {
  const question = textOf(messages.find(({ role }) => role === 'user')?.content)
  const task = tasks.find(({ messages }) =>
    messages.some(({ role, content }) => role === 'user' && content === question),
  )
  if (!task) throw new Error(`no task asks: ${question}`)
  return { task, turn: messages.filter(({ role }) => role === 'assistant').length }
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = z.array(z.looseObject({ text: z.string() })).safeParse(content)
  return parts.success ? parts.data.map(({ text }) => text).join('\n') : ''
}

export function answer(response: ServerResponse, body: ChatRequest, turn: ScriptedTurn, hasUsage: boolean): void {
  const usage = hasUsage
    ? { prompt_tokens: countTokens(JSON.stringify(body)), completion_tokens: countTokens(JSON.stringify(turn)) }
    : undefined
  const base = { id: 'chat-1', created: 0, model: body.model }
  const finish = turn.toolCalls.length ? 'tool_calls' : 'stop'
  const calls = turn.toolCalls.map((call, index) => ({ index, id: `call_${index}`, type: 'function', function: call }))
  if (!body.stream) {
    const message = { role: 'assistant', content: turn.text, ...(calls.length ? { tool_calls: calls } : {}) }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      }),
    )
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finishReason: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`,
    )
  for (const piece of turn.text.match(/.{1,7}/gsu) ?? []) send({ content: piece })
  for (const call of calls) {
    const { arguments: args, name } = call.function
    send({ tool_calls: [{ ...call, function: { name, arguments: '' } }] })
    for (const piece of args.match(/.{1,9}/gsu) ?? [])
      send({ tool_calls: [{ index: call.index, function: { arguments: piece } }] })
  }
  send({}, finish)
  if (usage) response.write(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

const countTokens = (text: string) => Math.ceil(text.length / 4)
