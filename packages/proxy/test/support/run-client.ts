import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A folder for one run of a command-line client: its home, its configuration, its work. */
export interface ClientFolder {
  readonly path: string
  /** The folder in which the client works. */
  readonly work: string
  remove(): void
}

export interface ClientRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** True if a client is on the PATH. `.ci/run` installs them where it can. */
export function hasClient(name: string): boolean {
  return spawnSync(name, ['--version']).status === 0
}

/** Makes a folder with files in it, whose text may contain the path of the folder. */
export function makeClientFolder(
  files: (path: string) => Readonly<Record<string, string>>,
): ClientFolder {
  const path = mkdtempSync(join(tmpdir(), 'toolglot-client-'))
  const work = join(path, 'work')
  mkdirSync(work)
  for (const [name, text] of Object.entries(files(path))) {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return { path, work, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Runs a client in its folder, without input. All addresses but those of the loopback lead to a port
 * on which nothing listens, so that no test asks anybody outside.
 */
export async function runClient(
  name: string,
  args: readonly string[],
  { path, work }: ClientFolder,
  env: Readonly<Record<string, string>> = {},
): Promise<ClientRun> {
  const nowhere = 'http://127.0.0.1:9'
  const child = spawn(name, args, {
    cwd: work,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: path,
      TMPDIR: path,
      ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere },
      ...{ http_proxy: nowhere, https_proxy: nowhere, all_proxy: nowhere },
      ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
      ...env,
    },
  })
  const texts = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text
  })
  // A client that waits for something would wait for ever.
  const timer = setTimeout(() => child.kill('SIGKILL'), 150_000)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { code, ...texts }
}

/** A server of the Model Context Protocol with one tool, as a program for Node. */
export const notesServer = `
import { createInterface } from 'node:readline'

const readNote = {
  name: 'read_note',
  description: 'Reads a note.',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
}
const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [readNote] }),
  'tools/call': ({ arguments: { title } }) => ({
    content: [{ type: 'text', text: 'The note ' + title + ' says: buy 7 lemons.' }],
  }),
}
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = results[method]?.(params)
  const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n')
})
`
