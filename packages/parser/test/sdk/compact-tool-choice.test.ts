import {
  type CompactSyntax,
  compactProtocol,
  compactTools,
  type ErrorMetadata,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { readCalls, syntaxes } from '../compact/support/desk.js'
import { chunksOf } from '../support/chunks.js'
import {
  callsOf,
  countedSource,
  openStream,
  runGenerate,
  runStream,
  textAnswer,
  textOf,
  textStream,
  transform,
  userSays,
} from './support/direct.js'
import { collect, scriptModel } from './support/scripted-model.js'
import { sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, paris, weatherTool, writeCall } from './support/weather.js'

const tool = { type: 'tool', toolName: 'get_weather' }
const required = { type: 'required' }
const none = { type: 'none' }
const otherTool = { ...weatherTool, name: 'get_time' }
const tools = [weatherTool, otherTool]
const history = [
  userSays('Hello'),
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: paris }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'get_weather',
        output: { type: 'text', value: 'clear' },
      },
    ],
  },
]

function textOfMessage(content: unknown): string {
  return Array.isArray(content) ? content.map(part => String(part.text)).join('') : String(content)
}

/** Reads an answer whole and in pieces of several sizes; all must agree. */
async function readAnswer(syntax: CompactSyntax, toolChoice: object, text: string) {
  const codes: string[] = []
  const onError = (_: string, { code }: ErrorMetadata) => codes.push(code)
  const middleware = compactTools({ syntax, onError })
  const params = { prompt: [userSays('Hello')], tools, toolChoice }
  const { content, finishReason } = await runGenerate(middleware, params, textAnswer(text))
  const read = {
    calls: callsOf(content),
    text: textOf(content),
    finishReason,
    codes: codes.splice(0),
  }
  for (const chars of [1, 4, text.length]) {
    const parts = await runStream(middleware, params, textStream(chunksOf(text, chars)))
    expect({
      calls: callsOf(parts),
      text: textOf(parts),
      finishReason: parts.at(-1)?.finishReason,
      codes: codes.splice(0),
    }).toEqual(read)
  }
  return read
}

describe.for(syntaxes)('toolChoice with %s', syntax => {
  const middleware = compactTools({ syntax })
  const call = writeCall(compactProtocol({ syntax }), paris)

  test('none shows no manual, and keeps old calls and results readable', async () => {
    const request = {
      prompt: [{ role: 'system', content: 'Be brief.' }, ...history],
      tools,
      toolChoice: none,
    }
    const made = await transform(middleware, request)
    expect(made.tools).toBeUndefined()
    expect(made.toolChoice).toBeUndefined()
    expect(made.prompt.map(message => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
    expect(made.prompt[0]).toEqual({ role: 'system', content: 'Be brief.' })
    const said = textOfMessage(made.prompt[2]?.content)
    expect(readCalls(syntax, said, tools)).toEqual([{ toolName: 'get_weather', input: paris }])
    expect(textOfMessage(made.prompt[3]?.content)).toBe('<result>get_weather: clear</result>')
  })

  test('none reads no calls, whole or streamed', async () => {
    const params = { prompt: history, tools, toolChoice: none }
    const text = `So:\n${call}`
    const answer = textAnswer(text)
    const { content, finishReason } = await runGenerate(middleware, params, answer)
    expect(content).toEqual([{ type: 'text', text }])
    expect(finishReason).toEqual({ unified: 'stop', raw: 'stop' })
    const sent = textStream(chunksOf(text, 3))
    const parts = await runStream(middleware, params, sent)
    expect(parts).toEqual(sent)
  })

  test.for([tool, required])(
    '$type asks for JSON after the manual of all tools',
    async toolChoice => {
      const made = await transform(middleware, { prompt: [userSays('Hello')], tools, toolChoice })
      const manual = compactProtocol({ syntax }).formatTools({ tools })
      const [system] = made.prompt
      expect(String(system?.content).startsWith(`${manual}\n\n`)).toBe(true)
      expect(String(system?.content).slice(manual.length)).toContain('"arguments"')
      expect(made.responseFormat).toMatchObject({ type: 'json' })
      expect(made.tools).toBeUndefined()
    },
  )

  const envelope = JSON.stringify({ name: 'get_weather', arguments: paris })
  const answers = {
    'its own syntax': call,
    JSON: envelope,
    'a fence': `\`\`\`json\n${envelope}\n\`\`\``,
    'JSON between tags': `<call>${envelope}</call>`,
  }
  for (const [form, text] of Object.entries(answers)) {
    if (syntax === 'line' && form === 'JSON between tags') continue
    test(`one tool and required are met by ${form}`, async () => {
      const met = {
        calls: [{ toolName: 'get_weather', input: paris }],
        text: '',
        finishReason: { unified: 'tool-calls', raw: 'stop' },
        codes: [],
      }
      expect(await readAnswer(syntax, tool, text)).toEqual(met)
      expect(await readAnswer(syntax, required, text)).toEqual(met)
    })
  }

  test('one tool is called although the model names another, and onError gets a report', async () => {
    const other = compactProtocol({ syntax }).formatToolCall(
      { toolCallId: 'x', toolName: 'get_time', input: paris },
      { tools },
    )
    const { calls, codes } = await readAnswer(syntax, tool, other)
    expect(calls).toEqual([{ toolName: 'get_weather', input: paris }])
    expect(codes).toEqual(['forced-name'])
  })

  test.for(['I am sorry.', 'Use {braces}, <call> or @signs for that.', ''])(
    'a forced choice makes no call of prose: %j',
    async text => {
      for (const toolChoice of [tool, required]) {
        expect(await readAnswer(syntax, toolChoice, text)).toMatchObject({
          calls: [],
          text,
          codes: ['forced-missing'],
        })
      }
    },
  )

  test.for([
    { toolChoice: tool, text: call },
    { toolChoice: tool, text: envelope },
    { toolChoice: required, text: call },
    { toolChoice: required, text: envelope },
  ])('$toolChoice.type streams the input of $text before the end', async ({ toolChoice, text }) => {
    const sent = textStream(chunksOf(text, 2))
    const { source, pulled } = countedSource(sent)
    const pulledAt: number[] = []
    const params = { prompt: [userSays('Hello')], tools, toolChoice }
    for await (const part of await openStream(middleware, params, source)) {
      if (part.type === 'tool-input-delta') pulledAt.push(pulled())
    }
    expect(pulledAt[0]).toBeLessThan(sent.length * 0.7)
    expect(new Set(pulledAt).size).toBeGreaterThan(5)
  })
})

const matrix = sdkVersions.flatMap(version =>
  syntaxes.map(syntax => ({ version, name: version.name, syntax })),
)

describe.for(matrix)('$name, $syntax', ({ version, syntax }) => {
  const { sdk } = version
  const call = writeCall(compactProtocol({ syntax }), paris)

  test.for([{ toolChoice: 'required' }, { toolChoice: tool }])(
    'a forced choice ($toolChoice) is met, whole and streamed',
    async ({ toolChoice }) => {
      const { model } = scriptModel(version, [{ text: call }, { text: call }])
      const { tools: weather, executed } = createWeatherTools()
      const settings = {
        model: sdk.wrapLanguageModel({ model, middleware: compactTools({ syntax }) }),
        tools: weather,
        toolChoice,
        prompt: 'How is the weather?',
      }
      const { steps } = await sdk.generateText(settings)
      expect(steps[0]?.toolCalls).toMatchObject([{ toolName: 'get_weather', input: paris }])
      const parts = await collect(sdk.streamText(settings).fullStream)
      expect(parts.filter(part => part.type === 'error')).toEqual([])
      expect(parts.filter(part => part.type === 'tool-input-delta').length).toBeGreaterThan(3)
      expect(executed).toEqual([paris, paris])
    },
  )

  test('none leaves the text of the model alone, and nothing is executed', async () => {
    const { model } = scriptModel(version, [{ text: call }, { text: call }])
    const { tools: weather, executed } = createWeatherTools()
    const settings = {
      model: sdk.wrapLanguageModel({ model, middleware: compactTools({ syntax }) }),
      tools: weather,
      toolChoice: 'none',
      prompt: 'How is the weather?',
    }
    const { text } = await sdk.generateText(settings)
    const streamed = sdk.streamText(settings)
    expect(
      textOf(
        (await collect(streamed.fullStream)).map(part => ({
          ...part,
          delta: part.text ?? part.delta,
        })),
      ),
    ).toBe(text)
    expect(text).toBe(call)
    expect(executed).toEqual([])
  })
})
