import { readFileSync } from 'node:fs'
import { type FunctionTool, getProtocol, listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { autoProtocolOf } from '../src/formats/registry.js'
import { type EngineProtocol, isEngineProtocol } from '../src/protocols/protocol.js'
import { describeChunks, randomChunks } from './support/chunks.js'
import { readPieces } from './support/read-answer.js'

interface Answer {
  readonly topic: string
  readonly text: string
  /**
   * The model that has these marks as its own: behind them it means a call, and is told that it
   * cannot be read.
   */
  readonly notFor?: string
}

/**
 * Answers that call no tool, on all that looks like a call: markup, JSON, Python, tool calling
 * itself.
 */
const answers: readonly Answer[] = readCorpus('ordinary-answers.json')

/**
 * Answers that call no tool either, but are read as calls: by `auto` for these models, and by these
 * formats. All others read them as text. One that is mended loses its models and formats; without any
 * it moves to `ordinary-answers.json`.
 */
const knownMistakes: readonly KnownMistake[] = readCorpus('answers-read-as-calls.json')

interface KnownMistake extends Answer {
  /** What takes it for a call. */
  readonly reason: string
  readonly models: readonly string[]
  readonly formats: readonly string[]
}

function readCorpus<Item>(file: string): readonly Item[] {
  return JSON.parse(readFileSync(new URL(`./corpus/${file}`, import.meta.url), 'utf8'))
}

/** Answers about calls, which single formats read as text, too. Of others they read what is marked. */
const aboutCalls = answers.filter(({ topic }) => topic.startsWith('call shapes: '))

const tool = (name: string, ...keys: string[]): FunctionTool => ({
  type: 'function',
  name,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(keys.map(key => [key, { type: 'string' }])),
  },
})
const tools = [
  tool('get_weather', 'city', 'days'),
  tool('search', 'query', 'limit'),
  tool('write_file', 'path', 'content'),
  tool('run_command', 'command'),
  tool('get_time', 'tz'),
  // Their names are also those of other things.
  tool('bash', 'command'),
  tool('python', 'code'),
  tool('list'),
  tool('edit', 'path', 'old', 'new'),
  tool('print', 'text'),
]
const models = [
  '',
  'qwen3-coder-30b',
  'glm-5',
  'kimi-k2',
  'mistral-small',
  'llama-3.3-70b',
  'gpt-oss-20b',
  'gemma-4-9b',
  'gemma-3-27b',
  'command-r-plus',
  'xlam-2',
  'deepseek-v4',
  'minimax-m3',
  'kimi-k3',
]

function expectText(protocol: EngineProtocol, text: string): void {
  for (const options of [{}, { reasoning: false }, { reasoning: true }]) {
    for (const chunks of [[text], randomChunks(text, 3)]) {
      const got = readPieces({ protocol, tools, chunks, options })
      const where = `${JSON.stringify(options)}, ${describeChunks(chunks)}`
      expect(got, where).toEqual({ pieces: [text], problems: [] })
    }
  }
}

describe.each(models)('ordinary answers, read by auto for the model %j', modelId => {
  const { protocol } = autoProtocolOf(modelId)
  const unmistaken = knownMistakes.filter(answer => !answer.models.includes(modelId))
  const others = answers.filter(answer => answer.notFor !== modelId)

  it.each([...others, ...unmistaken])('$topic', ({ text }) => expectText(protocol, text))
})

const formats = listProtocols().flatMap(name => {
  const protocol = getProtocol(name)
  return name !== 'auto' && isEngineProtocol(protocol) ? [{ name, protocol }] : []
})

describe.each(formats)('ordinary answers about calls, read by $name', ({ name, protocol }) => {
  const unmistaken = knownMistakes.filter(answer => !answer.formats.includes(name))

  it.each([...aboutCalls, ...unmistaken])('$topic', ({ text }) => expectText(protocol, text))
})

/** Formats that also read calls in other forms, outside of code and only at the start of a line. */
const withOtherForms = ['hermes', 'llama3_json', 'mistral', 'qwen3_5', 'gpt_oss_harmony', 'kimi_k2']

describe.each(formats.filter(({ name }) => withOtherForms.includes(name)))(
  'answers about other forms of calls, read by $name',
  ({ protocol }) => {
    const isAbout = ({ topic }: Answer) => /^families: (?:gpt-oss|Gemma|Kimi|DSML|YAML)/.test(topic)

    it.each(answers.filter(isAbout))('$topic', ({ text }) => expectText(protocol, text))
  },
)

describe('answers that are read as calls', () => {
  const mistakes = knownMistakes.flatMap(({ formats: names, ...answer }) =>
    names.map(name => ({ name, ...answer })),
  )

  // A mended one belongs into `ordinary-answers.json`.
  it.each(mistakes)('$topic, by $name', ({ name, text }) => {
    const format = formats.find(each => each.name === name)
    if (!format) throw new Error(`${name} is no format`)
    expect(() => expectText(format.protocol, text)).toThrow()
  })
})
