import {
  type CompactSyntax,
  compactProtocol,
  compactTools,
  type ErrorMetadata,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { readCalls } from '../compact/support/desk.js'
import { collect, type Message, scriptModel } from './support/scripted-model.js'
import { type Data, type SdkVersion, type Step, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

interface Mistake {
  readonly syntax: CompactSyntax
  readonly mistake: string
  readonly text: string
  /** What the model is told. */
  readonly told: RegExp
  /** What `onError` is told; nothing where only the schema of the application knows better. */
  readonly code?: string
}

const invalid = /<result>get_weather failed: .*Invalid input for tool get_weather/s
const unread = /<result>get_weather failed: .*could not be read, and nothing was done: /s
const unknown = /<result>get_wether failed: .*get_wether/s

const mistakes: readonly Mistake[] = [
  {
    syntax: 'wire',
    mistake: 'a quote that is never closed',
    text: '<call>get_weather city="Paris days=3 hourly=true tags=rain</call>',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'wire',
    mistake: 'text behind a quoted value',
    text: '<call>get_weather city="Paris" please days=3 hourly=true tags=rain</call>',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'wire',
    mistake: 'a key that is given twice',
    text: '<call>get_weather city="Paris" city="Oslo" days=3 hourly=true tags=rain</call>',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'wire',
    mistake: 'a value without its key',
    text: '<call>get_weather Paris</call>',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'wire',
    mistake: 'text behind a list',
    text: '<call>get_weather tags=["rain"] and more city=Paris days=3 hourly=true</call>',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'wire',
    mistake: 'a word for a number',
    text: '<call>get_weather city=Paris days=many hourly=true tags=rain</call>',
    told: invalid,
  },
  {
    syntax: 'wire',
    mistake: 'too few arguments',
    text: '<call>get_weather city=Paris</call>',
    told: invalid,
  },
  {
    syntax: 'wire',
    mistake: 'the name of no tool',
    text: '<call>get_wether city=Paris</call>',
    told: unknown,
  },
  {
    syntax: 'json',
    mistake: 'JSON that cannot be read',
    text: '<call>get_weather {"city":"Paris", ]]: ??}</call>',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'json',
    mistake: 'a word for a number',
    text: '<call>get_weather {"city":"Paris","days":"many","hourly":true,"tags":[]}</call>',
    told: invalid,
  },
  {
    syntax: 'json',
    mistake: 'the name of no tool',
    text: '<call>get_wether {"city":"Paris"}</call>',
    told: unknown,
  },
  {
    syntax: 'line',
    mistake: 'a quote that is never closed',
    text: '@get_weather city="Paris days=3 hourly=true tags=rain',
    told: unread,
    code: 'cut-call',
  },
  {
    syntax: 'line',
    mistake: 'lines that are never closed',
    text: '@get_weather days=3 city=<<END\nParis\n@get_weather city=Oslo',
    told: unread,
    code: 'cut-call',
  },
  {
    syntax: 'line',
    mistake: 'text behind a list',
    text: '@get_weather city=Paris tags=["rain"] and more days=3 hourly=true',
    told: unread,
    code: 'malformed-arguments',
  },
  {
    syntax: 'line',
    mistake: 'a word for a number',
    text: '@get_weather city=Paris days=many hourly=true tags=rain',
    told: invalid,
  },
  {
    syntax: 'line',
    mistake: 'too few arguments',
    text: '@get_weather city=Paris',
    told: invalid,
  },
]

interface Run {
  readonly text: string
  readonly steps: readonly Step[]
}

async function runLoop({ sdk }: SdkVersion, isStream: boolean, settings: Data): Promise<Run> {
  if (!isStream) return sdk.generateText(settings)
  // The SDK prints errors of a stream unless it is told otherwise.
  const result = sdk.streamText({ ...settings, onError: () => {} })
  await collect(result.fullStream)
  return { text: await result.text, steps: await result.steps }
}

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map(part => String(part.text)).join('')
}

const matrix = sdkVersions.flatMap(version => [
  { version, name: `${version.name}, generateText`, isStream: false },
  { version, name: `${version.name}, streamText`, isStream: true },
])

describe.for(matrix)('$name', ({ version, isStream }) => {
  test.for(mistakes)(
    '$syntax: $mistake is reported to the model, which corrects itself',
    async each => {
      const { syntax, text, told, code } = each
      const codes: string[] = []
      const onError = (_: string, metadata: ErrorMetadata) => codes.push(metadata.code)
      const right = writeCall(compactProtocol({ syntax }), paris)
      const { model, requests } = scriptModel(version, [
        { text },
        { text: right },
        { text: 'It is clear.' },
      ])
      const { tools, executed } = createWeatherTools()
      const run = await runLoop(version, isStream, {
        model: version.sdk.wrapLanguageModel({
          model,
          middleware: compactTools({ syntax, onError }),
        }),
        tools,
        prompt: 'How is the weather?',
        stopWhen: version.sdk.stepCountIs(5),
      })
      expect(run.text).toBe('It is clear.')
      expect(executed).toEqual([paris])
      expect(run.steps.map(step => step.toolCalls.length)).toEqual([1, 1, 0])
      expect(run.steps[0]?.toolCalls[0]?.invalid).toBe(true)
      expect(codes).toEqual(code === undefined ? [] : [code])

      const [, , said, answered] = requests[1]?.prompt ?? []
      expect(said?.role).toBe('assistant')
      expect(said && textOf(said)).toMatch(
        syntax === 'line' ? /^@get_w/ : /^<call>get_w[\s\S]*<\/call>$/,
      )
      // What could not be read is shown as it was written.
      if (code !== undefined) expect(said && textOf(said)).toBe(text)
      expect(JSON.stringify(said)).not.toContain('toolCallMiddleware')
      expect(answered?.role).toBe('user')
      const result = answered ? textOf(answered) : ''
      expect(result).toMatch(told)
      expect(result.match(/<\/?result\b/g)).toHaveLength(2)
      // The corrected call stands in the last request as it was made.
      const last = requests[2]?.prompt.filter(message => message.role === 'assistant').at(-1)
      expect(last && readCalls(syntax, textOf(last), [weatherTool])).toEqual([
        { toolName: 'get_weather', input: paris },
      ])
    },
  )
})
