import { readdirSync, readFileSync } from 'node:fs'
import {
  createToolMiddleware,
  type FunctionTool,
  getProtocol,
  getProtocolInfo,
  toolCallOptions,
  wrapToolModel,
} from '@toolglot/parser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { autoProtocol } from '../../src/formats/auto-protocol.js'
import { nativeFormats } from '../../src/formats/registry.js'
import { chunksOf, describeChunks, randomChunks } from '../support/chunks.js'
import { type Piece, readPieces } from '../support/read-answer.js'
import { contentModel } from './support/content-model.js'
import {
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  transform,
  userSays,
} from './support/direct.js'
import { faultsOf, outlineOf } from './support/outline.js'
import { collect, type Request } from './support/scripted-model.js'
import { type AnyModel, type Data, type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

/** Ids as providers write them, the format of each, and a mark that its prompt shows. */
const ids: [modelId: string, format: string, mark: string][] = [
  ['qwen/qwen3-coder-30b', 'qwen3_coder', '<function='],
  ['Qwen/Qwen2.5-7B-Instruct', 'hermes', '<tool_call>'],
  ['moonshotai/Kimi-K2-Instruct', 'kimi_k2', '<|tool_call_begin|>'],
  ['openai/gpt-oss-20b', 'gpt_oss_harmony', '<|channel|>commentary'],
  ['mistral-small-latest', 'mistral', '[TOOL_CALLS]'],
  ['google/gemma-4-12b', 'gemma4', '<|tool_call>'],
  ['zai-org/GLM-4.6', 'glm_4_5', '<arg_key>'],
  ['deepseek-ai/DeepSeek-V3.1', 'deepseek_v3_1', '<｜tool▁calls▁begin｜>'],
  ['MiniMaxAI/MiniMax-M3', 'minimax_m3', ']<]minimax[>['],
  ['meta-llama/Llama-3.1-8B-Instruct', 'llama3_json', '"parameters"'],
  ['my-own-finetune', 'hermes', '<tool_call>'],
  ['', 'hermes', '<tool_call>'],
]

const params = { prompt: [userSays('How is it?')], tools: [weatherTool] }
const auto = createToolMiddleware()

async function systemTextOf(modelId: string, options?: Data): Promise<unknown> {
  const middleware = createToolMiddleware(options)
  const request: Request = await middleware.transformParams({
    type: 'stream',
    params,
    model: { modelId },
  })
  return request.prompt[0]?.content
}

describe('a model that is asked in auto', () => {
  test.for(ids)('%s is asked in %s', async ([modelId, format, mark]) => {
    const expected = getProtocol(format).formatTools({ tools: [weatherTool] })
    expect(expected).toContain(mark)
    expect(await systemTextOf(modelId)).toBe(expected)
    expect(await systemTextOf(modelId, { protocol: 'auto' })).toBe(expected)
  })

  test('is asked as hermes without an id at all', async () => {
    const hermes = getProtocol('hermes').formatTools({ tools: [weatherTool] })
    for (const model of [undefined, null, {}, { modelId: 7 }]) {
      const request: Request = await auto.transformParams({ type: 'generate', params, model })
      expect(request.prompt[0]?.content).toBe(hermes)
    }
  })

  test.for(sdkVersions)(
    'of $name is asked by its own id through both ways of wrapping',
    async version => {
      const { sdk } = version
      const wrappers: ((model: AnyModel) => AnyModel)[] = [
        model => sdk.wrapLanguageModel({ model, middleware: createToolMiddleware() }),
        model => wrapToolModel(model),
      ]
      for (const wrap of wrappers) {
        const { model, requests } = contentModel(
          version,
          [{ content: [{ type: 'text', text: 'Hi.' }] }],
          {
            modelId: 'kimi-k2',
          },
        )
        await sdk.generateText({
          model: wrap(model),
          tools: createWeatherTools().tools,
          prompt: 'Hello',
        })
        expect(requests[0]?.prompt[0]?.content).toContain('<|tool_call_begin|>')
      }
    },
  )
})

describe('debug in auto', () => {
  afterEach(() => vi.restoreAllMocks())

  const watch = () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    return () => log.mock.calls.splice(0).map(([line]) => line)
  }

  test('says which format was chosen, and why', async () => {
    const takeLines = watch()
    await systemTextOf('openai/gpt-oss-20b', { debug: true })
    expect(takeLines()[0]).toBe(
      "[toolglot] asking openai/gpt-oss-20b in gpt_oss_harmony, reading every format: the model's id suggests it",
    )
    await systemTextOf('my-own-finetune', { debug: 'stream' })
    expect(takeLines()[0]).toBe(
      "[toolglot] asking my-own-finetune in hermes, reading every format: the model's id suggests no format",
    )
    await systemTextOf('my-own-finetune', { protocol: 'qwen3_coder', debug: true })
    expect(takeLines()[0]).toBe(
      '[toolglot] asking my-own-finetune in qwen3_coder: the option protocol names it',
    )
  })

  test('says what was done to the request', async () => {
    const takeLines = watch()
    const search = { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} }
    const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: {} }
    const result = { ...call, type: 'tool-result', output: { type: 'text', value: 'clear' } }
    const prompt = [
      userSays('Hi'),
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ]
    const params = { prompt, tools: [weatherTool, search] }
    const forced = { ...params, toolChoice: { type: 'tool', toolName: 'get_weather' } }
    await transform(createToolMiddleware({ debug: true }), forced)
    expect(takeLines().slice(1)).toEqual([
      '[toolglot] tools shown: get_weather',
      '[toolglot] left out, since the provider runs them: web_search',
      '[toolglot] messages rewritten: 2',
      '[toolglot] forced: get_weather, by a JSON Schema',
    ])
    const required = { ...params, toolChoice: { type: 'required' } }
    await transform(createToolMiddleware({ debug: true, forcedChoice: 'prompt' }), required)
    expect(takeLines().at(-1)).toBe('[toolglot] forced: any tool, by the prompt')
  })

  test('says nothing if it is off, or if a summary is wanted in place of it', async () => {
    const takeLines = watch()
    await systemTextOf('openai/gpt-oss-20b')
    await systemTextOf('openai/gpt-oss-20b', { debug: false })
    const providerOptions = toolCallOptions({ debugSummary: {} })
    await transform(createToolMiddleware({ debug: true }), {
      prompt: [userSays('Hi')],
      tools: [weatherTool],
      providerOptions,
    })
    expect(takeLines()).toEqual([])
  })
})

describe('what is read in auto', () => {
  const expectText = async (text: string) => {
    const whole = await runGenerate(auto, params, textAnswer(text))
    expect(whole.content).toEqual([{ type: 'text', text }])
    for (const chars of [1, 4]) {
      const parts = await runStream(auto, params, textStream(chunksOf(text, chars)))
      expect(outlineOf(parts)).toEqual([{ text }])
      expect(parts.at(-1)?.finishReason).toEqual({ unified: 'stop', raw: 'stop' })
    }
  }

  test.for([
    '<tool_call>\n<function=nope>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>',
    '[TOOL_CALLS]nope[ARGS]{"a": 1}',
    '<|start|>assistant to=functions.nope<|channel|>commentary json<|message|>{"a": 1}<|call|>',
    '{"name": "nope", "parameters": {"a": 1}}',
    '[nope(a=1)]',
    '<|tool_call>call:nope{a:1}<tool_call|>',
    'functools[{"name": "nope", "arguments": {"a": 1}}]',
  ])('a call of a tool that was not declared stays text: %s', expectText)

  const unknownCall = '<tool_call>\n{"name": "nope", "arguments": {"a": 1}}\n</tool_call>'

  test('in the format that the prompt asks for, such a call is one, so that the model is told', async () => {
    const { content } = await runGenerate(auto, params, textAnswer(unknownCall))
    expect(content).toMatchObject([{ type: 'tool-call', toolName: 'nope', input: '{"a":1}' }])
  })

  test('in rescue mode it stays text, since the prompt asks for no format', async () => {
    const rescue = createToolMiddleware({ mode: 'rescue' })
    const { content } = await runGenerate(rescue, params, textAnswer(unknownCall))
    expect(content).toEqual([{ type: 'text', text: unknownCall }])
  })

  test.for([
    'Write `<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>` to call it.',
    'Like this:\n```json\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n```\nThat is all.',
    'Like this:\n```\n[TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}\n```\nThat is all.',
    'The object {"name": "get_weather", "arguments": {}} is a call.',
    '[]',
    '{"city": "Paris"}',
    '[1, 2, 3]',
    '```json\n{"answer": 42}\n```',
    'The marks <tool_call>, [TOOL_CALLS] and <|tool_call|> open calls.',
  ])('what is only shown stays text: %s', expectText)

  const readable = nativeFormats.map(format => format.id)
  test.for(readable)('a call of %s is read whatever was asked for', async name => {
    const text = writeCall(getProtocol(name), paris)
    for (const modelId of ['my-own-finetune', 'qwen3-coder', 'gpt-oss-20b', 'kimi-k2']) {
      const middleware = createToolMiddleware()
      const doGenerate = async () => textAnswer(text)
      const model = { modelId }
      const transformed = await middleware.transformParams({ type: 'generate', params, model })
      const options = { doGenerate, doStream: doGenerate, params: transformed, model }
      const { content } = await middleware.wrapGenerate(options)
      expect({ modelId, read: outlineOf(content) }).toEqual({
        modelId,
        read: [{ call: 'get_weather', input: JSON.stringify(paris) }],
      })
    }
    for (const chars of [1, 5]) {
      const parts = await runStream(auto, params, textStream(chunksOf(text, chars)))
      expect(outlineOf(parts)).toEqual([{ call: 'get_weather', input: JSON.stringify(paris) }])
      expect(faultsOf(parts)).toEqual([])
    }
  })
})

interface VectorFile {
  readonly protocol: string
  readonly tools: FunctionTool[]
  readonly vectors: readonly {
    readonly name: string
    readonly text: string
    readonly expected: readonly Piece[]
    readonly isCut?: boolean
    /** The guesses in a call that runs only with the tolerance `eager`. */
    readonly doubts?: readonly string[]
    readonly options?: Data
  }[]
}

describe('the format that was asked for is read in auto as it is alone', () => {
  const folder = new URL('../vectors/', import.meta.url)
  // Behind `<function=name>` another grammar knows the tool first, and reads a cut call with more
  // care. A bare form needs one of the tool's own keys, and a value that can be read.
  const otherwise = [
    'functionary_v3_1: cut behind the arguments',
    'pythonic: an argument without a name where there are several',
    'pythonic: a computed value',
  ]

  test.for(nativeFormats.map(format => format.id))('%s', name => {
    const files: VectorFile[] = readdirSync(folder)
      .filter(file => file === `${name}.json`)
      .map(file => JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
    const format = nativeFormats.find(each => each.id === name)
    if (!format) throw new Error(`${name} is no format`)
    const protocol = autoProtocol(format, nativeFormats)
    for (const { tools, vectors } of files) {
      const isDeclared = (piece: Piece) =>
        typeof piece === 'string' ||
        !('tool' in piece) ||
        tools.some(tool => tool.name === piece.tool)
      for (const { name: title, text, expected, doubts, isCut = false, ...vector } of vectors) {
        if (!expected.every(isDeclared) || otherwise.includes(`${name}: ${title}`)) continue
        const options = { ...(doubts ? { tolerance: 'eager' as const } : {}), ...vector.options }
        for (const chunks of [[text], randomChunks(text, 7)]) {
          const { pieces } = readPieces({ protocol, tools, chunks, isCut, options })
          expect(pieces, `${title}: ${describeChunks(chunks)}`).toEqual(expected)
        }
      }
    }
  })

  test('has vectors', () => {
    const named = readdirSync(folder).map(file => getProtocolInfo(file.replace('.json', ''))?.name)
    expect(
      nativeFormats.filter(format => !named.includes(format.id)).map(format => format.id),
    ).toEqual([])
  })
})

async function runBoth(version: SdkVersion, answers: readonly string[], options: Data = {}) {
  const { sdk } = version
  const runs = []
  for (const isStreamed of [false, true]) {
    const script = answers.map(text => ({ content: [{ type: 'text', text }] }))
    const { model, requests } = contentModel(version, script, { modelId: 'qwen3-coder' })
    const { tools, executed } = createWeatherTools()
    const wrapped = sdk.wrapLanguageModel({ model, middleware: createToolMiddleware() })
    const settings = {
      model: wrapped,
      tools,
      prompt: 'How is it?',
      stopWhen: sdk.stepCountIs(4),
      ...options,
    }
    const result = isStreamed ? sdk.streamText(settings) : undefined
    if (result)
      expect((await collect(result.fullStream)).filter(part => part.type === 'error')).toEqual([])
    const steps = result ? await result.steps : (await sdk.generateText(settings)).steps
    runs.push({ steps, requests, executed })
  }
  return runs
}

describe.for(sdkVersions)('a loop in auto with $name', version => {
  test('reads each step in whatever format it is, and shows all of them in the one that was asked for', async () => {
    const answers = [
      `Look.\n${writeCall(getProtocol('mistral'), paris)}`,
      writeCall(getProtocol('llama3_json'), oslo),
      'It is clear.',
    ]
    for (const { steps, requests, executed } of await runBoth(version, answers)) {
      expect(executed).toEqual([paris, oslo])
      expect(steps.map(step => step.finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop'])
      const said = JSON.stringify(
        requests[2]?.prompt.filter(message => message.role === 'assistant'),
      )
      expect(said.match(/<function=get_weather>/g)).toHaveLength(2)
      expect(said).not.toContain('[TOOL_CALLS]')
    }
  })

  test.for(['required', { type: 'tool', toolName: 'get_weather' }])(
    'keeps the choice %o',
    async toolChoice => {
      const forms = [
        JSON.stringify({ name: 'get_weather', arguments: paris }),
        `\`\`\`json\n${JSON.stringify({ name: 'get_weather', arguments: paris })}\n\`\`\``,
        writeCall(getProtocol('qwen3_coder'), paris),
        writeCall(getProtocol('kimi_k2'), paris),
      ]
      for (const form of forms) {
        const options = { toolChoice, stopWhen: version.sdk.stepCountIs(1) }
        for (const { executed, requests } of await runBoth(version, [form], options)) {
          expect(executed).toEqual([paris])
          expect(requests[0]).toMatchObject({ responseFormat: { type: 'json' } })
          expect(requests[0]?.tools).toBeUndefined()
        }
      }
    },
  )

  test('reads nothing under the choice none', async () => {
    const text = writeCall(getProtocol('qwen3_coder'), paris)
    for (const { steps, executed, requests } of await runBoth(version, [text], {
      toolChoice: 'none',
    })) {
      expect(steps.map(step => step.text)).toEqual([text])
      expect(executed).toEqual([])
      expect(JSON.stringify(requests[0]?.prompt)).not.toContain('get_weather')
    }
  })
})
