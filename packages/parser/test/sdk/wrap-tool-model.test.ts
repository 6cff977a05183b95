import { getProtocol, wrapToolModel } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { collect, scriptModel, streamOf } from './support/scripted-model.js'
import {
  type AnyModel,
  ai5Version,
  ai6Version,
  ai7Version,
  type Data,
  type SdkVersion,
  sdkVersions,
} from './support/sdk-versions.js'
import { createWeatherTools, paris, writeCall } from './support/weather.js'

const call = writeCall(getProtocol('hermes'), paris)
const answers = [{ text: `Let me look.\n${call}` }, { text: 'It is clear.' }]

/** A two-step loop with a model as it is, in both ways. */
async function expectLoop({ sdk }: SdkVersion, createModel: () => AnyModel): Promise<void> {
  const first = createWeatherTools()
  const settings = { prompt: 'How is the weather?', stopWhen: sdk.stepCountIs(3) }
  const whole = await sdk.generateText({ ...settings, model: createModel(), tools: first.tools })
  expect(whole.text).toBe('It is clear.')
  expect(whole.finishReason).toBe('stop')
  expect(whole.steps.map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
  expect(first.executed).toEqual([paris])

  const second = createWeatherTools()
  const streamed = sdk.streamText({ ...settings, model: createModel(), tools: second.tools })
  const parts = await collect(streamed.fullStream)
  expect(await streamed.text).toBe('It is clear.')
  expect(parts.filter(part => part.type === 'tool-input-delta').length).toBeGreaterThan(3)
  expect(second.executed).toEqual([paris])
}

describe('wrapToolModel', () => {
  test.for(sdkVersions)(
    'keeps the version, the names and the type of a model of $name',
    version => {
      const { model } = scriptModel(version, [])
      const wrapped = wrapToolModel(model, { protocol: 'hermes' })
      expect(wrapped.specificationVersion).toBe(version.spec)
      expect(wrapped.provider).toBe(model.provider)
      expect(wrapped.modelId).toBe(model.modelId)
      expect(wrapped).toBeInstanceOf(model.constructor)
      expect('doStream' in wrapped).toBe(true)
    },
  )

  test.for([
    { name: 'a V2 model on ai@5', host: ai5Version, version: ai5Version },
    { name: 'a V2 model on ai@6', host: ai6Version, version: ai5Version },
    { name: 'a V2 model on ai@7', host: ai7Version, version: ai5Version },
    { name: 'a V3 model on ai@6', host: ai6Version, version: ai6Version },
    { name: 'a V3 model on ai@7', host: ai7Version, version: ai6Version },
    { name: 'a V4 model on ai@7', host: ai7Version, version: ai7Version },
  ])('makes $name call tools', async ({ host, version }) => {
    await expectLoop(host, () =>
      wrapToolModel(scriptModel(version, answers).model, { protocol: 'hermes' }),
    )
  })

  test('works with a model that has private fields and reads them through this', async () => {
    await expectLoop(ai6Version, () => wrapToolModel(new PrivateModel(), { protocol: 'hermes' }))
    const model = wrapToolModel(new PrivateModel(), { protocol: 'hermes' })
    expect(model.provider).toBe('private')
    expect(model.ask()).toBe(0)
  })

  test('does not change the model that it was given', async () => {
    const { model, requests } = scriptModel(ai6Version, [{ text: call }])
    wrapToolModel(model, { protocol: 'hermes' })
    const { content } = await model.doGenerate({ prompt: [] })
    expect(content).toEqual([{ type: 'text', text: call }])
    expect(requests).toHaveLength(1)
  })

  test('rejects, and does not throw, when the request cannot be made', async () => {
    const { model } = scriptModel(ai6Version, [])
    const wrapped = wrapToolModel(model, { protocol: 'hermes' })
    const params = {
      prompt: [],
      tools: [{ type: 'function', name: 'a', inputSchema: {} }],
      toolChoice: { type: 'tool', toolName: 'b' },
    }
    const ask = (way: 'doGenerate' | 'doStream') => Promise.resolve(wrapped[way](params))
    expect(() => ask('doStream').catch(() => {})).not.toThrow()
    expect(() => ask('doGenerate').catch(() => {})).not.toThrow()
  })

  test('reports a wrong option at once', () => {
    const { model } = scriptModel(ai6Version, [])
    expect(() => wrapToolModel(model, { protocol: 'klingon' })).toThrow(/klingon/)
  })
})

describe('wrapLanguageModel of ai@7', () => {
  test.for([ai5Version, ai6Version])('takes a model of $name', async version => {
    const { createToolMiddleware } = await import('@toolglot/parser')
    await expectLoop(ai7Version, () =>
      ai7Version.sdk.wrapLanguageModel({
        model: scriptModel(version, answers).model,
        middleware: createToolMiddleware({ protocol: 'hermes' }),
      }),
    )
  })
})

/** A model as providers write them today: what it holds, nobody else can touch. */
class PrivateModel implements AnyModel {
  readonly specificationVersion = 'v3'
  readonly modelId = 'm'
  readonly #provider = 'private'
  #asked = 0

  get provider(): string {
    return this.#provider
  }
  get supportedUrls(): Data {
    return {}
  }
  ask(): number {
    return this.#asked
  }
  async doGenerate(): Promise<Data> {
    const text = answers[this.#asked++]?.text
    return {
      content: [{ type: 'text', text }],
      finishReason: ai6Version.finishReason('stop'),
      usage: ai6Version.usage,
      warnings: [],
    }
  }
  async doStream() {
    const text = answers[this.#asked++]?.text ?? ''
    return {
      stream: streamOf([
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        ...[...text].map(delta => ({ type: 'text-delta', id: 't', delta })),
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason: ai6Version.finishReason('stop'), usage: ai6Version.usage },
      ]),
    }
  }
}
