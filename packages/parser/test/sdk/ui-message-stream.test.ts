import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { type Answer, collect, partsOfText, scriptModel } from './support/scripted-model.js'
import {
  type AnyPart,
  type SdkVersion,
  sdkVersions,
  type UiMessage,
} from './support/sdk-versions.js'
import { createWeatherTools, paris, writeCall } from './support/weather.js'

interface UiRun {
  readonly messages: readonly UiMessage[]
  /** The tool part of the last message. */
  readonly toolPart: AnyPart | undefined
  /** The inputs that were shown while they grew, each once. */
  readonly growing: readonly string[]
  readonly executed: readonly unknown[]
}

async function showInUi(
  version: SdkVersion,
  protocol: string,
  answers: readonly Answer[],
): Promise<UiRun> {
  const { sdk } = version
  const { model } = scriptModel(version, answers)
  const { tools, executed } = createWeatherTools()
  const result = sdk.streamText({
    model: sdk.wrapLanguageModel({ model, middleware: createToolMiddleware({ protocol }) }),
    tools,
    prompt: 'How is the weather?',
    stopWhen: sdk.stepCountIs(3),
    // Errors are looked at where they come out; by default the SDK prints them too.
    onError: () => {},
  })
  // A failed run rejects what nobody here reads.
  for (const promise of [result.text, result.steps, result.finishReason])
    promise.then(undefined, () => {})
  const messages = await collect(
    sdk.readUIMessageStream({ stream: result.toUIMessageStream(), onError: () => {} }),
  )
  const toolParts = messages.flatMap(({ parts }) => parts.filter(isToolPart))
  const growing = toolParts
    .filter(part => part.state === 'input-streaming')
    .map(part => JSON.stringify(part.input))
  return {
    messages,
    growing: [...new Set(growing)],
    toolPart: messages.at(-1)?.parts.find(isToolPart),
    executed,
  }
}

function isToolPart(part: AnyPart): boolean {
  return part.type === 'tool-get_weather' || part.type === 'dynamic-tool'
}

/** Parts of the last message that wait for more, which never comes. */
function hangingParts({ messages }: UiRun): AnyPart[] {
  const parts = messages.at(-1)?.parts ?? []
  return parts.filter(part => part.state === 'input-streaming' || part.state === 'streaming')
}

const protocolNames = ['hermes', 'fenced_json', 'morph_xml']
const malformed: Record<string, string> = {
  hermes:
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", ]]: ??}}\n</tool_call>',
  fenced_json: '```tool_call\n{"name": "get_weather", "arguments": {"city": "Paris", ]]: ??}}\n```',
  morph_xml: '<get_weather>\n<city>Paris</city>\n<days>many</days>\n</get_weather>',
}

const matrix = sdkVersions.flatMap(version =>
  protocolNames.map(protocolName => ({ version, name: version.name, protocolName })),
)

describe.for(matrix)('useChat with $name and $protocolName', ({ version, protocolName }) => {
  const call = writeCall(getProtocol(protocolName), paris)
  const cutText = `Let me look.\n${call.slice(0, call.indexOf('rain') + 2)}`
  const cutParts = partsOfText(version, { text: cutText }).slice(0, -2)

  test('shows the input growing and then the result', async () => {
    const run = await showInUi(version, protocolName, [
      { text: `Let me look.\n${call}` },
      { text: 'It is clear.' },
    ])
    expect(run.growing.length).toBeGreaterThanOrEqual(4)
    expect(run.growing.some(input => /"city":"P(?:a|ar|ari)?"/.test(input))).toBe(true)
    expect(run.toolPart).toMatchObject({ state: 'output-available', input: paris })
    expect(hangingParts(run)).toEqual([])
    const texts = run.messages.at(-1)?.parts.filter(part => part.type === 'text') ?? []
    expect(texts.map(part => String(part.text).trimEnd())).toEqual(['Let me look.', 'It is clear.'])
  })

  test('shows a malformed call as an error and lets the model correct itself', async () => {
    const run = await showInUi(version, protocolName, [
      { text: malformed[protocolName] ?? '' },
      { text: 'I am sorry.' },
    ])
    expect(run.toolPart?.state).toBe('output-error')
    expect(run.executed).toEqual([])
    expect(hangingParts(run)).toEqual([])
    expect(run.messages.at(-1)?.parts.at(-1)).toMatchObject({ type: 'text', text: 'I am sorry.' })
  })

  test('a call that is cut by the length limit is not executed and does not hang', async () => {
    const run = await showInUi(version, protocolName, [{ text: cutText, finishReason: 'length' }])
    expect(run.growing.length).toBeGreaterThanOrEqual(2)
    expect(run.executed).toEqual([])
    expect(run.toolPart).toBeDefined()
    expect(hangingParts(run)).toEqual([])
  })

  test('a call in the middle of which the stream fails is not executed and does not hang', async () => {
    const run = await showInUi(version, protocolName, [
      { parts: cutParts, error: new Error('connection lost') },
    ])
    expect(run.executed).toEqual([])
    expect(run.toolPart).toBeDefined()
    expect(hangingParts(run)).toEqual([])
  })

  test('a call in the middle of which the provider sends an error part is not executed and does not hang', async () => {
    const parts = [...cutParts, { type: 'error', error: new Error('overloaded') }]
    const run = await showInUi(version, protocolName, [{ parts }])
    expect(run.executed).toEqual([])
    expect(run.toolPart).toBeDefined()
    expect(hangingParts(run)).toEqual([])
  })

  test('a call in a stream that ends without a finish is not executed and does not hang', async () => {
    const run = await showInUi(version, protocolName, [{ parts: cutParts }])
    expect(run.executed).toEqual([])
    expect(run.toolPart).toBeDefined()
    expect(hangingParts(run)).toEqual([])
  })

  test('the end of a text block inside a call does not hang when nothing follows it', async () => {
    const run = await showInUi(version, protocolName, [
      { parts: [...cutParts, { type: 'text-end', id: 't1' }] },
    ])
    expect(run.executed).toEqual([])
    expect(hangingParts(run)).toEqual([])
  })

  test('the chunk size does not change what is shown in the end', async () => {
    const text = `Let me look.\n${call}`
    for (const chunkChars of [1, 7, text.length]) {
      const run = await showInUi(version, protocolName, [
        { text, chunkChars },
        { text: 'It is clear.' },
      ])
      expect(run.toolPart).toMatchObject({ state: 'output-available', input: paris })
    }
  })
})
