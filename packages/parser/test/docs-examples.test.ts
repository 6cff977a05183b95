import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { getProtocol } from '@toolglot/parser'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ChatServer, startChatServer } from './sdk/support/chat-server.js'

/**
 * The examples of the documentation and of doc comments are programs: each is type-checked and run,
 * on a server that answers as a model would.
 */

const root = new URL('../../../', import.meta.url)
const folder = new URL('./.examples/', import.meta.url)
const pages = [
  'README.md',
  'MIGRATE.md',
  'packages/parser/README.md',
  ...readdirSync(new URL('docs/', root)).map(file => `docs/${file}`),
].filter(page => page.endsWith('.md'))

interface Example {
  /** The file, and the number of the example in it. */
  readonly name: string
  readonly code: string
}

const readRepositoryFile = (path: string) => readFileSync(new URL(path, root), 'utf8')

const pageExamples = pages.flatMap(page => {
  const blocks = [...readRepositoryFile(page).matchAll(/^```ts\n(.*?)^```$/gms)]
  return blocks.map(([, code = ''], i): Example => ({ name: `${page} ${i + 1}`, code }))
})

/** The examples of doc comments: ` * @example`, then a block of code. */
const sourceExamples = listSourceFiles().flatMap(file => {
  const blocks = [
    ...readRepositoryFile(file).matchAll(/^ \* @example\n \* ```ts\n(.*?)^ \* ```$/gms),
  ]
  return blocks.map(
    ([, lines = ''], i): Example => ({
      name: `${file.replace('packages/parser/', '')} ${i + 1}`,
      code: lines.replaceAll(/^ \* ?/gm, ''),
    }),
  )
})

function listSourceFiles(): string[] {
  const folder = 'packages/parser/src/'
  const files = readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
  return files.filter(file => file.endsWith('.ts')).map(file => folder + file)
}

/** What an example says that it prints: `console.log(days) // 3`. */
const printedComments = ({ code }: Example) =>
  [...code.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)

const examples = [...pageExamples, ...sourceExamples]

/** The functions that applications call. Each has an example in its doc comment. */
const mainFunctions = `
  createToolMiddleware compactTools wrapToolModel createFormatMiddleware toolCallOptions
  hermesToolMiddleware
  getProtocol getProtocolInfo listProtocols detectProtocol
  compactProtocol jsonMixProtocol morphXmlProtocol yamlXmlProtocol planTools
  coerceBySchema isFlatObject renderSignature closestName didYouMean
  defineProtocol taggedProtocol isEngineProtocol readToolOutput
  parseToolCalls createToolCallReader createToolCallStream
  renderTools renderCalls renderResults readTools
`
  .trim()
  .split(/\s+/)

const call = getProtocol('hermes').formatToolCall({
  toolCallId: '',
  toolName: 'get_weather',
  input: { city: 'Paris' },
})
let server: ChatServer
const files = new Map<string, string>()

beforeAll(async () => {
  const loop = [`Let me look.\n${call}`, 'It is clear, 21 degrees.']
  // In the order of the pages: the README, getting started, options, recipes.
  server = await startChatServer([...loop, ...loop, 'Hello.', '<think>0.9 is more.</think>\n9.9'])
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
    expect(pageExamples.length).toBeGreaterThanOrEqual(6)
    expect(sourceExamples.length).toBeGreaterThanOrEqual(mainFunctions.length)
  })

  it.each(mainFunctions)('%s has an example in its doc comment', name => {
    const documented = new RegExp(
      `@example\\n(?: \\*.*\\n)+ \\*/\\nexport (?:function|const) ${name}\\b`,
    )
    const isFound = listSourceFiles().some(file => documented.test(readRepositoryFile(file)))
    expect(isFound).toBe(true)
  })

  it('type-check', () => {
    const { config } = ts.readConfigFile(
      fileURLToPath(new URL('tsconfig.test.json', root)),
      ts.sys.readFile,
    )
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, fileURLToPath(root))
    const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...files.values()], options))
    const exampleOf = new Map([...files].map(([name, file]) => [file, name]))
    const messages = diagnostics.map(({ file, messageText }) => {
      const name = exampleOf.get(file?.fileName ?? '') ?? file?.fileName
      return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
    })
    expect(messages).toEqual([])
  }, 120_000)

  it.each(examples)('$name runs', async example => {
    const { name } = example
    const output: string[] = []
    const collect = (value: unknown) =>
      output.push(typeof value === 'string' ? value : inspect(value)) > 0
    vi.spyOn(process.stdout, 'write').mockImplementation(collect)
    vi.spyOn(console, 'log').mockImplementation(collect)
    try {
      await import(pathToFileURL(files.get(name) ?? '').href)
    } finally {
      vi.restoreAllMocks()
    }
    if (sourceExamples.includes(example)) {
      const comments = printedComments(example)
      expect(output.slice(0, comments.length)).toEqual(comments)
    }
    if (name === 'README.md 1') {
      expect(output.join('')).toBe('Let me look.\nIt is clear, 21 degrees.')
      expect(JSON.stringify(server.bodies[1]?.messages)).toContain('celsius')
    }
    if (name === 'docs/getting-started.md 1') {
      expect(output).toEqual(["[ 'get_weather' ]", 'It is clear, 21 degrees.'])
    }
    if (name === 'docs/options.md 1') expect(output.join('')).toBe('Hello.')
    if (name === 'docs/recipes.md 5') expect(output.join('')).toBe('9.9')
  })
})
