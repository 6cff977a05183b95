import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { askChat, textOfStream } from './support/ask-chat.js'
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  weatherTool,
} from './support/scripted-upstream.js'
import { type CliProcess, spawnCli } from './support/spawn-cli.js'
import { hasScript, startInTerminal } from './support/start-in-terminal.js'

const answer =
  'This answer is long enough to be on its way for a while, so that something may happen to it.'
const folder = mkdtempSync(join(tmpdir(), 'toolglot-cli-'))
const started: CliProcess[] = []
let upstream: ScriptedUpstream

function run(argv: readonly string[], env: Record<string, string> = {}) {
  const cli = spawnCli(['proxy', ...argv], env)
  started.push(cli)
  return cli
}

async function serve(argv: readonly string[] = [], env: Record<string, string> = {}) {
  const cli = run(['--port', '0', ...argv], { TOOLGLOT_UPSTREAM: upstream.baseUrl, ...env })
  const { address } = await cli.line('listening')
  return { cli, address: String(address) }
}

async function result(argv: readonly string[], env: Record<string, string> = {}) {
  const cli = run(argv, env)
  return { code: await cli.exit, stdout: cli.stdout(), stderr: cli.stderr() }
}

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const answers = (address: string) =>
  fetch(`${address}/health`).then(
    () => true,
    () => false,
  )

beforeAll(async () => {
  upstream = await startScriptedUpstream({
    script: ({ body }) =>
      body.model === 'plain-long'
        ? { text: answer.repeat(20) }
        : body.model === 'plain'
          ? { text: answer }
          : { calls: [{ name: 'get_weather', args: { city: 'Rome' } }] },
    chunkChars: 4,
    delayMs: 40,
  })
})
afterEach(async () => {
  for (const { child, exit } of started.splice(0)) {
    child.kill('SIGKILL')
    await exit
  }
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await upstream.close()
})

describe('toolglot proxy', () => {
  it('shows its help: every option, the signals and the exit codes', async () => {
    const { code, stdout } = await result(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: toolglot proxy [options]')
    for (const option of [
      ...[
        'config',
        'upstream',
        'upstream-key-env',
        'host',
        'port',
        'protocol',
        'mode',
        'reasoning',
        'api-key-env',
      ],
      ...['drain', 'log-level', 'log-bodies', 'check', 'help'],
    ])
      expect(stdout).toMatch(new RegExp(`^ .*--${option}\\b`, 'm'))
    expect(stdout).toContain('SIGHUP')
    expect(stdout).toContain('Exit codes: 0')
    expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  })

  it('makes a server of text call tools', async () => {
    const { address } = await serve()
    const { name, description, inputSchema } = weatherTool
    const response = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'perfect-hermes',
        messages: [{ role: 'user', content: 'How is the weather in Rome?' }],
        tools: [{ type: 'function', function: { name, description, parameters: inputSchema } }],
      }),
    })
    const { choices } = await response.json()
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }],
      },
    })
  })

  it('refuses a broken configuration with exit code 2, and says where', async () => {
    const path = file(
      'broken.yaml',
      'upstream: http://a/v1\nmodels:\n  - match: a\n    mode: promt\n  - mach: b\n',
    )
    const { code, stdout, stderr } = await result(['--config', path])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.split('\n')).toEqual([
      `toolglot: ${path}:4:11: models[0].mode: is "promt". Did you mean "prompt"? Choose one of: prompt, rescue, off.`,
      `toolglot: ${path}:5:5: models[1].match: is missing. Add it here.`,
      expect.stringContaining(
        `toolglot: ${path}:5:5: models[1].mach: is not a known key. Did you mean "match"?`,
      ),
      '',
    ])
  })

  it.each([
    ['an option that is not there', ['--prot', '1'], 'Unknown option'],
    ['no server', [], 'No upstream is configured. Set the URL of a server'],
    [
      'a file that is not there',
      ['--config', '/no/such/file.yaml'],
      '/no/such/file.yaml: cannot be read: ENOENT',
    ],
    ['a port that is none', ['--upstream', 'http://a/v1', '--port', 'x'], '--port: is "x"'],
  ])('refuses %s with exit code 2', async (_, argv, message) => {
    const { code, stderr } = await result(argv)
    expect(stderr).toContain(`toolglot: ${message}`)
    expect(code).toBe(2)
  })

  it('checks a configuration without serving it, and tries the server', async () => {
    const path = file('right.yaml', `upstream: ${upstream.baseUrl}\n`)
    expect(await result(['--check', '--config', path])).toEqual({
      code: 0,
      stdout: `The configuration is valid.\nThe upstream "default" (${upstream.baseUrl}): reached: an unknown kind of server, 9 models\n`,
      stderr: '',
    })
  })

  it('warns of a server that cannot be reached, which is no mistake of the configuration', async () => {
    expect(await result(['--check', '--upstream', 'http://127.0.0.1:9/v1'])).toEqual({
      code: 0,
      stdout: 'The configuration is valid.\n',
      stderr:
        'toolglot: warning: The upstream "default" (http://127.0.0.1:9/v1): not reached: nothing listens there. Start the server, before or after the proxy.\n',
    })
  })

  it.skipIf(!hasScript)('is readable in a terminal: addresses, server, requests', async () => {
    const terminal = startInTerminal(['--port', '0', '--upstream', upstream.baseUrl])
    onTestFinished(() => terminal.close())
    const shown = await terminal.until(/"content": "Hello"\}\]\}'/)
    const address = /OpenAI clients +(http:\S+)\/v1/.exec(shown)?.[1] ?? ''
    expect(shown).toContain(`Anthropic clients  ${address}`)
    expect(shown).toMatch(/reached: an unknown kind of server, 9 models/)
    expect((await askChat(address)).status).toBe(200)
    expect(await terminal.until(/ s\r?\n/)).toMatch(
      /\d\d:\d\d:\d\d {2}200 {2}POST \/v1\/chat\/completions {2}plain {2}\d+\.\d s/,
    )
    // The command that is shown works as it is.
    const curl = /curl[\s\S]*?\]\}'/.exec(shown)?.[0].replaceAll('\r', '') ?? ''
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${curl} --silent`])
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' })
    terminal.close()
    // Nothing is left that listens there.
    while (await answers(address)) await sleep(20)
  })

  it('says that its port is in use, with exit code 1', async () => {
    const { address } = await serve()
    const port = new URL(address).port
    const { code, stdout, stderr } = await result(['--upstream', upstream.baseUrl, '--port', port])
    expect(stderr).toBe(
      `toolglot: 127.0.0.1:${port} is in use. Stop the program that listens there, or choose another port with --port.\n`,
    )
    expect(stdout).toBe('')
    expect(code).toBe(1)
  })

  it('requires client keys, sends its own to the server, and logs none of them', async () => {
    const { cli, address } = await serve(['--upstream-key-env', 'MINE', '--log-bodies'], {
      MINE: 'sk-of-the-server',
      TOOLGLOT_API_KEYS: 'client-one,client-two',
    })
    expect((await askChat(address)).status).toBe(401)
    expect((await askChat(address, { key: 'client-two', text: 'client-one?' })).status).toBe(200)
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-server')
    await cli.line('request', 2)
    expect(cli.stdout() + cli.stderr()).not.toMatch(/sk-of-the-server|client-one|client-two/)
  })

  it('reloads on SIGHUP without dropping a stream, and keeps what it has if the file is broken', async () => {
    const path = file('live.yaml', `upstream: ${upstream.baseUrl}\n`)
    const cli = run(['--config', path, '--port', '0'])
    const address = String((await cli.line('listening')).address)
    const streaming = await askChat(address, { stream: true })

    file('live.yaml', `upstream: ${upstream.baseUrl}\nclients: { keys: [a-new-key] }\n`)
    cli.child.kill('SIGHUP')
    await cli.line('reloaded')
    expect((await askChat(address)).status).toBe(401)

    file('live.yaml', 'upstream: [\n')
    cli.child.kill('SIGHUP')
    const { problems } = await cli.line('the configuration is invalid; the old one stays in use')
    expect(problems).toEqual([expect.stringContaining(`${path}:`)])
    expect((await askChat(address, { key: 'a-new-key' })).status).toBe(200)
    expect(textOfStream(await streaming.text())).toBe(answer)
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets a stream end on %s, and ends with exit code 0',
    async signal => {
      const { cli, address } = await serve()
      const streaming = await askChat(address, { stream: true })
      cli.child.kill(signal)
      await cli.line('shutting down')
      await expect(askChat(address)).rejects.toThrow()
      expect(textOfStream(await streaming.text())).toBe(answer)
      expect(await cli.exit).toBe(0)
      expect(cli.log().at(-1)).toMatchObject({ msg: 'stopped', isCut: false })
      expect(cli.stderr()).toBe('')
    },
  )

  it('goes on when nobody reads its log any more', async () => {
    const { cli, address } = await serve()
    cli.child.stdout?.destroy()
    for (let i = 0; i < 3; i++)
      expect(await (await askChat(address)).json()).toMatchObject({ object: 'chat.completion' })
    cli.child.kill('SIGTERM')
    expect(await cli.exit).toBe(0)
    expect(cli.stderr()).toBe('')
  })

  it('cuts a stream off when it takes longer than --drain, with exit code 1', async () => {
    const { cli, address } = await serve(['--drain', '150ms'])
    const streaming = await askChat(address, { stream: true, model: 'plain-long' })
    const reading = expect(streaming.text()).rejects.toThrow()
    cli.child.kill('SIGTERM')
    await reading
    expect(await cli.exit).toBe(1)
  })

  it('ends at once on a second signal', async () => {
    const { cli, address } = await serve()
    const streaming = await askChat(address, { stream: true, model: 'plain-long' })
    const reading = expect(streaming.text()).rejects.toThrow()
    cli.child.kill('SIGTERM')
    await cli.line('shutting down')
    cli.child.kill('SIGTERM')
    await reading
    expect(await cli.exit).toBe(1)
  })
})
