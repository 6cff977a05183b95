import { readFileSync } from 'node:fs'
import { readConfig } from '@toolglot/proxy/node'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { defaultLimits, defaultStore } from '../src/config.js'
import { configSchema } from '../src/config-file/schema.js'
import {
  defaultHeartbeatMs,
  defaultListen,
  defaultServerLimits,
} from '../src/config-file/server-config.js'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = read('docs/proxy.md')

describe('the documentation of the proxy', () => {
  it('shows a configuration that is right, with every key and the defaults', () => {
    const [, yaml = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? []
    const { config, problems } = readConfig(yaml, {
      env: { CLOUD_KEY: 'a-key', TOOLGLOT_CLIENT_KEYS: 'b-key' },
    })
    expect(problems).toBeUndefined()
    expect(config).toMatchObject({
      listen: defaultListen,
      limits: defaultLimits,
      server: defaultServerLimits,
      heartbeatMs: defaultHeartbeatMs,
      store: defaultStore,
      log: { level: 'info', bodies: false },
    })
    const shown = Object.keys(parse(yaml))
    expect([...shown, 'upstream', '$schema'].sort()).toEqual(Object.keys(configSchema.shape).sort())
  })

  it('names every key of a model, of a server and of the store', () => {
    const { upstreams, models, clients, limits, store } = configSchema.shape
    const keys = [
      ...Object.keys(upstreams.unwrap().element.shape),
      ...Object.keys(models.unwrap().element.shape),
      ...Object.keys(clients.unwrap().shape),
      ...Object.keys(limits.unwrap().shape),
      ...Object.keys(store.unwrap().options[1].shape),
    ]
    expect(keys.filter(key => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([])
  })

  it('names every flag and every variable', () => {
    const command = read('packages/cli/src/proxy/proxy-command.ts')
    const flags = [...command.matchAll(/^ {4}'?([a-z-]+)'?: \{/gm)].map(([, name]) => `--${name}`)
    const variables = [
      ...read('packages/proxy/src/config-file/load-config.ts').matchAll(/TOOLGLOT_[A-Z_]+/g),
    ]
    expect(flags.length).toBeGreaterThan(10)
    const names = [...flags, ...variables.map(([name]) => name)]
    expect(names.filter(name => !page.includes(name))).toEqual([])
  })

  it('names every metric', () => {
    const names = [...read('packages/proxy/src/http/metrics.ts').matchAll(/toolglot_[a-z_]+/g)].map(
      ([name]) => name,
    )
    expect(names.filter(name => !page.includes(name))).toEqual([])
  })
})

describe('the documentation of the clients', () => {
  const clients = read('docs/proxy-clients.md')
  const blocks = [...clients.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
    ([, language, text = '']) => ({
      language,
      text,
    }),
  )

  it('has a block for each client, with the default address of the proxy', () => {
    const sections = clients.split(/^## /m).slice(1)
    expect(sections.map(section => section.split('\n')[0])).toEqual([
      ...['Codex', 'opencode', 'Cline', 'Continue', 'qwen-code', 'pi'],
      ...["Claude Code and other clients of Anthropic's API", 'LangChain', 'OpenAI Agents SDK'],
    ])
    const address = `http://${defaultListen.host}:${defaultListen.port}`
    for (const { text } of blocks) expect(text).toContain(address)
    for (const section of sections) expect(section).toMatch(/^```/m)
  })

  it.each(['json', 'yaml'])('has %s that can be read', language => {
    const texts = blocks.filter(block => block.language === language).map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(0)
    for (const text of texts) expect(() => parse(text)).not.toThrow()
  })
})

describe('deploy/', () => {
  it('has limits that fit those of the proxy', () => {
    const nginx = read('deploy/nginx.conf')
    const value = (name: string) => Number(new RegExp(`\\b${name} (\\d+)[ms]`).exec(nginx)?.[1])
    expect(value('client_max_body_size') * 1024 * 1024).toBe(defaultLimits.bodyBytes)
    expect(value('proxy_read_timeout') * 60_000).toBeGreaterThan(defaultLimits.requestMs)
    expect(value('keepalive_timeout') * 1000).toBeLessThan(defaultServerLimits.keepAliveMs)
    const stop = /^TimeoutStopSec=(\d+)$/m.exec(read('deploy/toolglot-proxy.service'))?.[1]
    expect(Number(stop) * 1000).toBeGreaterThan(defaultServerLimits.drainMs)
  })

  it('has a compose file that builds the proxy and checks keys only by the environment', () => {
    const { services } = parse(read('deploy/compose.yaml'))
    expect(Object.keys(services)).toEqual(['proxy', 'upstream'])
    expect(services.proxy.build.dockerfile).toBe('deploy/Dockerfile')
    expect(services.proxy.ports[0]).toMatch(/^127\.0\.0\.1:/)
  })

  it('has an image that copies only what there is, and does not run as root', () => {
    const text = read('deploy/Dockerfile')
    expect(text).toMatch(/^USER node$/m)
    expect(text).toMatch(/^HEALTHCHECK [\s\S]*\/health/m)
    const sources = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(sources).toContain('package-lock.json')
    for (const source of sources.filter(name => name.includes('.')))
      expect(() => read(source)).not.toThrow()
  })
})
