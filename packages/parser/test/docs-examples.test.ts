import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getProtocol } from '@toolglot/parser'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ChatServer, startChatServer } from './sdk/support/chat-server.js'

/**
 * The examples of the documentation are programs: each is type-checked and run, on a server that
 * plays the model.
 */

const root = new URL('../../../', import.meta.url)
const folder = new URL('./.examples/', import.meta.url)
const pages = [
  'README.md',
  'MIGRATE.md',
  'packages/parser/README.md',
  ...readdirSync(new URL('docs/', root)).map(file => `docs/${file}`),
].filter(page => page.endsWith('.md'))

const examples = pages.flatMap(page => {
  const blocks = [...readFileSync(new URL(page, root), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)]
  return blocks.map(([, code = ''], i) => ({ name: `${page} ${i + 1}`, code }))
})

const call = getProtocol('hermes').formatToolCall({
  toolCallId: '',
  toolName: 'get_weather',
  input: { city: 'Paris' },
})
let server: ChatServer
const files = new Map<string, string>()

beforeAll(async () => {
  server = await startChatServer([`Let me look.\n${call}`, 'It is clear, 21 degrees.', 'Hello.'])
  mkdirSync(folder, { recursive: true })
  examples.forEach(({ name, code }, i) => {
    const runnable = code
      .replaceAll(`from 'ai'`, `from 'ai-v6'`)
      .replaceAll(`from '@ai-sdk/openai-compatible'`, `from 'openai-compatible-v2'`)
      .replaceAll('http://localhost:8080/v1', server.baseURL)
    const file = fileURLToPath(new URL(`example-${i}.ts`, folder))
    writeFileSync(file, runnable)
    files.set(name, file)
  })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
})

describe('the examples of the documentation', () => {
  it('are found', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6)
  })

  it('type-check', () => {
    const { config } = ts.readConfigFile(
      fileURLToPath(new URL('tsconfig.test.json', root)),
      ts.sys.readFile,
    )
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, fileURLToPath(root))
    const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...files.values()], options))
    expect(
      diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ).toEqual([])
  }, 120_000)

  it.each(examples)('$name runs', async ({ name }) => {
    const output: string[] = []
    const collect = (text: unknown) => output.push(String(text)) > 0
    vi.spyOn(process.stdout, 'write').mockImplementation(collect)
    vi.spyOn(console, 'log').mockImplementation(collect)
    try {
      await import(pathToFileURL(files.get(name) ?? '').href)
    } finally {
      vi.restoreAllMocks()
    }
    if (name === 'README.md 1') {
      expect(output.join('')).toBe('Let me look.\nIt is clear, 21 degrees.')
      expect(JSON.stringify(server.bodies[1]?.messages)).toContain('celsius')
    }
    if (name === 'README.md 3') expect(output.join('')).toBe('Hello.')
  })
})
