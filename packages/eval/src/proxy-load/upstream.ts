import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { listen, type Running } from './running.js'
import { createStreamText } from './stream-text.js'

const request = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
})

export interface UpstreamOptions {
  /** Tokens of a stream, approximately. */
  readonly tokens: number
  /** Delay between two tokens of a stream; 0 for as fast as possible. */
  readonly paceMs: number
}

/**
 * A server whose streams contain the text for the number in the user's message, one token per packet
 * as models send it.
 */
export async function startUpstream({ tokens, paceMs }: UpstreamOptions): Promise<Running> {
  const server = createServer(async (incoming, response) => {
    const { messages } = request.parse(JSON.parse(await readAll(incoming)))
    const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content)
    const stream = Number(/\d+/.exec(asked)?.[0])
    play(response, createStreamText(stream, tokens).tokens, paceMs)
  })
  return listen(server)
}

function play(response: ServerResponse, tokens: readonly string[], paceMs: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let next = 0
  const step = () => {
    if (response.destroyed) return
    const token = tokens[next++]
    if (token === undefined) {
      response.end(`${eventOf({}, 'stop')}data: [DONE]\n\n`)
      return
    }
    const isTaken = response.write(eventOf({ content: token }, null))
    if (!isTaken) response.once('drain', step)
    else if (paceMs > 0) setTimeout(step, paceMs)
    else setImmediate(step)
  }
  step()
}

function eventOf(delta: object, reason: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: reason }]
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'load', choices })}\n\n`
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of incoming.setEncoding('utf8')) text += piece
  return text
}
