import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { afterEach, describe, expect, test } from 'vitest'
import { type ChatServer, startChatServer } from './support/chat-server.js'
import { collect } from './support/scripted-model.js'
import { type AnyPart, type Data, type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, writeCall } from './support/weather.js'

let server: ChatServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function connect(version: SdkVersion, answers: readonly string[], settings: Data = {}) {
  server = await startChatServer(answers)
  const provider = version.createOpenAICompatible({
    name: 'local',
    baseURL: server.baseURL,
    ...settings,
  })
  const local = provider('local-model')
  const middleware = createToolMiddleware({ protocol: 'hermes' })
  return {
    model: version.sdk.wrapLanguageModel({ model: local, middleware }),
    bodies: server.bodies,
  }
}

const png = 'iVBORw0KGgo='
/** An image as the tools of each SDK say it. */
const imageItems: Record<string, AnyPart> = {
  'ai@5': { type: 'media', mediaType: 'image/png', data: png },
  'ai@6': { type: 'image-data', mediaType: 'image/png', data: png },
  'ai@7': { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
}

describe.for(sdkVersions)('@ai-sdk/openai-compatible with $name', version => {
  const { sdk } = version

  test('sends an image of a tool result as an image of the user', async () => {
    const { model, bodies } = await connect(version, [
      writeCall(getProtocol('hermes'), paris),
      'I see clouds.',
    ])
    const { tools } = createWeatherTools()
    const toModelOutput = () => ({
      type: 'content',
      value: [{ type: 'text', text: 'A photo:' }, imageItems[version.name]],
    })
    const { text } = await sdk.generateText({
      model,
      tools: { get_weather: { ...(tools.get_weather as Data), toModelOutput } },
      prompt: 'How is the weather?',
      stopWhen: sdk.stepCountIs(3),
    })
    expect(text).toBe('I see clouds.')
    const { role, content } = bodies[1]?.messages.at(-1) ?? {}
    expect(role).toBe('user')
    expect(content).toMatchObject([
      { type: 'text', text: expect.stringContaining('A photo:') },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
    ])
  })

  test.for(['required', { type: 'tool', toolName: 'get_weather' }])(
    'asks for JSON and not for tools under %o',
    async toolChoice => {
      const answer = JSON.stringify({ name: 'get_weather', arguments: paris })
      const { model, bodies } = await connect(version, [answer, answer])
      const { tools, executed } = createWeatherTools()
      const settings = { model, tools, toolChoice, prompt: 'How is the weather?' }
      await sdk.generateText(settings)
      const parts = await collect(sdk.streamText(settings).fullStream)
      expect(parts.filter(part => part.type === 'error')).toEqual([])
      expect(executed).toEqual([paris, paris])
      expect(bodies).toHaveLength(2)
      for (const body of bodies) {
        expect(body.response_format).toMatchObject({ type: expect.stringMatching(/^json/) })
        expect(body).not.toHaveProperty('tools')
        expect(body).not.toHaveProperty('tool_choice')
      }
    },
  )

  test.for([
    {
      supportsStructuredOutputs: true,
      sent: { type: 'json_schema', json_schema: { name: 'tool_call' } },
    },
    { supportsStructuredOutputs: false, sent: { type: 'json_object' } },
  ])(
    'sends the schema of a forced call: $supportsStructuredOutputs',
    async ({ sent, ...settings }) => {
      const answer = JSON.stringify({ name: 'get_weather', arguments: paris })
      const { model, bodies } = await connect(version, [answer], settings)
      const { tools } = createWeatherTools()
      await sdk.generateText({
        model,
        tools,
        toolChoice: 'required',
        prompt: 'How is the weather?',
      })
      expect(bodies[0]?.response_format).toMatchObject(sent)
      expect(JSON.stringify(bodies[0]?.response_format).includes('"const":"get_weather"')).toBe(
        settings.supportsStructuredOutputs,
      )
    },
  )

  test('sends a call without tools as if the middleware were not there', async () => {
    const { model, bodies } = await connect(version, ['Hi.'])
    await sdk.generateText({ model, prompt: 'Hello' })
    expect(bodies[0]?.messages).toEqual([{ role: 'user', content: 'Hello' }])
  })
})
