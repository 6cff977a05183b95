import {
  createToolMiddleware,
  type DebugSummary,
  getProtocol,
  toolCallOptions,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { type ContentAnswer, contentModel } from './support/content-model.js'
import { outlineOf } from './support/outline.js'
import { collect, type Request } from './support/scripted-model.js'
import { type Data, type SdkVersion, type Step, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, writeCall } from './support/weather.js'

const text = (said: string) => ({ type: 'text', text: said })
const reasoning = (said: string) => ({ type: 'reasoning', text: said })
const native = (input: object, toolCallId = 'n1') => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'get_weather',
  input: JSON.stringify(input),
})
const made = (input: object) => ({ call: 'get_weather', input })
const call = writeCall(getProtocol('hermes'), paris)
const qwenCall = writeCall(getProtocol('qwen3_coder'), oslo)
const done: ContentAnswer = { content: [text('It is clear.')] }

interface Run {
  readonly steps: readonly Step[]
  readonly executed: readonly Data[]
  readonly requests: readonly Request[]
}

/** Runs a loop whole and streamed; without the middleware if it is told so. */
async function runBoth(
  version: SdkVersion,
  answers: readonly ContentAnswer[],
  { isBare = false, ...options }: Data = {},
): Promise<Run[]> {
  const { sdk } = version
  const runs: Run[] = []
  for (const isStreamed of [false, true]) {
    const { model, requests } = contentModel(version, answers)
    const { tools, executed } = createWeatherTools()
    const middleware = createToolMiddleware({ mode: 'rescue' })
    const settings = {
      model: isBare ? model : sdk.wrapLanguageModel({ model, middleware }),
      tools,
      prompt: 'How is it?',
      stopWhen: sdk.stepCountIs(4),
      ...options,
    }
    const result = isStreamed ? sdk.streamText(settings) : undefined
    if (result)
      expect((await collect(result.fullStream)).filter(part => part.type === 'error')).toEqual([])
    const steps = result ? await result.steps : (await sdk.generateText(settings)).steps
    runs.push({ steps, executed, requests })
  }
  return runs
}

const outlines = ({ steps }: Run) => steps.map(step => outlineOf(step.content))
const reasons = ({ steps }: Run) => steps.map(step => step.finishReason)

/** What a request says, but for who asked. */
function wordsOf({ prompt, tools, toolChoice, providerOptions }: Request): Data {
  return { prompt, tools, toolChoice, providerOptions }
}

describe.for(sdkVersions)('a loop in rescue mode with $name', version => {
  test('goes on after a call that was written as text', async () => {
    const answers = [
      { content: [text(`Let me look.\n${call}`)] },
      { content: [text(qwenCall)] },
      done,
    ]
    for (const run of await runBoth(version, answers)) {
      expect(outlines(run)).toEqual([
        [{ text: 'Let me look.\n' }, made(paris)],
        [made(oslo)],
        [{ text: 'It is clear.' }],
      ])
      expect(reasons(run)).toEqual(['tool-calls', 'tool-calls', 'stop'])
      expect(run.executed).toEqual([paris, oslo])
    }
  })

  test('goes on after a call in reasoning', async () => {
    for (const run of await runBoth(version, [{ content: [reasoning(`I call ${call}`)] }, done])) {
      expect(outlines(run)).toEqual([
        [{ reasoning: `I call ${call}` }, made(paris)],
        [{ text: 'It is clear.' }],
      ])
      expect(run.executed).toEqual([paris])
    }
  })

  test('sends the rescued call to the provider in its own notation', async () => {
    for (const run of await runBoth(version, [{ content: [text(call)] }, done])) {
      const [, assistant, tool] = run.requests[1]?.prompt ?? []
      const id = run.steps[0]?.toolCalls[0]?.toolCallId
      expect(id).toBeTypeOf('string')
      expect(assistant?.content).toMatchObject([
        { type: 'tool-call', toolCallId: id, input: paris },
      ])
      expect(tool?.content).toMatchObject([{ type: 'tool-result', toolCallId: id }])
    }
  })

  test('asks as if the middleware were not there', async () => {
    const answers = [
      { content: [text('Let me look.'), native(paris)], finishReason: 'tool-calls' },
      done,
    ]
    for (const toolChoice of ['auto', 'required', { type: 'tool', toolName: 'get_weather' }]) {
      const options = { toolChoice, system: 'Be brief.', stopWhen: version.sdk.stepCountIs(1) }
      const bare = await runBoth(version, answers, { ...options, isBare: true })
      const wrapped = await runBoth(version, answers, options)
      expect(wrapped.map(run => run.requests.map(wordsOf))).toEqual(
        bare.map(run => run.requests.map(wordsOf)),
      )
      expect(wrapped.map(outlines)).toEqual(bare.map(outlines))
      expect(wrapped[0]?.requests[0]?.tools).toMatchObject([
        { type: 'function', name: 'get_weather' },
      ])
    }
  })

  test('keeps the ids of native calls and runs each once', async () => {
    const { tags, ...others } = paris
    const answers = [
      {
        content: [text(`Look: ${call}`), native({ tags, ...others }, 'native-7')],
        finishReason: 'tool-calls',
      },
      done,
    ]
    for (const run of await runBoth(version, answers)) {
      expect(run.steps[0]?.toolCalls.map(each => each.toolCallId)).toEqual(['native-7'])
      expect(run.executed).toEqual([paris])
      expect(reasons(run)).toEqual(['tool-calls', 'stop'])
    }
  })

  test('fulfils a choice that leaves no choice', async () => {
    for (const toolChoice of ['required', { type: 'tool', toolName: 'get_weather' }]) {
      const options = { toolChoice, stopWhen: version.sdk.stepCountIs(1) }
      for (const run of await runBoth(version, [{ content: [text(call)] }], options)) {
        expect(run.executed).toEqual([paris])
      }
    }
  })

  test('leaves all as it is where no tool may be called', async () => {
    for (const run of await runBoth(version, [{ content: [text(call)] }], { toolChoice: 'none' })) {
      expect(outlines(run)).toEqual([[{ text: call }]])
      expect(reasons(run)).toEqual(['stop'])
      expect(run.executed).toEqual([])
    }
  })

  test('does not run a call that is cut', async () => {
    const answer = { content: [text(call.slice(0, -25))], finishReason: 'length' }
    for (const run of await runBoth(version, [answer, done], {
      stopWhen: version.sdk.stepCountIs(1),
    })) {
      expect(run.executed).toEqual([])
      expect(reasons(run)).toEqual(['length'])
      expect(run.steps[0]?.toolCalls).toMatchObject([{ invalid: true }])
    }
  })

  test('sums up the same, whole and streamed', async () => {
    const summaries: DebugSummary[] = []
    for (const isStreamed of [false, true]) {
      const { sdk } = version
      const content = [reasoning('Hm.'), text(`Look: ${call} ${qwenCall}`), native(paris)]
      const { model } = contentModel(version, [{ content }])
      const debugSummary: DebugSummary = {}
      const settings = {
        model: sdk.wrapLanguageModel({
          model,
          middleware: createToolMiddleware({ mode: 'rescue' }),
        }),
        tools: createWeatherTools().tools,
        prompt: 'How is it?',
        providerOptions: toolCallOptions({ debugSummary }),
      }
      if (isStreamed) await collect(sdk.streamText(settings).fullStream)
      else await sdk.generateText(settings)
      summaries.push(debugSummary)
    }
    expect(JSON.parse(summaries[0]?.toolCalls ?? '')).toEqual([
      { toolName: 'get_weather', input: JSON.stringify(paris) },
      { toolName: 'get_weather', input: JSON.stringify(oslo) },
    ])
    expect(summaries[0]?.originalText).toBe(`${call}\n\n${qwenCall}`)
    expect(summaries[1]).toEqual(summaries[0])
  })
})
