import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { runCli } from '../src/run-cli.js'
import { createFakeOutput } from './fake-terminal.js'

async function run(...argv: string[]) {
  const stdout = createFakeOutput()
  const stderr = createFakeOutput()
  const exitCode = await runCli({ argv, stdout, stderr, env: {} })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

describe('the command line', () => {
  it('shows its help', async () => {
    const { exitCode, stdout } = await run('--help')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('Usage: toolglot <command>')
    expect(stdout).toContain('demo')
  })

  it('shows its version', async () => {
    const { exitCode, stdout } = await run('--version')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  })

  it('shows its help as an error if there is no command', async () => {
    const { exitCode, stdout, stderr } = await run()
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('Usage:')
  })

  it.each([
    [
      'an unknown command',
      ['dmeo'],
      'Unknown command "dmeo". Did you mean demo? The commands are: demo,',
    ],
    [
      'an unknown option',
      ['--frobnicate'],
      "Unknown option '--frobnicate'. The options are: --help, --version.",
    ],
    [
      'an unknown option of demo',
      ['demo', '--fats'],
      "Unknown option '--fats'. Did you mean --fast? The options are: --protocol, --fast,",
    ],
    [
      'a missing value',
      ['demo', '--protocol'],
      "Option '--protocol <value>' argument missing. The options are:",
    ],
    ['an argument too many', ['demo', 'hermes'], 'demo takes only options, not arguments: hermes'],
    ['a model without an endpoint', ['demo', '--model', 'm'], '--model needs --base-url'],
    ['a prompt without an endpoint', ['demo', '--prompt', 'p'], '--prompt needs --base-url'],
    [
      'an endpoint without a model',
      ['demo', '--base-url', 'http://localhost/v1'],
      '--base-url needs --model',
    ],
    [
      'an endpoint that is not a URL',
      ['demo', '--base-url', 'local', '--model', 'm'],
      '--base-url is "local"',
    ],
    [
      'an address of another kind',
      ['demo', '--base-url', 'file:///x', '--model', 'm'],
      '--base-url is "file:///x"',
    ],
  ])('refuses %s with exit code 2', async (_, argv, message) => {
    const { exitCode, stdout, stderr } = await run(...argv)
    expect(stderr).toContain(`toolglot: ${message}`)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('suggests the nearest protocol for an unknown name', async () => {
    const { exitCode, stderr } = await run('demo', '--protocol', 'qwen3-codr')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('"qwen3-codr". Did you mean qwen3_coder?')
  })

  it('lists all protocols in the help of demo', async () => {
    const { exitCode, stdout } = await run('demo', '--help')
    expect(exitCode).toBe(0)
    for (const name of listProtocols()) expect(stdout).toContain(name)
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(120)
  })
})
