import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runCli } from '../src/run-cli.js'
import { createFakeOutput } from './fake-terminal.js'

export interface RunOptions {
  /** The input, piece by piece. */
  readonly stdin?: readonly (string | Uint8Array)[]
  readonly env?: Readonly<Record<string, string>>
  readonly isTTY?: boolean
}

/** Runs a command in this process. */
export async function runCommand(
  argv: readonly string[],
  { stdin = [], env = {}, isTTY }: RunOptions = {},
) {
  const stdout = { ...createFakeOutput(), isTTY, columns: isTTY ? 80 : undefined }
  const stderr = createFakeOutput()
  async function* pieces() {
    yield* stdin
  }
  const exitCode = await runCli({ argv, stdin: pieces(), stdout, stderr, env })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

/** A directory for the files of a test. It is removed after the tests. */
export function createFiles() {
  const directory = mkdtempSync(join(tmpdir(), 'toolglot-cli-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return {
    directory,
    write(name: string, content: unknown): string {
      const path = join(directory, name)
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
      return path
    },
  }
}

const weatherSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}

export const openAiTools = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      description: 'The weather in a city.',
      parameters: weatherSchema,
    },
  },
]
export const anthropicTools = [
  { name: 'get_weather', description: 'The weather.', input_schema: weatherSchema },
]
export const mcpTools = {
  jsonrpc: '2.0',
  id: 1,
  result: { tools: [{ name: 'get_weather', inputSchema: weatherSchema }] },
}
export const plainTools = [
  { name: 'get_weather', description: 'The weather.', inputSchema: weatherSchema },
]

/** Parses lines of JSON. */
export function linesOf(stdout: string): Record<string, unknown>[] {
  return stdout
    .trimEnd()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}
