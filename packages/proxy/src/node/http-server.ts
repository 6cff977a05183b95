import { createServer, type Server, type ServerOptions, ServerResponse } from 'node:http'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { directReaderOf } from '../http/direct-body.js'
import { writeAnswer } from './write-answer.js'

type Bindings = HttpBindings | Http2Bindings

/** Creates a server that answers requests with a handler of the platform's `Request`. */
export function createHttpServer(
  handle: (request: Request) => Promise<Response>,
  serverOptions: ServerOptions,
): Server {
  const fetch = async (request: Request, { outgoing }: Bindings): Promise<Response> => {
    const answer = await handle(request)
    const body = directReaderOf(answer)
    if (!body || !(outgoing instanceof ServerResponse)) return answer
    writeAnswer(answer, body, outgoing)
    return RESPONSE_ALREADY_SENT
  }
  // The globals stay the platform's: they are not ours, and RESPONSE_ALREADY_SENT is one of those.
  const options = { fetch, createServer, serverOptions, overrideGlobalObjects: false }
  const server = createAdaptorServer(options)
  if (!('closeAllConnections' in server)) throw new TypeError('This is not an HTTP server.')
  return server
}
