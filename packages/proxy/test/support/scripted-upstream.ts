import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FunctionTool } from '@toolglot/parser'
import { answerChat, type ChatRequest, chatRequest, type WireOptions } from './chat-wire.js'
import {
  manners,
  readModelId,
  type ScriptedStep,
  type ScriptedTurn,
  writeTurn,
} from './scripted-manners.js'

/** What a scripted model does, by how far the conversation is. */
export type Script = (state: { readonly turn: number; readonly body: ChatRequest }) => ScriptedStep

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly raw: string
  /** Of a chat. */
  readonly body: ChatRequest | undefined
}

export interface ScriptedUpstream {
  /** With its path: `http://127.0.0.1:1234/v1`. */
  readonly baseUrl: string
  readonly requests: readonly SeenRequest[]
  /** Answers that the other side gave up. */
  aborts(): number
  /** Answers that have not ended. */
  active(): number
  openSockets(): number
  /** Drops what was recorded. */
  forget(): void
  close(): Promise<void>
}

export interface UpstreamOptions extends WireOptions {
  readonly script?: Script | undefined
  /** The tools of the script: some protocols write a call by its schema. */
  readonly tools?: readonly FunctionTool[] | undefined
  /** What a model says to a request, where that is not a script's step in the manner of its id. */
  readonly play?: ((body: ChatRequest) => ScriptedTurn | Promise<ScriptedTurn>) | undefined
  /** Answers instead of the scripted model, if it returns true. */
  readonly intercept?: ((request: SeenRequest, response: ServerResponse) => boolean) | undefined
}

export const weatherTool: FunctionTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      isDetailed: { type: 'boolean' },
    },
    required: ['city'],
  },
}
export const weatherArgs = { city: 'Berlin "Mitte"', days: 3, isDetailed: true }
export const weatherAnswer = 'It is sunny in Berlin, 21 °C.'

/** Asks for the weather once, and then tells it. */
export const weatherScript = scriptOf([
  { calls: [{ name: 'get_weather', args: weatherArgs }] },
  { text: weatherAnswer },
])

/** One step for each time that the model has spoken; the last one for ever. */
export function scriptOf(steps: readonly ScriptedStep[]): Script {
  return ({ turn }) => steps[Math.min(turn, steps.length - 1)] ?? {}
}

/**
 * A server on the loopback that plays models. The id of the model says how it behaves, and in which
 * protocol it writes: `perfect-mistral`, `sloppy-hermes`, `native`; see `manners`.
 */
export async function startScriptedUpstream(
  options: UpstreamOptions = {},
): Promise<ScriptedUpstream> {
  const { script = weatherScript, tools = [weatherTool], intercept } = options
  const playScript = (body: ChatRequest): ScriptedTurn => {
    // Some clients send what the model said in one turn as two messages: its text and its calls.
    const turn = body.messages.filter(
      ({ role }, i) => role === 'assistant' && body.messages[i - 1]?.role !== 'assistant',
    ).length
    return writeTurn(script({ turn, body }), readModelId(body.model), {
      hasTools: !!body.tools?.length,
      tools,
    })
  }
  const { play = playScript } = options
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()
  let aborts = 0
  let active = 0

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    active++
    response.on('close', () => {
      active--
      if (!response.writableFinished) aborts++
    })
    const raw = await readAll(request)
    const path = request.url ?? '/'
    const isChat = request.method === 'POST' && path === '/v1/chat/completions'
    const seen: SeenRequest = {
      method: request.method ?? 'GET',
      path,
      headers: request.headers,
      raw,
      body: isChat ? chatRequest.parse(JSON.parse(raw)) : undefined,
    }
    requests.push(seen)
    if (intercept?.(seen, response)) return
    if (!seen.body) return answerOther(seen, response)
    await answerChat(response, seen.body, await play(seen.body), options)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(error => {
      // The one who asked may be gone before all was said.
      if (response.destroyed || response.headersSent) response.destroy()
      else sendJson(response, 500, { error: { message: String(error) } })
    })
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    aborts: () => aborts,
    active: () => active,
    openSockets: () => sockets.size,
    forget() {
      requests.length = 0
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/**
 * Models are listed; embeddings say what came here, so that it can be seen what was passed through.
 */
function answerOther({ method, path, raw, headers }: SeenRequest, response: ServerResponse): void {
  const [route] = path.split('?')
  const data = manners.map(id => ({ id, object: 'model', created: 1, owned_by: 'script' }))
  if (route === '/v1/models') sendJson(response, 200, { object: 'list', data })
  else if (route === '/v1/embeddings')
    sendJson(response, 200, { object: 'echo', method, path, raw, headers })
  else
    sendJson(response, 404, {
      error: { message: `There is nothing at ${path}.`, type: 'not_found_error' },
    })
}

async function readAll(request: IncomingMessage): Promise<string> {
  const received: Buffer[] = []
  for await (const piece of request) received.push(piece)
  return Buffer.concat(received).toString()
}
