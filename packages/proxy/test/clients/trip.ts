import { afterEach, beforeEach, expect } from 'vitest'
import {
  type ProxyServer,
  type ProxyServerOptions,
  startProxyServer,
} from '../support/proxy-server.js'
import {
  type ScriptedUpstream,
  scriptOf,
  startScriptedUpstream,
  type UpstreamOptions,
  weatherTool,
} from '../support/scripted-upstream.js'

/**
 * The question that all clients ask; the model needs two calls, one after the other, to answer it.
 */
export const question = 'Is it warmer in Rome or in Oslo?'
export const answer = 'It is warmer in Rome, "by far".'
const cities = ['Rome "Centro"', 'Oslo']
const script = scriptOf([
  ...cities.map(city => ({ calls: [{ name: weatherTool.name, args: { city, days: 2 } }] })),
  { text: answer },
])

/** A mode, and a model that needs it. */
export const modes = [
  { mode: 'prompt', model: 'perfect' },
  { mode: 'prompt', model: 'sloppy' },
  { mode: 'prompt', model: 'thinking' },
  { mode: 'rescue', model: 'perfect' },
  { mode: 'rescue', model: 'native' },
  { mode: 'off', model: 'native' },
] as const
export type Mode = (typeof modes)[number]['mode']
/**
 * Where nothing is touched, the server must speak the client's API, and the scripted one only knows
 * chats.
 */
export const translatedModes = modes.filter(({ mode }) => mode !== 'off')

export const { name: toolName, description = '' } = weatherTool
export const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, days: { type: 'integer' as const } },
  required: ['city'],
}

export interface Trip {
  readonly upstream: ScriptedUpstream
  readonly proxy: ProxyServer
  /** The tool that the client runs. */
  tool(args: unknown): string
  /** Checks the client's actions against the script. */
  check(text: string | null | undefined): void
}

/** Starts a scripted server and the proxy in front of it, for one test. */
export function useTrips(): (
  mode: Mode,
  options?: UpstreamOptions & { readonly proxy?: ProxyServerOptions },
) => Promise<Trip> {
  const servers: (ScriptedUpstream | ProxyServer)[] = []
  beforeEach(() => {
    expect(servers).toHaveLength(0)
  })
  afterEach(async () => {
    for (const server of servers.splice(0).reverse()) await server.close()
  })
  return async (mode, { proxy: proxyOptions, ...options } = {}) => {
    const upstream = await startScriptedUpstream({ script, ...options })
    servers.push(upstream)
    const proxy = await startProxyServer(upstream.baseUrl, {
      ...proxyOptions,
      rule: { mode, reasoning: true, ...proxyOptions?.rule },
    })
    servers.push(proxy)
    const runs: unknown[] = []
    return {
      upstream,
      proxy,
      tool(args) {
        runs.push(args)
        return JSON.stringify({ celsius: runs.length === 1 ? 21 : 9 })
      },
      check(text) {
        expect(runs).toEqual(cities.map(city => ({ city, days: 2 })))
        expect(text?.trim()).toBe(answer)
        expect(upstream.requests).toHaveLength(3)
        // What the tools gave back has reached the model.
        expect(upstream.requests[2]?.raw).toMatch(/21[\s\S]*9/)
      },
    }
  }
}
