import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { compactProtocol, getProtocol, listProtocols } from '@toolglot/parser'
import { z } from 'zod'
import type { ChatRequest } from '../../../proxy/test/support/chat-wire.js'
import type { ScriptedTurn } from '../../../proxy/test/support/scripted-manners.js'
import { startScriptedUpstream } from '../../../proxy/test/support/scripted-upstream.js'
import type { Task } from '../../src/live/task.js'
import { catalogue } from '../../src/live/tasks/catalogue.js'
import { type Manner, manners, toolsOf, writeTurn } from './scripted-models.js'

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
  /** What every model says, where it is not the solution of a task. */
  readonly play?: ((body: ChatRequest) => ScriptedTurn) | undefined
  /** Answers instead of the scripted model, if it returns true. */
  readonly intercept?:
    | ((request: SeenRequest, response: ServerResponse, count: number) => boolean)
    | undefined
}

/**
 * An endpoint on the loopback that plays models. The name of the model says how it behaves:
 * `perfect`, or `sloppy/hermes` where the protocol shall not be found out from the request.
 */
export async function startScriptedServer({
  tasks = catalogue,
  hasUsage = true,
  slowMs = 60,
  play,
  intercept,
}: ServerOptions = {}): Promise<ScriptedServer> {
  const requests: SeenRequest[] = []
  let most = 0
  const upstream = await startScriptedUpstream({
    hasUsage,
    intercept({ body, raw, headers: { authorization } }, response) {
      if (!body) return false
      const seen = { body, raw, authorization }
      const count = requests.push(seen)
      most = Math.max(most, upstream.active())
      if (intercept?.(seen, response, count)) return true
      const isRefused = body.model.startsWith('flaky') && count % 3 === 0
      if (isRefused) refuse(response, count)
      return isRefused
    },
    async play(body) {
      if (play) return play(body)
      const { manner, protocol } = readModel(body, tasks)
      if (manner === 'slow') await sleep(slowMs)
      const { task, turn } = locate(body, tasks)
      return writeTurn(task, turn, protocol, manner)
    },
  })
  return { baseUrl: upstream.baseUrl, requests, mostAtOnce: () => most, close: upstream.close }
}

function refuse(response: ServerResponse, count: number): void {
  const status = count % 2 ? 429 : 500
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
  response.end('{"error":{"message":"try later"}}')
}

function readModel(
  body: ChatRequest,
  tasks: readonly Task[],
): { manner: Manner; protocol: string } {
  const [name = '', protocol] = body.model.split('/')
  const manner = manners.find(each => each === name)
  if (!manner) throw new Error(`no model ${body.model}`)
  return { manner, protocol: protocol ?? findProtocol(body, tasks) }
}

/** The compact protocols without their explanation, as `--ablation no-manual` shows them. */
const bareCompact = [
  { name: 'wire', protocol: compactProtocol({ syntax: 'wire', manualHeader: '# Tools' }) },
  { name: 'compact_json', protocol: compactProtocol({ syntax: 'json', manualHeader: '# Tools' }) },
  { name: 'line', protocol: compactProtocol({ syntax: 'line', manualHeader: '# Tools' }) },
]

/** The protocol whose description of the tools is in the request. */
function findProtocol(body: ChatRequest, tasks: readonly Task[]): string {
  if (body.tools) return 'native'
  const tools = toolsOf(locate(body, tasks).task)
  const system = textOf(body.messages[0]?.content)
  const found =
    listProtocols().find(name => system.includes(getProtocol(name).formatTools({ tools }))) ??
    bareCompact.find(({ protocol }) => system.includes(protocol.formatTools({ tools })))?.name
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
