import { afterEach, expect } from 'vitest'
import { type ProxyServer, type ProxyServerOptions, startProxyServer } from './proxy-server.js'
import { until } from './raw-client.js'
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamOptions,
} from './scripted-upstream.js'

export interface Both {
  readonly upstream: ScriptedUpstream
  readonly server: ProxyServer
  /** Where chats go. */
  readonly chat: string
}

const running: Both[] = []
const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))

/**
 * After each test nothing may be left: no request, no socket of a client, no error that nobody
 * took.
 */
afterEach(async () => {
  for (const { upstream, server } of running.splice(0)) {
    await until(() => server.proxy.active() === 0)
    await until(() => upstream.active() === 0)
    await until(() => server.openSockets() === 0)
    await server.close()
    await upstream.close()
  }
  expect(unhandled).toEqual([])
})

/** A scripted server with the proxy in front of it. They are gone after the test. */
export async function serveBoth(
  upstreamOptions: UpstreamOptions = {},
  options: ProxyServerOptions = {},
): Promise<Both> {
  const upstream = await startScriptedUpstream(upstreamOptions)
  const server = await startProxyServer(upstream.baseUrl, options)
  const both = { upstream, server, chat: `${server.baseUrl}/chat/completions` }
  running.push(both)
  return both
}
