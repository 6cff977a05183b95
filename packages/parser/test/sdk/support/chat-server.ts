import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chunksOf } from '../../support/chunks.js'
import type { Data } from './sdk-versions.js'

export interface ChatServer {
  readonly baseURL: string
  /** The bodies of all requests, in order. */
  readonly bodies: readonly ChatBody[]
  close(): Promise<void>
}

interface ChatBody extends Data {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
  readonly stream?: boolean
}

/** What the model writes, and why it stops: by itself, unless that is said. */
export type ChatAnswer = string | { readonly text: string; readonly finishReason: string }

/**
 * An OpenAI-compatible server on this machine that gives one text after the other, streamed where
 * that is asked for.
 */
export async function startChatServer(answers: readonly ChatAnswer[]): Promise<ChatServer> {
  const bodies: ChatBody[] = []
  const server = createServer(async (request, response) => {
    const received: Buffer[] = []
    for await (const chunk of request) received.push(chunk)
    const body: ChatBody = JSON.parse(Buffer.concat(received).toString())
    const answer = answers[bodies.length] ?? 'no more answers'
    const { text, finishReason } =
      typeof answer === 'string' ? { text: answer, finishReason: 'stop' } : answer
    bodies.push(body)
    if (!body.stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify(
          completion(
            'chat.completion',
            { message: { role: 'assistant', content: text } },
            finishReason,
          ),
        ),
      )
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const content of chunksOf(text, 5)) {
      response.write(
        `data: ${JSON.stringify(completion('chat.completion.chunk', { delta: { content } }, null))}\n\n`,
      )
    }
    response.write(
      `data: ${JSON.stringify(completion('chat.completion.chunk', { delta: {} }, finishReason))}\n\n`,
    )
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    bodies,
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

function completion(object: string, choice: Data, reason: string | null): Data {
  const usage = { prompt_tokens: 3, completion_tokens: 10, total_tokens: 13 }
  return {
    id: 'c1',
    object,
    created: 1,
    model: 'local',
    choices: [{ index: 0, ...choice, finish_reason: reason }],
    ...(reason ? { usage } : {}),
  }
}
