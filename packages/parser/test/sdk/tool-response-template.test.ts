import { createToolMiddleware, type ToolCallProtocol, type ToolResult } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { transform, userSays } from './support/direct.js'
import { documentedProtocol } from './support/documented-protocol.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

const call = (toolCallId: string) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'get_weather',
  input: paris,
})
const result = (toolCallId: string, output: unknown) => ({
  ...call(toolCallId),
  type: 'tool-result',
  output,
})
const image = { type: 'image-data', mediaType: 'image/png', data: 'AAAA' }
const prompt = [
  userSays('Hi'),
  { role: 'assistant', content: [call('a'), call('b')] },
  {
    role: 'tool',
    content: [
      result('a', { type: 'text', value: 'clear' }),
      result('b', { type: 'content', value: [{ type: 'text', text: 'A photo.' }, image] }),
    ],
  },
]
const params = { prompt, tools: [weatherTool] }

describe('toolResponsePromptTemplate', () => {
  test('writes the results in place of the protocol, each by itself and in their order', async () => {
    const seen: ToolResult[] = []
    const middleware = createToolMiddleware({
      protocol: 'hermes',
      toolResponsePromptTemplate(toolResult) {
        seen.push(toolResult)
        return `<<${toolResult.toolName} ${toolResult.toolCallId}>>`
      },
    })
    const { prompt: made } = await transform(middleware, params)
    expect(seen.map(({ toolCallId, output }) => [toolCallId, output])).toEqual([
      ['a', { type: 'text', value: 'clear' }],
      ['b', expect.objectContaining({ type: 'content' })],
    ])
    // A file of a result is shown as ever; text around it stays in order.
    expect(made.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: '<<get_weather a>>\n<<get_weather b>>' },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      ],
    })
  })

  test('may return the parts of a user message', async () => {
    const middleware = createToolMiddleware({
      protocol: 'hermes',
      toolResponsePromptTemplate: ({ toolCallId }) => [
        { type: 'text', text: `Result ${toolCallId}:` },
        { type: 'file', mediaType: 'text/plain', data: toolCallId },
      ],
    })
    const { prompt: made } = await transform(middleware, params)
    expect(made.at(-1)?.content).toEqual([
      { type: 'text', text: 'Result a:' },
      { type: 'file', mediaType: 'text/plain', data: 'a' },
      { type: 'text', text: 'Result b:' },
      { type: 'file', mediaType: 'text/plain', data: 'b' },
    ])
  })

  test('is used for a protocol without formatToolResponse, as those of older packages are', async () => {
    const { formatToolResponse: _, ...older } = documentedProtocol
    const protocol = older as ToolCallProtocol
    expect(() => createToolMiddleware({ protocol })).toThrow(
      'The protocol has no method formatToolResponse.',
    )
    const middleware = createToolMiddleware({ protocol, toolResponsePromptTemplate: () => 'done' })
    expect((await transform(middleware, params)).prompt.at(-1)?.content).toMatchObject([
      { text: 'done\ndone' },
      {},
    ])
  })

  test.for(sdkVersions)('works in a loop with $name, whole and streamed', async version => {
    const { sdk } = version
    for (const way of ['generateText', 'streamText'] as const) {
      const answers = [{ text: writeCall(documentedProtocol, paris) }, { text: 'Done.' }]
      const { model, requests } = scriptModel(version, answers)
      const middleware = createToolMiddleware({
        protocol: documentedProtocol,
        toolResponsePromptTemplate: ({ output }) => `It came out as ${JSON.stringify(output)}`,
      })
      const settings = {
        model: sdk.wrapLanguageModel({ model, middleware }),
        tools: createWeatherTools().tools,
        prompt: 'How is the weather?',
        stopWhen: sdk.stepCountIs(3),
      }
      if (way === 'generateText') await sdk.generateText(settings)
      else await collect(sdk.streamText(settings).fullStream)
      expect(JSON.stringify(requests[1]?.prompt.at(-1))).toMatch(
        /It came out as .*clear over Paris/,
      )
    }
  })
})
