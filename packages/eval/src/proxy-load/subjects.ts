import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createProxy, defaultLimits, defaultRule } from '@toolglot/proxy'
import { Hono } from 'hono'
import { listen, type Running } from './running.js'
import { PROTOCOL } from './stream-text.js'

/** What is measured: our proxy, and the least that something in between could do. */
export const subjectNames = ['pass-through', 'proxy'] as const
export type SubjectName = (typeof subjectNames)[number]

export function startSubject(name: SubjectName, upstreamUrl: string): Promise<Running> {
  const fetch = name === 'proxy' ? proxyFetch(upstreamUrl) : passThroughFetch(upstreamUrl)
  return listen(createServer(getRequestListener(fetch)))
}

type Fetch = (request: Request) => Response | Promise<Response>

function proxyFetch(upstreamUrl: string): Fetch {
  return createProxy({
    upstreams: [{ name: 'load', baseUrl: upstreamUrl }],
    models: [{ ...defaultRule, protocol: PROTOCOL }],
    clientKeys: [],
    heartbeatMs: 15_000,
    limits: { ...defaultLimits, concurrency: 10_000 },
  }).fetch
}

/** Hands bytes on and looks at none of them. */
function passThroughFetch(upstreamUrl: string): Fetch {
  const app = new Hono()
  app.post('/v1/chat/completions', async context => {
    const answer = await fetch(`${upstreamUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: await context.req.text(),
      signal: context.req.raw.signal,
    })
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'text/event-stream' } })
  })
  return request => app.fetch(request)
}
