import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type ChatServer,
  startChatServer,
} from '../../packages/parser/test/sdk/support/chat-server.js'
import { freePort, type Running, readCommands, runCommands } from './readme-commands.js'

/** Each example runs by the commands of its README, against a server that plays a model. */

const examples = new URL('../', import.meta.url)
const folders = readdirSync(examples, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== 'test')
  .map(entry => entry.name)

interface PackageFile {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const readPackage = (path: string): PackageFile =>
  JSON.parse(readFileSync(new URL(`${path}/package.json`, examples), 'utf8'))

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A model that gives these answers. */
async function startModel(...answers: readonly string[]): Promise<ChatServer> {
  const server = await startChatServer(answers)
  cleanups.push(() => server.close())
  return server
}

/** Runs a block of commands of an example's README. */
function run(
  folder: string,
  { baseURL }: { readonly baseURL: string },
  { block = 0, env = {} }: { readonly block?: number; readonly env?: Record<string, string> } = {},
): Running {
  const running = runCommands(readCommands(folder)[block] ?? '', baseURL, env)
  cleanups.push(() => running.stop())
  return running
}

async function expectSuccess(running: Running): Promise<string> {
  const code = await running.exit
  expect(code, running.output()).toBe(0)
  return running.output()
}

const hermes = (name: string, args: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${args}}\n</tool_call>`

/** What the model was shown last. */
const lastMessage = ({ bodies }: ChatServer) =>
  JSON.stringify(bodies.at(-1)?.messages.at(-1)?.content)

describe('each example', () => {
  it.each(folders)('%s is listed, and its page installs and builds first', folder => {
    const list = readFileSync(new URL('README.md', examples), 'utf8')
    expect(list).toContain(`[${folder}](${folder})`)
    const [first = ''] = readCommands(folder)
    expect(first.trim().split('\n')).toHaveLength(3)
    expect(first).toMatch(/^npm ci && npm run build .*\nexport BASE_URL=\S+/)
  })

  it.each(folders)('%s has the dependencies that the repository installs', folder => {
    const root = readPackage('..')
    const { dependencies, devDependencies } = readPackage(folder)
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      const installed =
        name === 'toolglot'
          ? readPackage('../packages/cli').version
          : name.startsWith('@toolglot/')
            ? readPackage(`../packages/${name.slice('@toolglot/'.length)}`).version
            : root.devDependencies?.[name]
      expect(version, name).toBe(installed)
    }
  })
})

describe('local-server', () => {
  it('calls two tools and prints the answer', async () => {
    const model = await startModel(
      `Let me look.\n${hermes('list_notes', '{}')}`,
      hermes('read_note', '{"name": "tuesday.md"}'),
      'You meet her on Tuesday at 12:30.',
    )
    const output = await expectSuccess(run('local-server', model))
    expect(output).toContain('Let me look.\n\n> list_notes {}\n< ["monday.md","tuesday.md"]')
    expect(output).toContain('> read_note {"name":"tuesday.md"}\n< "Lunch with Ada at 12:30')
    expect(output).toContain('You meet her on Tuesday at 12:30.\n')
    expect(model.bodies).toHaveLength(3)
    expect(lastMessage(model)).toContain('Café Central')
  })
})

describe('use-chat', () => {
  it('serves the bundle of the page and streams the parts of a call', async () => {
    const model = await startModel(
      hermes('get_weather', '{"city": "Paris"}'),
      'It is clear, 21 degrees.',
    )
    const port = await freePort()
    const server = run('use-chat', model, { env: { PORT: String(port) } })
    await server.waitFor(`Open http://localhost:${port}`)
    const url = `http://127.0.0.1:${port}`

    const page = await (await fetch(url)).text()
    expect(page).toContain('<script src="/page.js">')
    const bundle = await (await fetch(`${url}/page.js`)).text()
    expect(bundle).toContain('What is the weather in Paris?')
    expect((await fetch(`${url}/server.js`)).status).toBe(404)

    const parts = [{ type: 'text', text: 'How is Paris?' }]
    const response = await fetch(`${url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({ id: 'chat', messages: [{ id: 'm', role: 'user', parts }] }),
    })
    const stream = readEvents(await response.text())
    const input = stream.filter(({ type }) => type === 'tool-input-delta')
    expect(input.map(({ inputTextDelta }) => inputTextDelta).join('')).toBe('{"city":"Paris"}')
    expect(stream).toContainEqual(
      expect.objectContaining({
        type: 'tool-output-available',
        output: { city: 'Paris', sky: 'clear', celsius: 21 },
      }),
    )
    const text = stream.filter(({ type }) => type === 'text-delta').map(({ delta }) => delta)
    expect(text.join('')).toBe('It is clear, 21 degrees.')
  })
})

/** The JSON of the events of a stream: `data: {…}`. */
function readEvents(text: string): Record<string, unknown>[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json))
}

describe('approve-repaired-calls', () => {
  // The second call has a comma too many, the third one lacks a bracket.
  const calls = ['{"path": "app.log"}', '{"path": "old.log",}', '{"path": "report.pdf"']
    .map(args => hermes('delete_file', args))
    .join('\n')

  it.each([
    // The second block is for the same terminal: the variables are those of the first one.
    { program: 'AI SDK 6', block: 0, repair: 'There was a comma too many.' },
    { program: 'AI SDK 7', block: 1, repair: 'extra-comma' },
  ])('$program: asks about the repaired calls, and obeys', async ({ block, repair }) => {
    const model = await startModel(calls, 'Done.')
    const env = { BASE_URL: model.baseURL, MODEL: 'qwen3' }
    const agent = run('approve-repaired-calls', model, { block, env })
    await agent.waitFor('Run it? [y/N]')
    agent.child.stdin?.write('y\n')
    await agent.waitFor('{"path":"report.pdf"}')
    agent.child.stdin?.write('n\n')
    const output = await expectSuccess(agent)
    expect(output.match(/The model meant .*/g)).toEqual([
      'The model meant delete_file {"path":"old.log"}, but wrote it with mistakes:',
      'The model meant delete_file {"path":"report.pdf"}, but wrote it with mistakes:',
    ])
    expect(output).toContain(`mistakes:\n- ${repair}\nRun it? [y/N]`)
    expect(output).toContain('Done.\nFiles: report.pdf\n')
    const shown = JSON.stringify(model.bodies[1]?.messages)
    expect(shown).toContain('app.log is deleted')
    expect(shown).toContain('old.log is deleted')
    expect(shown).toContain('The user did not allow this call')
  })
})

describe('proxy-and-openai-client', () => {
  it('runs the tool of the client and prints the answer', async () => {
    const model = await startModel(
      hermes('get_weather', '{"city": "Paris"}'),
      'It is clear, 21 degrees.',
    )
    const port = await freePort()
    const env = { TOOLGLOT_PORT: String(port), PROXY_URL: `http://127.0.0.1:${port}/v1` }
    const proxy = run('proxy-and-openai-client', model, { env })
    await proxy.waitFor(String(port))
    const output = await expectSuccess(run('proxy-and-openai-client', model, { block: 1, env }))
    expect(output).toContain('> get_weather Paris\nIt is clear, 21 degrees.\n')
    expect(lastMessage(model)).toContain('celsius')
    // The server was asked in words.
    expect(model.bodies[0]).not.toHaveProperty('tools')
  })
})

describe('own-protocol', () => {
  it('asks and reads in its format', async () => {
    const model = await startModel(
      'I roll.\n$call{"name": "roll_dice", "arguments": {"count": 3, "sides": "8"}}$end',
      'You rolled enough.',
    )
    const output = await expectSuccess(run('own-protocol', model))
    expect(output).toMatch(/I roll\.\n\n> roll_dice \{"count":3,"sides":8\}\n< \d+\nYou rolled/)
    expect(JSON.stringify(model.bodies[0]?.messages)).toContain('write $call{')
    expect(lastMessage(model)).toMatch(/\$result roll_dice: \d+/)
  })
})

describe('compact-hosted-model', () => {
  it('prints the calls and the tokens of both runs', async () => {
    const model = await startModel(
      'I cannot book.',
      '@search_flights from=Rome to=Oslo date=2027-03-01',
      '@book_flight flight="TG 204" passengers=Ada,Grace',
      'It is booked: K7QX2P.',
    )
    const output = await expectSuccess(run('compact-hosted-model', model))
    expect(output).toContain('native: I cannot book.\n  calls: none\n  tokens: 3 in, 10 out\n')
    expect(output).toContain('compact: It is booked: K7QX2P.\n  calls: search_flights, book_flight')
    expect(output).toContain('  tokens: 9 in, 30 out')
    expect(model.bodies.map(body => 'tools' in body)).toEqual([true, false, false, false])
  })
})

describe('edge-function', () => {
  it('streams the answer', async () => {
    const model = await startModel(hermes('get_time', '{"timeZone": "Asia/Tokyo"}'), 'It is late.')
    const port = await freePort()
    const server = run('edge-function', model, { env: { PORT: String(port) } })
    await server.waitFor(`Listening on http://localhost:${port}`)
    const response = await fetch(`http://localhost:${port}`, { method: 'POST', body: 'Time?' })
    expect(await response.text()).toBe('It is late.')
    expect(lastMessage(model)).toMatch(/\d\d:\d\d:\d\d/)
  })

  for (const runtime of ['bun', 'deno']) {
    it.skipIf(!isInstalled(runtime))(`runs with ${runtime}`, async () => {
      const model = await startModel('It is late.')
      const port = await freePort()
      const env = {
        BASE_URL: model.baseURL,
        PORT: String(port),
        DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
      }
      const page = readFileSync(new URL('edge-function/README.md', examples), 'utf8')
      const [command = ''] = new RegExp(`(?<=\`)${runtime} [^\`]+`).exec(page) ?? []
      const server = runCommands(`cd examples/edge-function && ${command}`, model.baseURL, env)
      cleanups.push(() => server.stop())
      await server.waitFor(`:${port}`)
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'Time?' })
      expect(await response.text()).toBe('It is late.')
    })
  }
})

describe('deno-and-bun', () => {
  const runtimes = [
    { runtime: 'deno', block: 0 },
    { runtime: 'bun', block: 1 },
    { runtime: 'node', block: 2 },
  ]
  for (const { runtime, block } of runtimes) {
    it.skipIf(!isInstalled(runtime))(`runs its tool with ${runtime}`, async () => {
      const model = await startModel(
        `I count.\n${hermes('days_between', '{"from": "2027-03-12", "to": "soon"}')}`,
        hermes('days_between', '{"from": "2027-03-12", "to": "2027-11-03",}'),
        hermes('days_between', '{"from": "2027-03-12", "to": }'),
        'It is 236 days.',
      )
      const env = { BASE_URL: model.baseURL, MODEL: 'qwen3' }
      const output = await expectSuccess(run('deno-and-bun', model, { block, env }))
      expect(output).toContain(
        'I count.\n> days_between {"from":"2027-03-12","to":"soon"}\n< "Error',
      )
      expect(output).toContain(
        '> days_between {"from":"2027-03-12","to":"2027-11-03"}\n< {"days":236}',
      )
      expect(output).toContain('malformed-arguments: ')
      expect(output).toMatch(/It is 236 days\.\n$/)
      expect(lastMessage(model)).toContain('could not be read')
    })
  }
})

function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0
}
