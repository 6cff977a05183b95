import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { freePort, untilUp } from './start-nginx.js'

const source = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

interface Runtime {
  /** The arguments that serve `worker.mjs` in the folder at hand on a port. */
  readonly serve: (port: number) => readonly string[]
  /** What else it wants in that folder. */
  readonly files?: (port: number) => Readonly<Record<string, string>>
}

export const runtimes: Readonly<Record<string, Runtime>> = {
  bun: { serve: () => ['worker.mjs'] },
  deno: {
    serve: port => [
      'serve',
      '--allow-net',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      'worker.mjs',
    ],
  },
  workerd: {
    serve: () => ['serve', 'workerd.capnp'],
    files: port => ({
      'workerd.capnp': `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker.mjs", esModule = embed "worker.mjs")], compatibilityDate = "2025-01-01")),
    (name = "internet", network = (allow = ["local", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
    }),
  },
}

export function hasRuntime(name: string): boolean {
  return spawnSync(name, ['--version']).status === 0
}

/** The proxy's handler, and nothing that a runtime would have to have beside web standards. */
const workerOf = (upstreamUrl: string, port: number) => `
import { createProxy, defaultLimits, defaultRule } from '@toolglot/proxy'

const proxy = createProxy({
  upstreams: [{ name: 'scripted', baseUrl: ${JSON.stringify(upstreamUrl)} }],
  models: [defaultRule],
  clientKeys: [],
  heartbeatMs: 300,
  limits: defaultLimits,
})

export default { port: ${port}, hostname: '127.0.0.1', fetch: request => proxy.fetch(request) }
`

/** Serves the proxy in another runtime than Node. */
export async function startRuntime(name: string, upstreamUrl: string) {
  const runtime = runtimes[name]
  if (!runtime) throw new Error(`There is no runtime ${name}.`)
  const folder = mkdtempSync(join(tmpdir(), `toolglot-${name}-`))
  const port = await freePort()
  await build({
    stdin: { contents: workerOf(upstreamUrl, port), resolveDir: source('proxy'), loader: 'ts' },
    alias: {
      '@toolglot/parser': source('parser/src/index.ts'),
      '@toolglot/proxy': source('proxy/src/index.ts'),
    },
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
  })
  for (const [file, text] of Object.entries(runtime.files?.(port) ?? {}))
    writeFileSync(join(folder, file), text)
  const child = spawn(name, runtime.serve(port), {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (piece: string) => {
      said += piece
    })
  }
  const exit = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  await untilUp(`${origin}/health`, () => child.exitCode !== null && `${name} ended: ${said}`)
  return {
    origin,
    async close() {
      child.kill('SIGKILL')
      await exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
