import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { formatProblem, readConfig, serveProxy } from '@toolglot/proxy/node'
import { Hono } from 'hono'
import { listen, type Running, readUsage } from './running.js'
import { PROTOCOL } from './stream-text.js'

/** The servers that are measured: our proxy, and a minimal pass-through. */
export const subjectNames = ['pass-through', 'proxy'] as const
export type SubjectName = (typeof subjectNames)[number]

export function startSubject(name: SubjectName, upstreamUrl: string): Promise<Running> {
  return name === 'proxy'
    ? startProxy(upstreamUrl)
    : listen(createServer(getRequestListener(passThroughFetch(upstreamUrl))))
}

type Fetch = (request: Request) => Response | Promise<Response>

/** The proxy as `toolglot proxy` runs it. Its log is discarded. */
async function startProxy(upstreamUrl: string): Promise<Running> {
  const { config, problems } = readConfig(
    JSON.stringify({
      upstreams: [{ name: 'load', baseUrl: upstreamUrl }],
      models: [{ match: '*', protocol: PROTOCOL }],
      listen: { host: '127.0.0.1', port: 0 },
      limits: { concurrency: 10_000 },
    }),
  )
  if (!config) throw new Error(problems.map(formatProblem).join('\n'))
  const proxy = await serveProxy({ config, output: { write() {} } })
  return {
    url: `${proxy.address}/v1`,
    usage: async () => readUsage(),
    async close() {
      void proxy.close()
      await proxy.close()
    },
  }
}

/** Passes bytes on without reading them. */
function passThroughFetch(upstreamUrl: string): Fetch {
  const app = new Hono()
  app.post('/v1/chat/completions', async context => {
    const answer = await fetch(`${upstreamUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await context.req.text(),
      signal: context.req.raw.signal,
    })
    return new Response(answer.body, {
      status: answer.status,
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  return request => app.fetch(request)
}
