import { createToolMiddleware, getProtocol, wrapToolModel } from '@toolglot/parser'
import { afterEach, describe, expect, test } from 'vitest'
import { type ChatServer, startChatServer } from './support/chat-server.js'
import { userSays } from './support/direct.js'
import { collect } from './support/scripted-model.js'
import { type Data, type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

let server: ChatServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

interface Asked {
  readonly provider?: string
  /** Options of the middleware. */
  readonly options?: Data
  readonly settings?: Data
  readonly isToolModel?: boolean
}

/** The bodies of two requests, whole and streamed, as a server gets them. */
async function bodiesOf(version: SdkVersion, asked: Asked): Promise<readonly Data[]> {
  const { provider = 'my-local', options = {}, settings = {}, isToolModel = false } = asked
  server = await startChatServer(['Hi.', 'Hi.'])
  const { sdk } = version
  const local = version.createOpenAICompatible({ name: provider, baseURL: server.baseURL })(
    'some-model',
  )
  const model = isToolModel
    ? wrapToolModel(local, options)
    : sdk.wrapLanguageModel({ model: local, middleware: createToolMiddleware(options) })
  const all = { model, tools: createWeatherTools().tools, prompt: 'How is it?', ...settings }
  await sdk.generateText(all)
  await collect(sdk.streamText(all).fullStream)
  await server.close()
  const { bodies } = server
  server = undefined
  expect(bodies).toHaveLength(2)
  expect(bodies.map(body => body.model)).toEqual(['some-model', 'some-model'])
  return bodies
}

const expectSent = async (version: SdkVersion, asked: Asked, value: unknown) => {
  const bodies = await bodiesOf(version, asked)
  expect(bodies.map(body => body.skip_special_tokens)).toEqual([value, value])
}

describe.for(sdkVersions)(
  'skip_special_tokens in the requests of openai-compatible for $name',
  version => {
    const mistral = { protocol: 'mistral' }

    test.for(['mistral', 'kimi_k2', 'qwen3_coder', 'gpt_oss_harmony', 'gemma4'])(
      'is false for %s, whatever the provider is called',
      async protocol => {
        for (const provider of ['my-local', 'vllm', 'my_vllm', 'qwen2.5-box']) {
          await expectSent(version, { provider, options: { protocol } }, false)
        }
      },
    )

    test.for(['hermes', 'morph_xml', 'wire'])('is not sent for %s', async protocol => {
      for (const body of await bodiesOf(version, { options: { protocol } })) {
        expect(body).not.toHaveProperty('skip_special_tokens')
      }
    })

    test('is false through wrapToolModel as well', async () => {
      await expectSent(version, { options: mistral, isToolModel: true }, false)
    })

    test('can be switched off and on', async () => {
      await expectSent(version, { options: { ...mistral, keepSpecialTokens: false } }, undefined)
      await expectSent(version, { options: { protocol: 'hermes', keepSpecialTokens: true } }, false)
    })

    test('is what the user sets', async () => {
      const own = (key: string, value: Data) => ({
        options: mistral,
        settings: { providerOptions: { [key]: value } },
      })
      await expectSent(version, own('my-local', { skip_special_tokens: true }), true)
      const [body] = await bodiesOf(version, own('my-local', { seed: 7, min_p: 0.1 }))
      expect(body).toMatchObject({ seed: 7, min_p: 0.1, skip_special_tokens: false })
      if (version.name === 'ai@5') return
      await expectSent(version, own('myLocal', { skip_special_tokens: true }), true)
      const [other] = await bodiesOf(version, own('myLocal', { min_p: 0.1 }))
      expect(other).toMatchObject({ min_p: 0.1, skip_special_tokens: false })
    })

    test.for([
      'openai',
      'groq',
      'Groq',
      'mistral',
      'together-ai',
      'togetherai',
      'openrouter',
      'fireworks',
      'deepseek',
    ])('is not sent to %s, which may take no field that it does not know', async provider => {
      await expectSent(version, { provider, options: mistral }, undefined)
    })

    test('is not sent without tools, or where none may be called', async () => {
      await expectSent(version, { options: mistral, settings: { tools: undefined } }, undefined)
      await expectSent(version, { options: mistral, settings: { toolChoice: 'none' } }, undefined)
      await expectSent(
        version,
        { options: { ...mistral, keepSpecialTokens: true }, settings: { tools: {} } },
        undefined,
      )
    })

    test('is not sent in rescue mode', async () => {
      for (const options of [mistral, { keepSpecialTokens: true }]) {
        const bodies = await bodiesOf(version, { options: { ...options, mode: 'rescue' } })
        for (const body of bodies) {
          expect(body).not.toHaveProperty('skip_special_tokens')
          expect(body.tools).toHaveLength(1)
        }
      }
    })

    test('asks for tokens which are then no text', async () => {
      const call = writeCall(getProtocol('kimi_k2'), paris)
      server = await startChatServer([`Let me look.${call}<|im_end|>`, 'It is clear.<|im_end|>'])
      const { sdk } = version
      const local = version.createOpenAICompatible({ name: 'vllm', baseURL: server.baseURL })(
        'kimi-k2',
      )
      const { tools, executed } = createWeatherTools()
      const result = sdk.streamText({
        model: sdk.wrapLanguageModel({ model: local, middleware: createToolMiddleware() }),
        tools,
        prompt: 'How is it?',
        stopWhen: sdk.stepCountIs(3),
      })
      await collect(result.fullStream)
      expect((await result.steps).map(step => step.text)).toEqual(['Let me look.', 'It is clear.'])
      expect(executed).toEqual([paris])
      expect(server.bodies.map(body => body.skip_special_tokens)).toEqual([false, false])
    })
  },
)

describe('a request to a model that is not one of openai-compatible', () => {
  const kept = createToolMiddleware({ protocol: 'mistral', keepSpecialTokens: true })
  const params = {
    prompt: [userSays('How is it?')],
    tools: [weatherTool],
    providerOptions: { local: { a: 1 } },
  }

  test.for([
    undefined,
    {},
    { provider: 'mock-provider' },
    { provider: 'local.responses' },
    { provider: '.chat' },
  ])('gets no field: %o', async model => {
    const { providerOptions } = await kept.transformParams({ type: 'stream', params, model })
    expect({ ...providerOptions, toolCallMiddleware: undefined }).toEqual({ local: { a: 1 } })
  })

  test('gets none for old calls alone, which are only shown', async () => {
    const input = { city: 'Rome' }
    const prompt = [
      userSays('Hello'),
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'get_weather', input }],
      },
    ]
    const model = { provider: 'vllm.chat', specificationVersion: 'v3' }
    const request = await kept.transformParams({ type: 'stream', params: { prompt }, model })
    expect(JSON.stringify(request.prompt)).toContain('[TOOL_CALLS]')
    expect(request.providerOptions).toBeUndefined()
  })

  test('does not change the options that it was given', async () => {
    const options = Object.freeze({ vllm: Object.freeze({ a: 1 }) })
    const model = { provider: 'vllm.chat', specificationVersion: 'v3' }
    const given = { ...params, providerOptions: options }
    const request = await kept.transformParams({ type: 'stream', params: given, model })
    expect(request.providerOptions.vllm).toEqual({ a: 1, skip_special_tokens: false })
    expect(options).toEqual({ vllm: { a: 1 } })
  })
})
