import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { help } from '../../src/live/help.js'
import { createDirectory, serve } from './bench.js'

const register = new URL('../../../proxy/test/support/register-sources.mjs', import.meta.url).href
const program = fileURLToPath(new URL('../../src/bench-live.ts', import.meta.url))

/** Runs the program in that directory, with these variables and no others. */
async function run(
  directory: string,
  env: Readonly<Record<string, string>>,
  ...flags: readonly string[]
) {
  const only = ['--protocols', 'native', '--cases', 'single/thermometer', '--reps', '1']
  const child = spawn(process.execPath, ['--import', register, program, ...only, ...flags], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', TMPDIR: process.env.TMPDIR ?? '/tmp', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [exitCode] = await once(child, 'close')
  return { exitCode, stderr }
}

describe('a file .env in the working directory', () => {
  it('is read; variables that are set win over it, and flags over both', async () => {
    const { baseUrl, requests } = await serve()
    const directory = createDirectory()
    const lines = [
      `ZAI_BASE_URL=${baseUrl}`,
      'ZAI_API_KEY="key-in-the-file"  # a comment',
      'ZAI_MODEL=perfect',
    ]
    writeFileSync(join(directory, '.env'), lines.join('\n'))
    const runs = [
      await run(directory, {}),
      await run(directory, { ZAI_API_KEY: 'key-in-the-environment', ZAI_MODEL: 'chatty' }),
      await run(directory, {}, '--models', 'slow'),
    ]
    expect(runs.map(({ exitCode, stderr }) => (exitCode === 0 ? 0 : stderr))).toEqual([0, 0, 0])
    expect(requests.map(({ body, authorization }) => [body.model, authorization])).toEqual([
      ['perfect', 'Bearer key-in-the-file'],
      ['chatty', 'Bearer key-in-the-environment'],
      ['slow', 'Bearer key-in-the-file'],
    ])
  })

  it('need not be there', async () => {
    const { exitCode, stderr } = await run(createDirectory(), {})
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--base-url is missing')
  })

  it('that cannot be read is a mistake', async () => {
    const directory = createDirectory()
    mkdirSync(join(directory, '.env'))
    const { exitCode, stderr } = await run(
      directory,
      {},
      '--base-url',
      'http://127.0.0.1:9/v1',
      '--model',
      'perfect',
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('bench:live: .env cannot be read')
  })
})

describe('.env.example', () => {
  it('has every variable that --help and the documentation explain, all of them empty', () => {
    const read = (path: string) =>
      readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
    const variables = Object.entries(parseEnv(read('.env.example')))
    expect(variables.map(([, value]) => value).join('')).toBe('')
    const names = variables.map(([name]) => name).sort()
    for (const text of [help, read('docs/bench-live.md')]) {
      expect([...new Set(text.match(/\b(?:TOOLGLOT|OPENROUTER|ZAI)_[A-Z_]+\b/g))].sort()).toEqual(
        names,
      )
    }
  })
})
