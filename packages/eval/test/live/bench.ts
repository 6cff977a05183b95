import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type RunRecord, runRecord } from '../../src/live/record.js'
import type { Fetch } from '../../src/live/retrying-fetch.js'
import { runLive } from '../../src/live/run-live.js'
import { type ScriptedServer, type ServerOptions, startScriptedServer } from './scripted-server.js'

globalThis.AI_SDK_LOG_WARNINGS = false

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

/** A server and a directory that are gone after the test. */
export async function serve(options: ServerOptions = {}): Promise<ScriptedServer> {
  const server = await startScriptedServer(options)
  cleanups.push(() => server.close())
  return server
}

export function createDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bench-live-'))
  cleanups.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export interface BenchResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface BenchOptions {
  readonly signal?: AbortSignal
  readonly env?: Readonly<Record<string, string>>
  /** Sends the requests in place of the global one. */
  readonly fetch?: Fetch
}

export async function bench(
  argv: readonly string[],
  { signal = new AbortController().signal, env = {}, fetch }: BenchOptions = {},
): Promise<BenchResult> {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
    },
  })
  const surroundings = { argv, stdout: output('stdout'), stderr: output('stderr'), env, signal }
  const exitCode = await runLive(surroundings, { firstDelayMs: 1, fetch })
  return { exitCode, ...written }
}

/** The records of a results file; the first line, with the settings, is not among them. */
export function readRecords(directory: string): RunRecord[] {
  return readLines(directory)
    .slice(1)
    .map(line => runRecord.parse(JSON.parse(line)))
}

export function readLines(directory: string): string[] {
  return readFileSync(join(directory, 'results.jsonl'), 'utf8').split('\n').filter(Boolean)
}
