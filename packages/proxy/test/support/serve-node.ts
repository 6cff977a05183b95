import {
  type Overrides,
  readConfig,
  type ServeOptions,
  type ServingProxy,
  serveProxy,
} from '@toolglot/proxy/node'

export interface NodeProxy {
  readonly proxy: ServingProxy
  /** `http://127.0.0.1:1234` */
  readonly origin: string
  readonly port: number
  /** The log so far. */
  readonly log: () => string
  readonly lines: () => Record<string, unknown>[]
  /** Waits for no answer. */
  close(): Promise<void>
}

/** The proxy as `toolglot proxy` serves it, with a configuration in YAML. */
export async function serveNode(
  yaml: string,
  { overrides = {}, ...options }: Partial<ServeOptions> & { overrides?: Overrides } = {},
): Promise<NodeProxy> {
  const { config, problems } = readConfig(yaml, { overrides: { port: 0, ...overrides } })
  if (!config) throw new Error(JSON.stringify(problems))
  let log = ''
  const write = (text: string) => {
    log += text
  }
  const proxy = await serveProxy({ config, output: { write }, ...options })
  return {
    proxy,
    origin: proxy.address,
    port: Number(new URL(proxy.address).port),
    log: () => log,
    lines: () =>
      log
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
    async close() {
      await Promise.all([proxy.close(), proxy.close()])
    },
  }
}
