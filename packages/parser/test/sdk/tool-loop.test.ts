import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { collect, type Request, type ScriptedModel, scriptModel } from './support/scripted-model.js'
import {
  type AnyPart,
  type Data,
  type Outcome,
  type SdkVersion,
  type Step,
  type StreamOutcome,
  sdkVersions,
} from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

/** One way of running the loop; the parts only where it streams. */
interface Run {
  readonly text: string
  readonly finishReason: string
  readonly steps: readonly Step[]
  readonly parts?: readonly AnyPart[]
}

type Runner = (version: SdkVersion, settings: Data) => Promise<Run>

const runners: Record<string, Runner> = {
  generateText: async ({ sdk }, settings) =>
    take(await sdk.generateText({ ...settings, prompt: 'How is the weather?' })),
  streamText: ({ sdk }, settings) =>
    drain(sdk.streamText({ ...settings, prompt: 'How is the weather?' })),
  'agent.generate': async ({ sdk }, settings) =>
    take(await new sdk.ToolLoopAgent(settings).generate({ prompt: 'How is the weather?' })),
  'agent.stream': async ({ sdk }, settings) =>
    drain(await new sdk.ToolLoopAgent(settings).stream({ prompt: 'How is the weather?' })),
}

/** The SDK's results have getters; they do not survive a spread. */
function take({ text, finishReason, steps }: Outcome): Run {
  return { text, finishReason, steps }
}

async function drain(result: StreamOutcome): Promise<Run> {
  const parts = await collect(result.fullStream)
  return {
    parts,
    text: await result.text,
    finishReason: await result.finishReason,
    steps: await result.steps,
  }
}

async function runLoop(
  version: SdkVersion,
  runner: string,
  protocolName: string,
  answers: readonly string[],
): Promise<Run & ScriptedModel & { executed: Data[] }> {
  const scripted = scriptModel(
    version,
    answers.map(text => ({ text })),
  )
  const { tools, executed } = createWeatherTools()
  const middleware = createToolMiddleware({ protocol: protocolName })
  const model = version.sdk.wrapLanguageModel({ model: scripted.model, middleware })
  const run = await runners[runner]?.(version, {
    model,
    tools,
    stopWhen: version.sdk.stepCountIs(5),
  })
  if (!run) throw new Error(`no runner ${runner}`)
  return { ...run, ...scripted, executed }
}

function assistantTexts({ prompt }: Request): string[] {
  return prompt
    .filter(message => message.role === 'assistant')
    .map(({ content }) =>
      typeof content === 'string' ? content : content.map(part => String(part.text)).join(''),
    )
}

const matrix = sdkVersions.flatMap(version =>
  Object.keys(runners).flatMap(runner =>
    ['hermes', 'fenced_json', 'morph_xml'].map(protocolName => ({
      version,
      name: version.name,
      runner,
      protocolName,
    })),
  ),
)

describe.for(matrix)('$name, $runner, $protocolName', ({ version, runner, protocolName }) => {
  const protocol = getProtocol(protocolName)
  const isStream = runner.toLowerCase().includes('stream')

  test('a tool is executed with typed input and the model answers with its result', async () => {
    const run = await runLoop(version, runner, protocolName, [
      `Let me look.\n${writeCall(protocol, paris)}`,
      'It is clear.',
    ])
    expect(run.executed).toEqual([paris])
    expect(run.text).toBe('It is clear.')
    expect(run.finishReason).toBe('stop')
    expect(run.steps.map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
    expect(run.steps[0]?.text.trimEnd()).toBe('Let me look.')
    expect(run.steps[0]?.toolResults.map(({ output }) => output)).toEqual([
      { sky: 'clear over Paris' },
    ])
  })

  test('parallel calls are all executed, in order, with ids of their own', async () => {
    const run = await runLoop(version, runner, protocolName, [
      `${writeCall(protocol, paris)}\n${writeCall(protocol, oslo)}`,
      'Both are clear.',
    ])
    expect(run.executed).toEqual([paris, oslo])
    const ids = run.steps[0]?.toolCalls.map(call => call.toolCallId) ?? []
    expect(new Set(ids).size).toBe(2)
    expect(run.steps[0]?.text).toBe('')
    expect(run.text).toBe('Both are clear.')
  })

  test('the second request shows the calls as the protocol reads them, and the results as the user', async () => {
    const { requests } = await runLoop(version, runner, protocolName, [
      `Let me look.\n${writeCall(protocol, paris)}\n${writeCall(protocol, oslo)}`,
      'Both are clear.',
    ])
    const second = requests[1] ?? { prompt: [] }
    expect(second.prompt.map(message => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
    const [history = ''] = assistantTexts(second)
    const parsed = protocol.parseGeneratedText({ text: history, tools: [weatherTool] })
    const calls = parsed.flatMap(part =>
      part.type === 'tool-call' ? [JSON.parse(part.input)] : [],
    )
    expect(calls).toEqual([paris, oslo])
    expect(parsed[0]).toMatchObject({ type: 'text', text: expect.stringContaining('Let me look.') })
    expect(JSON.stringify(second.prompt[3])).toContain('clear over Paris')
    expect(JSON.stringify(second.prompt[3])).toContain('clear over Oslo')
  })

  test('three steps in a row keep the whole history readable', async () => {
    const run = await runLoop(version, runner, protocolName, [
      writeCall(protocol, paris),
      `And now Oslo.\n${writeCall(protocol, oslo)}`,
      'Done.',
    ])
    expect(run.executed).toEqual([paris, oslo])
    const texts = assistantTexts(run.requests[2] ?? { prompt: [] })
    const calls = texts.flatMap(text => protocol.parseGeneratedText({ text, tools: [weatherTool] }))
    expect(
      calls.flatMap(part => (part.type === 'tool-call' ? [JSON.parse(part.input)] : [])),
    ).toEqual([paris, oslo])
    expect(run.text).toBe('Done.')
    const ids = run.steps.flatMap(step => step.toolCalls.map(call => call.toolCallId))
    expect(new Set(ids).size).toBe(2)
  })

  if (!isStream) return

  test('start, deltas, end and call share one id, and the deltas make the input', async () => {
    const { parts = [] } = await runLoop(version, runner, protocolName, [
      `Let me look.\n${writeCall(protocol, paris)}\n${writeCall(protocol, oslo)}`,
      'Both are clear.',
    ])
    const calls = parts.filter(part => part.type === 'tool-call')
    expect(calls.map(call => call.input)).toEqual([paris, oslo])
    for (const call of calls) {
      const own = parts.filter(
        part => part.type.startsWith('tool-input-') && part.id === call.toolCallId,
      )
      const deltas = own.filter(part => part.type === 'tool-input-delta')
      expect(own.at(0)).toMatchObject({ type: 'tool-input-start', toolName: 'get_weather' })
      expect(own.at(-1)?.type).toBe('tool-input-end')
      expect(deltas.length).toBeGreaterThan(3)
      expect(JSON.parse(deltas.map(part => part.delta).join(''))).toEqual(call.input)
      expect(parts.indexOf(call)).toBeGreaterThan(parts.indexOf(own.at(-1) ?? call))
    }
    expect(parts.filter(part => part.type === 'tool-input-start')).toHaveLength(2)
  })

  test('text before the call is streamed as it comes, in a text block that is closed', async () => {
    const { parts = [] } = await runLoop(version, runner, protocolName, [
      `Let me look at it.\n${writeCall(protocol, paris)}`,
      'It is clear.',
    ])
    const start = parts.findIndex(part => part.type === 'tool-input-start')
    const before = parts.slice(0, start).filter(part => part.type === 'text-delta')
    expect(before.length).toBeGreaterThan(3)
    const starts = parts.filter(part => part.type === 'text-start').map(part => part.id)
    const ends = parts.filter(part => part.type === 'text-end').map(part => part.id)
    expect(ends).toEqual(starts)
    expect(parts.filter(part => part.type === 'error')).toEqual([])
  })
})
