import { createToolMiddleware, getProtocol, wrapToolModel } from '@toolglot/parser'
import { afterEach, describe, expect, test } from 'vitest'
import { type ChatServer, startChatServer } from './support/chat-server.js'
import { collect } from './support/scripted-model.js'
import { type Data, type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

let server: ChatServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

type Wrap = 'wrapLanguageModel' | 'wrapToolModel'

async function runLoop(
  version: SdkVersion,
  way: 'streamText' | 'generateText',
  protocol: string,
  wrap: Wrap,
) {
  const format = getProtocol(protocol)
  server = await startChatServer([
    `Paris first.\n${writeCall(format, paris)}`,
    `Now Oslo.\n${writeCall(format, oslo)}`,
    'Both are clear.',
  ])
  const { tools, executed } = createWeatherTools()
  const local = version.createOpenAICompatible({ name: 'local', baseURL: server.baseURL })(
    'local-model',
  )
  const model =
    wrap === 'wrapToolModel'
      ? wrapToolModel(local, { protocol })
      : version.sdk.wrapLanguageModel({
          model: local,
          middleware: createToolMiddleware({ protocol }),
        })
  const settings: Data = {
    model,
    tools,
    messages: [
      { role: 'system', content: 'You know the weather.' },
      { role: 'user', content: 'How is it in Paris and Oslo?' },
    ],
    allowSystemInMessages: true,
    stopWhen: version.sdk.stepCountIs(5),
  }
  if (way === 'generateText') {
    const { text, steps } = await version.sdk.generateText(settings)
    return { text, steps, executed, bodies: server.bodies }
  }
  const result = version.sdk.streamText(settings)
  await collect(result.fullStream)
  return { text: await result.text, steps: await result.steps, executed, bodies: server.bodies }
}

const matrix = sdkVersions.flatMap(version =>
  (['streamText', 'generateText'] as const).flatMap(way =>
    (['wrapLanguageModel', 'wrapToolModel'] as const).flatMap(wrap =>
      ['hermes', 'fenced_json', 'morph_xml'].map(protocol => ({
        version,
        name: version.name,
        way,
        wrap,
        protocol,
      })),
    ),
  ),
)

describe.for(matrix)(
  '@ai-sdk/openai-compatible, $name, $way, $wrap, $protocol',
  ({ version, way, protocol, wrap }) => {
    test('two tool steps over a real connection, with nothing but text in the requests', async () => {
      const { text, steps, executed, bodies } = await runLoop(version, way, protocol, wrap)
      const format = getProtocol(protocol)
      expect(executed).toEqual([paris, oslo])
      expect(text).toBe('Both are clear.')
      expect(steps.map(step => step.finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop'])
      expect(bodies).toHaveLength(3)
      for (const body of bodies) {
        expect(body).not.toHaveProperty('tools')
        expect(body).not.toHaveProperty('tool_choice')
        expect(body).not.toHaveProperty('response_format')
        expect(JSON.stringify(body)).not.toContain('originalTools')
        expect(body.stream ?? false).toBe(way === 'streamText')
        for (const { role, content } of body.messages) {
          expect(['system', 'user', 'assistant']).toContain(role)
          expect(typeof content).toBe('string')
        }
      }
      const roles = bodies.map(body => body.messages.map(message => message.role).join(' '))
      expect(roles).toEqual([
        'system user',
        'system user assistant user',
        'system user assistant user assistant user',
      ])
      const [, , firstCall, firstResult, secondCall, secondResult] = bodies[2]?.messages ?? []
      expect(callsIn(firstCall?.content, format)).toEqual([paris])
      expect(callsIn(secondCall?.content, format)).toEqual([oslo])
      expect(firstResult?.content).toContain('clear over Paris')
      expect(secondResult?.content).toContain('clear over Oslo')
      expect(String(firstCall?.content).startsWith('Paris first.\n')).toBe(true)
      const [system] = bodies[0]?.messages ?? []
      expect(system?.content).toContain('get_weather')
      expect(String(system?.content).endsWith('You know the weather.')).toBe(true)
    })
  },
)

function callsIn(text: unknown, protocol: ReturnType<typeof getProtocol>): unknown[] {
  return protocol
    .parseGeneratedText({ text: String(text), tools: [weatherTool] })
    .flatMap(part => (part.type === 'tool-call' ? [JSON.parse(part.input)] : []))
}
