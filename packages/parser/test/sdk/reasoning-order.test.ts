import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import * as ai5 from 'ai-v5'
import * as ai6 from 'ai-v6'
import * as ai7 from 'ai-v7'
import { describe, expect, test } from 'vitest'
import { type Outline, outlineOf } from './support/outline.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { type AnyModel, type Data, type SdkVersion, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, writeCall } from './support/weather.js'

/** The SDK's own middleware for reasoning, around ours or inside of it. */
type Order = 'inside' | 'outside'

const extractors: Record<
  SdkVersion['name'],
  (options: { tagName: string; startWithReasoning: boolean }) => object
> = {
  'ai@5': ai5.extractReasoningMiddleware,
  'ai@6': ai6.extractReasoningMiddleware,
  'ai@7': ai7.extractReasoningMiddleware,
}

interface Case {
  readonly version: SdkVersion
  readonly name: string
  readonly order: Order
  /** The prompt opens the reasoning, and the SDK's middleware has an option for that. */
  readonly isOpened: boolean
}

const cases: Case[] = sdkVersions.flatMap(version =>
  (['inside', 'outside'] as const).flatMap(order =>
    [false, true].map(isOpened => ({ version, name: version.name, order, isOpened })),
  ),
)

function wrap({ version, order, isOpened }: Case, model: AnyModel, options: Data): AnyModel {
  const theirs = extractors[version.name]({ tagName: 'think', startWithReasoning: isOpened })
  const ours = createToolMiddleware({ protocol: 'hermes', ...options })
  const [inner, outer] = order === 'inside' ? [theirs, ours] : [ours, theirs]
  const wrapped = version.sdk.wrapLanguageModel({ model, middleware: inner })
  return version.sdk.wrapLanguageModel({ model: wrapped, middleware: outer })
}

interface Run {
  readonly outlines: Outline[]
  readonly executed: readonly Data[]
  readonly finishReasons: readonly string[]
}

/** Runs a loop in both ways, streamed in several pieces. */
async function runAll(each: Case, answers: readonly string[], options: Data = {}): Promise<Run[]> {
  const { sdk } = each.version
  const settings = { prompt: 'How is it?', stopWhen: sdk.stepCountIs(4) }
  const runs: Run[] = []
  for (const chunkChars of [undefined, 1, 4, 1000]) {
    const script = answers.map(text => ({ text, ...(chunkChars ? { chunkChars } : {}) }))
    const model = wrap(each, scriptModel(each.version, script).model, options)
    const { tools, executed } = createWeatherTools()
    const result = chunkChars ? sdk.streamText({ ...settings, model, tools }) : undefined
    if (result)
      expect((await collect(result.fullStream)).filter(part => part.type === 'error')).toEqual([])
    const steps = result
      ? await result.steps
      : (await sdk.generateText({ ...settings, model, tools })).steps
    runs.push({
      outlines: steps.map(step => trimmed(outlineOf(step.content))),
      executed,
      finishReasons: steps.map(step => step.finishReason),
    })
  }
  return runs
}

/** The SDK may keep or drop whitespace around reasoning and texts. */
function trimmed(outline: Outline): Outline {
  return outline.flatMap((each): Outline => {
    if ('call' in each) return [each]
    const text = ('text' in each ? each.text : each.reasoning).trim()
    return text === '' ? [] : ['text' in each ? { text } : { reasoning: text }]
  })
}

const call = writeCall(getProtocol('hermes'), paris)
const otherCall = writeCall(getProtocol('hermes'), oslo)
const parisCall = { call: 'get_weather', input: paris }

describe.for(cases)(
  'extractReasoning $order of ours with $name, opened by the prompt: $isOpened',
  each => {
    const open = each.isOpened ? '' : '<think>\n'

    test('the reasoning is reasoning and the call after it a call', async () => {
      const answers = [
        `${open}I ponder.\n</think>\n\nLet me look.\n${call}`,
        `${open}All clear.</think>It is clear.`,
      ]
      for (const run of await runAll(each, answers)) {
        expect(run.outlines).toEqual([
          [{ reasoning: 'I ponder.' }, { text: 'Let me look.' }, parisCall],
          [{ reasoning: 'All clear.' }, { text: 'It is clear.' }],
        ])
        expect(run.executed).toEqual([paris])
        expect(run.finishReasons).toEqual(['tool-calls', 'stop'])
      }
    })

    test('a call right after the reasoning is a call', async () => {
      for (const run of await runAll(each, [
        `${open}I ponder.\n</think>\n${call}`,
        `${open}Ok.</think>Clear.`,
      ])) {
        expect(run.outlines[0]).toEqual([{ reasoning: 'I ponder.' }, parisCall])
        expect(run.executed).toEqual([paris])
      }
    })

    test('a call inside the reasoning is not a call', async () => {
      // Outside of the SDK's middleware nothing shows that the prompt has opened the reasoning, so
      // the user has to.
      const options = each.isOpened && each.order === 'outside' ? { startWithReasoning: true } : {}
      const answers = [
        `${open}Perhaps ${otherCall}? No.\n</think>\n\nLet me look.\n${call}`,
        `${open}All clear.</think>It is clear.`,
      ]
      for (const run of await runAll(each, answers, options)) {
        expect(run.executed).toEqual([paris])
        expect(run.outlines[0]).toEqual([
          { reasoning: `Perhaps ${otherCall}? No.` },
          { text: 'Let me look.' },
          parisCall,
        ])
      }
    })

    test('an answer without a call stays an answer', async () => {
      for (const run of await runAll(each, [
        `${open}Perhaps <tool_call>?</think>Use <tool_call> for it.`,
      ])) {
        expect(run.outlines).toEqual([
          [{ reasoning: 'Perhaps <tool_call>?' }, { text: 'Use <tool_call> for it.' }],
        ])
        expect(run.finishReasons).toEqual(['stop'])
      }
    })
  },
)

describe.for(sdkVersions)('reasoning before and text after a call with $name', version => {
  test.for(['inside', 'outside'] as const)('extractReasoning %s of ours', async order => {
    const each = { version, name: version.name, order, isOpened: false }
    const answers = [`<think>I ponder.</think>A.\n${call}\nB.`, 'Clear.']
    for (const run of await runAll(each, answers)) {
      expect(run.outlines[0]).toEqual([
        { reasoning: 'I ponder.' },
        { text: 'A.' },
        parisCall,
        { text: 'B.' },
      ])
    }
  })
})
