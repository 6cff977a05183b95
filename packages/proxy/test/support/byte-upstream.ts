import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A request as its bytes arrived. */
export interface ByteRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

export interface ByteUpstream {
  /** With its path: `http://127.0.0.1:1234/v1`. */
  readonly baseUrl: string
  readonly requests: readonly ByteRequest[]
  close(): Promise<void>
}

/** A server that keeps the bytes of requests, and answers with whatever a test wants. */
export async function startByteUpstream(
  answer: (request: ByteRequest, response: ServerResponse) => void,
): Promise<ByteUpstream> {
  const requests: ByteRequest[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch {
      // Whoever sent it is gone.
      return
    }
    const { method = '', url: path = '', headers, rawHeaders } = request
    const seen = { method, path, headers, rawHeaders, body: Buffer.concat(pieces) }
    requests.push(seen)
    answer(seen, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
