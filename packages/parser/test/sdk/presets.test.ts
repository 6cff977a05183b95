import * as toolglot from '@toolglot/parser'
import { getProtocol, type ToolCallMiddleware } from '@toolglot/parser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFormatMiddleware, glm45, glm47, hermes, mistral } from '../../src/formats.js'
import * as migrationNames from '../../src/migration-names.js'
import { contentModel } from './support/content-model.js'
import { runGenerate, textAnswer, userSays } from './support/direct.js'
import { outlineOf } from './support/outline.js'
import { collect, type Request } from './support/scripted-model.js'
import { type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

/** Each preset with ids of its models and the format of each. The first id says nothing. */
const presets: Record<string, [modelId: string, format: string][]> = {
  hermesToolMiddleware: [
    ['some-model', 'hermes'],
    ['qwen2.5-7b', 'hermes'],
  ],
  gemmaToolMiddleware: [
    ['some-model', 'fenced_json'],
    ['gemma-3-27b-it', 'fenced_json'],
  ],
  xmlToolMiddleware: [['some-model', 'morph_xml']],
  morphXmlToolMiddleware: [['some-model', 'morph_xml']],
  yamlXmlToolMiddleware: [['some-model', 'yaml_xml']],
  qwen3CoderToolMiddleware: [
    ['some-model', 'qwen3_coder'],
    ['Qwen/Qwen3-Coder-30B-A3B-Instruct', 'qwen3_coder'],
    ['qwen3.5-35b', 'qwen3_5'],
    ['nvidia/nemotron-3-nano', 'qwen3_coder'],
  ],
  glmToolMiddleware: [
    ['some-model', 'glm_4_7'],
    ['zai-org/GLM-4.5-Air', 'glm_4_5'],
    ['glm-4.6', 'glm_4_5'],
    ['glm-4.7', 'glm_4_7'],
    ['glm-5', 'glm_4_7'],
  ],
  deepseekToolMiddleware: [
    ['deepseek-chat', 'deepseek_v3_2_dsml'],
    ['deepseek-ai/DeepSeek-R1', 'deepseek_v3'],
    ['deepseek-v3-0324', 'deepseek_v3'],
    ['DeepSeek-V3.1-Terminus', 'deepseek_v3_1'],
    ['deepseek-v3.2', 'deepseek_v3_2_dsml'],
    ['deepseek-v4', 'deepseek_v4_dsml'],
  ],
  kimiToolMiddleware: [
    ['some-model', 'kimi_k2'],
    ['moonshotai/Kimi-K2-Thinking', 'kimi_k2'],
    ['kimi-k3', 'kimi_k3'],
  ],
  minimaxToolMiddleware: [
    ['some-model', 'minimax_m2'],
    ['MiniMax-M2.1', 'minimax_m2'],
    ['MiniMaxAI/MiniMax-M3', 'minimax_m3'],
  ],
  mistralToolMiddleware: [
    ['some-model', 'mistral'],
    ['devstral-small', 'mistral'],
    ['mistral-nemo', 'mistral_v3'],
    ['mistral-large-2411', 'mistral_v3'],
  ],
  llamaToolMiddleware: [
    ['some-model', 'llama3_json'],
    ['meta-llama/Llama-3.3-70B-Instruct', 'llama3_json'],
    ['meta-llama/Llama-3.2-3B-Instruct', 'pythonic'],
    ['llama-3.2-3b', 'pythonic'],
    ['meta-llama/Llama-4-Scout', 'llama4_pythonic'],
  ],
  gptOssToolMiddleware: [
    ['some-model', 'gpt_oss_harmony'],
    ['openai/gpt-oss-120b', 'gpt_oss_harmony'],
  ],
  gemma4ToolMiddleware: [
    ['some-model', 'gemma4'],
    ['google/gemma-4-31b', 'gemma4'],
  ],
  graniteToolMiddleware: [
    ['some-model', 'granite4'],
    ['granite-3.3-8b-instruct', 'granite3'],
    ['granite-4.0-h-tiny', 'granite4'],
    ['ibm-granite/granite-20b-functioncalling', 'granite_20b_fc'],
  ],
  cohereToolMiddleware: [
    ['some-model', 'cohere_command_r7b'],
    ['cohere/command-a', 'cohere_command_r7b'],
    ['command-r-plus-08-2024', 'cohere_command_r_plus'],
    ['command-r7b-12-2024', 'cohere_command_r7b'],
    ['command-a-reasoning-08-2025', 'cohere_command4'],
  ],
  hunyuanToolMiddleware: [
    ['some-model', 'hunyuan_v3'],
    ['tencent/Hunyuan-A13B-Instruct', 'hunyuan_a13b'],
    ['hunyuan-3', 'hunyuan_v3'],
  ],
  seedOssToolMiddleware: [['ByteDance-Seed/Seed-OSS-36B', 'seed_oss']],
  lfm2ToolMiddleware: [['LiquidAI/LFM2-1.2B', 'lfm2']],
  olmo3ToolMiddleware: [['allenai/Olmo-3-7B', 'olmo3']],
  phi4MiniToolMiddleware: [['microsoft/Phi-4-mini-instruct', 'phi4_mini']],
}

const all = new Map(Object.entries(toolglot))

function presetOf(name: string): ToolCallMiddleware {
  const preset = all.get(name)
  if (typeof preset !== 'object' || !('wrapStream' in preset))
    throw new Error(`${name} is no middleware`)
  return preset
}

test('every preset is tested with its formats here', () => {
  const others = ['createToolMiddleware', ...Object.keys(migrationNames)]
  const names = [...all.keys()].filter(
    name => name.endsWith('ToolMiddleware') && !others.includes(name),
  )
  expect(names.sort()).toEqual(Object.keys(presets).sort())
})

const params = { prompt: [userSays('How is it?')], tools: [weatherTool] }

async function systemTextOf(middleware: ToolCallMiddleware, modelId: string): Promise<unknown> {
  const request: Request = await middleware.transformParams({
    type: 'stream',
    params,
    model: { modelId },
  })
  return request.prompt[0]?.content
}

const shownBy = (format: string) => getProtocol(format).formatTools({ tools: [weatherTool] })

describe.for(Object.entries(presets))('%s', ([name, models]) => {
  test.for(models)('asks %s in %s', async ([modelId, format]) => {
    expect(await systemTextOf(presetOf(name), modelId)).toBe(shownBy(format))
  })

  test.for(sdkVersions)('runs a loop with $name', async version => {
    for (const [modelId, format] of models)
      await expectLoop(version, presetOf(name), modelId, format)
  })
})

/** One call and an answer, whole and streamed. */
async function expectLoop(
  version: SdkVersion,
  middleware: ToolCallMiddleware,
  modelId: string,
  format: string,
) {
  const { sdk } = version
  const protocol = getProtocol(format)
  // Formats without marks are read only where an answer begins.
  const answers = [writeCall(protocol, paris), 'It is clear.']
  for (const isStreamed of [false, true]) {
    const script = answers.map(text => ({ content: [{ type: 'text', text }] }))
    const { model, requests } = contentModel(version, script, { modelId })
    const { tools, executed } = createWeatherTools()
    const wrapped = sdk.wrapLanguageModel({ model, middleware })
    const settings = { model: wrapped, tools, prompt: 'How is it?', stopWhen: sdk.stepCountIs(3) }
    const result = isStreamed ? sdk.streamText(settings) : undefined
    if (result)
      expect((await collect(result.fullStream)).filter(part => part.type === 'error')).toEqual([])
    const steps = result ? await result.steps : (await sdk.generateText(settings)).steps
    expect(steps.map(step => step.text)).toEqual(['', 'It is clear.'])
    expect(steps.map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
    expect(executed).toEqual([paris])
    const said = requests[1]?.prompt[2]?.content ?? []
    const text = typeof said === 'string' ? said : said.map(part => String(part.text)).join('')
    const read = protocol.parseGeneratedText({ text, tools: [weatherTool] })
    expect(read).toMatchObject([
      { type: 'tool-call', toolName: 'get_weather', input: JSON.stringify(paris) },
    ])
  }
}

describe('createFormatMiddleware', () => {
  afterEach(() => vi.restoreAllMocks())

  test('is the same from both entries', () => {
    expect(all.get('createFormatMiddleware')).toBe(createFormatMiddleware)
  })

  test('asks a model of another family in the first of its formats', async () => {
    expect(await systemTextOf(createFormatMiddleware([mistral, hermes]), 'kimi-k2')).toBe(
      shownBy('mistral'),
    )
    expect(await systemTextOf(createFormatMiddleware([hermes, mistral]), 'kimi-k2')).toBe(
      shownBy('hermes'),
    )
    expect(await systemTextOf(createFormatMiddleware([mistral, hermes]), 'qwen3-8b')).toBe(
      shownBy('hermes'),
    )
  })

  test('serves models of both formats by turns', async () => {
    const glm = createFormatMiddleware([glm47, glm45])
    for (const [modelId, format] of [
      ['glm-4.6', 'glm_4_5'],
      ['glm-5', 'glm_4_7'],
      ['glm-4.6', 'glm_4_5'],
    ] as const) {
      expect(await systemTextOf(glm, modelId)).toBe(shownBy(format))
    }
  })

  test('reads no format but the chosen one', async () => {
    const text = writeCall(getProtocol('mistral'), paris)
    const { content } = await runGenerate(
      createFormatMiddleware([hermes]),
      params,
      textAnswer(text),
    )
    expect(content).toEqual([{ type: 'text', text }])
  })

  test('takes the options of every middleware', async () => {
    const thinking = createFormatMiddleware([hermes], { reasoning: true })
    const answer = textAnswer('<think>I ponder.</think>Hi.')
    expect(outlineOf((await runGenerate(thinking, params, answer)).content)).toEqual([
      { reasoning: 'I ponder.' },
      { text: 'Hi.' },
    ])
    const rescue = createFormatMiddleware([hermes], { mode: 'rescue' })
    expect(await rescue.transformParams({ type: 'stream', params, model: {} })).toBe(params)
    const wrong: { placement?: 'first' } = JSON.parse('{"placement": "middle"}')
    expect(() => createFormatMiddleware([hermes], wrong)).toThrow('placement is "middle"')
  })

  test('says in debug which format was chosen, and why', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    await systemTextOf(createFormatMiddleware([glm47, glm45], { debug: 'parse' }), 'glm-4.6')
    await systemTextOf(createFormatMiddleware([glm47, glm45], { debug: 'parse' }), 'x')
    expect(log.mock.calls.flat().filter(line => line.includes('asking'))).toEqual([
      "[toolglot] asking glm-4.6 in glm_4_5: the model's id suggests it",
      '[toolglot] asking x in glm_4_7: the first of the formats that were given',
    ])
  })
})
