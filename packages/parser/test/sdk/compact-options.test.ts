import {
  type CompactProtocolOptions,
  compactProtocol,
  compactTools,
  type ErrorMetadata,
  type FunctionTool,
  planTools,
  renderSignature,
  toolCallOptions,
} from '@toolglot/parser'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deskTools, orderTool, syntaxes } from '../compact/support/desk.js'
import { chunksOf } from '../support/chunks.js'
import {
  callsOf,
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

afterEach(() => vi.restoreAllMocks())

const params = { prompt: [userSays('Hello')], tools: [weatherTool] }

/** Calls a function as code without types would. */
function callUntyped(target: (options: never) => unknown, options: unknown): unknown {
  return Reflect.apply(target, undefined, [options])
}

describe('an option with a value that it does not have', () => {
  test.for([
    { option: 'syntax', value: 'xml', allowed: ['wire', 'json', 'line'] },
    { option: 'syntax', value: null, allowed: ['wire', 'json', 'line'] },
    { option: 'fallbackToJson', value: true, allowed: ['complex', 'error', 'force'] },
    { option: 'descriptions', value: 'long', allowed: ['none', 'short', 'full'] },
    { option: 'placement', value: 'middle', allowed: ['first', 'last'] },
    { option: 'mediaStrategy', value: 'all', allowed: ['model', 'placeholder', 'auto'] },
    { option: 'debug', value: 'loud', allowed: ['off', 'stream', 'parse'] },
  ])('is refused at once: $option $value', ({ option, value, allowed }) => {
    const make = () => callUntyped(compactTools, { [option]: value })
    expect(make).toThrow(TypeError)
    for (const word of [
      option,
      JSON.stringify(value),
      ...allowed.map(each => JSON.stringify(each)),
    ]) {
      expect(make).toThrow(word)
    }
  })

  test('is refused by planTools as well', () => {
    const plan = () => Reflect.apply(planTools, undefined, [[], { syntax: 'xml' }])
    expect(plan).toThrow(/syntax is "xml".*"wire" or "json" or "line"/)
  })

  test('is refused where it is a number too small', () => {
    expect(() => compactTools({ maxHeldChars: 3 })).toThrow(/maxHeldChars is 3.*1024/)
  })

  test('may be undefined, which is the default', async () => {
    const silent = compactTools({
      syntax: undefined,
      fallbackToJson: undefined,
      placement: undefined,
      manualHeader: undefined,
      stripPreamble: undefined,
      descriptions: undefined,
      debug: undefined,
      onError: undefined,
    })
    const request = { ...params, tools: deskTools }
    expect((await transform(silent, request)).prompt).toEqual(
      (await transform(compactTools(), request)).prompt,
    )
  })
})

describe('syntax', () => {
  test('is wire by default', async () => {
    const { prompt } = await transform(compactTools(), params)
    const manual = compactProtocol({ syntax: 'wire' }).formatTools({ tools: [weatherTool] })
    expect(prompt[0]).toEqual({ role: 'system', content: manual })
    expect(manual).toContain('<call>name key=')
  })

  test.for(syntaxes)('%s shows one line for each tool, and reads what it teaches', async syntax => {
    const middleware = compactTools({ syntax })
    const { prompt } = await transform(middleware, { ...params, tools: deskTools })
    const lines = String(prompt[0]?.content).split('\n')
    const sign = syntax === 'line' ? '@' : ''
    for (const { name } of deskTools) {
      expect(lines.filter(line => line.startsWith(`${sign}${name} `))).toHaveLength(1)
    }
    const call = writeCall(compactProtocol({ syntax }), paris)
    const { content } = await runGenerate(middleware, params, textAnswer(call))
    expect(callsOf(content)).toEqual([{ toolName: 'get_weather', input: paris }])
  })
})

describe('fallbackToJson', () => {
  const listTool: FunctionTool = {
    type: 'function',
    name: 'sum',
    inputSchema: { type: 'array', items: {} },
  }

  test('error refuses a nested field when the request is built, with the names of tool and field', async () => {
    const middleware = compactTools({ fallbackToJson: 'error' })
    await expect(
      transform(middleware, { ...params, tools: [weatherTool, orderTool] }),
    ).rejects.toThrow(TypeError)
    await expect(transform(middleware, { ...params, tools: [orderTool] })).rejects.toThrow(
      /"wire".*"place_order".*"lines".*"complex".*"force"/s,
    )
    expect((await transform(middleware, params)).prompt).toHaveLength(2)
  })

  test('error knows that a line has room for lists of objects, but not for objects', async () => {
    const middleware = compactTools({ syntax: 'line', fallbackToJson: 'error' })
    await expect(transform(middleware, { ...params, tools: [orderTool] })).rejects.toThrow(
      /"line".*"address"/s,
    )
  })

  test('error refuses arguments that are not an object', async () => {
    const middleware = compactTools({ fallbackToJson: 'error' })
    await expect(transform(middleware, { ...params, tools: [listTool] })).rejects.toThrow(
      /"sum".*no object/s,
    )
  })

  test('error has nothing against calls of the past', () => {
    const { formatToolCall } = compactProtocol({ fallbackToJson: 'error' })
    const call = { toolCallId: 'a', toolName: 'sum', input: { values: [{ a: 1 }] } }
    expect(formatToolCall(call, { tools: [listTool] })).toBe(
      '<call>sum {"values":[{"a":1}]}</call>',
    )
  })

  test('error has nothing against JSON', async () => {
    const middleware = compactTools({ syntax: 'json', fallbackToJson: 'error' })
    expect(
      (await transform(middleware, { ...params, tools: [orderTool, listTool] })).prompt,
    ).toHaveLength(2)
  })

  test.for(sdkVersions)('error reaches the caller of $name, whole or streamed', async version => {
    const { sdk } = version
    const { model, requests } = scriptModel(version, [])
    const schema = {
      type: 'object',
      properties: { inner: { type: 'object', properties: {} } },
    } as const
    const { tools } = createWeatherTools()
    const { jsonSchema } = await import('ai-v6')
    const settings = {
      model: sdk.wrapLanguageModel({
        model,
        middleware: compactTools({ fallbackToJson: 'error' }),
      }),
      tools: { ...tools, nest: { inputSchema: jsonSchema(schema) } },
      prompt: 'Hello',
      maxRetries: 0,
    }
    await expect(sdk.generateText(settings)).rejects.toThrow(/"nest".*"inner"/s)
    const errors: unknown[] = []
    const result = sdk.streamText({
      ...settings,
      onError: ({ error }: { error: unknown }) => errors.push(error),
    })
    for (const promise of [result.text, result.steps, result.finishReason])
      promise.then(undefined, () => {})
    await collect(result.fullStream)
    expect(String(errors[0])).toMatch(/"nest".*"inner"/s)
    expect(requests).toEqual([])
  })

  test.for<CompactProtocolOptions>([{ syntax: 'wire' }, { syntax: 'line' }])(
    'force writes dotted keys with $syntax, and reads them',
    async ({ syntax }) => {
      const middleware = compactTools({ syntax, fallbackToJson: 'force' })
      const input = {
        note: 'a b',
        address: { street: 'Main St 5', city: { name: 'New York', zip: '007' } },
      }
      const call = { type: 'tool-call', toolCallId: 'c', toolName: 'place_order', input }
      const request = { prompt: [{ role: 'assistant', content: [call] }], tools: [orderTool] }
      const { prompt } = await transform(middleware, request)
      const written = String(Array.isArray(prompt[1]?.content) && prompt[1].content[0]?.text)
      for (const key of ['address.street=', 'address.city.name=', 'address.city.zip='])
        expect(written).toContain(key)
      expect(written).not.toContain('{')
      const { content } = await runGenerate(middleware, request, textAnswer(written))
      expect(callsOf(content)).toEqual([{ toolName: 'place_order', input }])
      const parts = await runStream(middleware, request, textStream(chunksOf(written, 2)))
      expect(callsOf(parts)).toEqual([{ toolName: 'place_order', input }])
    },
  )

  test('complex reads dotted keys too, if those of an object are together', async () => {
    const read = async (args: string) => {
      const answer = textAnswer(`<call>place_order ${args}</call>`)
      const { content } = await runGenerate(
        compactTools(),
        { ...params, tools: [orderTool] },
        answer,
      )
      return callsOf(content)
    }
    expect(
      await read('address.city.zip=007 address.city.name=Rome address.street="Main St" note=x'),
    ).toEqual([
      {
        toolName: 'place_order',
        input: { address: { city: { zip: '007', name: 'Rome' }, street: 'Main St' }, note: 'x' },
      },
    ])
    // The object has been sent and cannot be opened again; the SDK shows the model what it wrote.
    expect(await read('address.city.zip=007 note=x address.street=Main')).toEqual([
      {
        toolName: 'place_order',
        input: '{"address":{"city":{"zip":"007"}},"note":"x" address.street=Main',
      },
    ])
  })
})

describe('manualHeader', () => {
  test.for(syntaxes)('replaces the explanation with %s; the signatures stay', async syntax => {
    const own = await transform(
      compactTools({ syntax, manualHeader: 'Write calls as you were taught.' }),
      {
        ...params,
        tools: deskTools,
      },
    )
    const sign = syntax === 'line' ? '@' : ''
    const signatures = deskTools.map(
      tool => sign + renderSignature(tool, { isJson: syntax === 'json' }),
    )
    expect(own.prompt[0]?.content).toBe(
      ['Write calls as you were taught.', ...signatures].join('\n'),
    )
    const plain = await transform(compactTools({ syntax }), { ...params, tools: deskTools })
    expect(String(plain.prompt[0]?.content).endsWith(signatures.join('\n'))).toBe(true)
  })
})

describe('descriptions', () => {
  const tool: FunctionTool = {
    type: 'function',
    name: 'find',
    description: 'Finds things. Slowly.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to find. Words,\nnot patterns.' } },
      required: ['query'],
    },
  }
  const lastLine = async (descriptions: 'none' | 'short' | 'full' | undefined) => {
    const { prompt } = await transform(compactTools({ descriptions }), { ...params, tools: [tool] })
    return String(prompt[0]?.content).split('\n').at(-1)
  }

  test('show nothing, a sentence or all of the description of a parameter', async () => {
    expect(await lastLine('none')).toBe('find query - Finds things. Slowly.')
    expect(await lastLine('short')).toBe('find query(What to find) - Finds things. Slowly.')
    expect(await lastLine('full')).toBe(
      'find query(What to find. Words, not patterns.) - Finds things. Slowly.',
    )
    expect(await lastLine(undefined)).toBe(await lastLine('short'))
  })
})

describe('placement', () => {
  const manual = compactProtocol().formatTools({ tools: [weatherTool] })
  const talk = [
    userSays('Hello'),
    { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
    userSays('So?'),
  ]

  test.for([
    { placement: undefined, content: `${manual}\n\nBe brief.` },
    { placement: 'first' as const, content: `${manual}\n\nBe brief.` },
    { placement: 'last' as const, content: `Be brief.\n\n${manual}` },
  ])(
    '$placement: the manual joins a system message that is there',
    async ({ placement, content }) => {
      const { prompt } = await transform(compactTools({ placement }), {
        prompt: [{ role: 'system', content: 'Be brief.' }, ...talk],
        tools: [weatherTool],
      })
      expect(prompt).toEqual([{ role: 'system', content }, ...talk])
    },
  )

  test.for(['first', 'last'] as const)(
    '%s: without one the manual becomes the first message',
    async placement => {
      const { prompt } = await transform(compactTools({ placement }), {
        prompt: talk,
        tools: [weatherTool],
      })
      expect(prompt).toEqual([{ role: 'system', content: manual }, ...talk])
    },
  )

  test.for(['first', 'last'] as const)(
    '%s: the manual is never after the conversation',
    async placement => {
      const late = { role: 'system', content: 'A late remark.' }
      const { prompt } = await transform(compactTools({ placement }), {
        prompt: [...talk, late],
        tools: [weatherTool],
      })
      expect(prompt.map(message => message.role)).toEqual([
        'system',
        'user',
        'assistant',
        'user',
        'system',
      ])
      expect(prompt[0]?.content).toBe(manual)
      expect(prompt[4]).toBe(late)
    },
  )
})

describe('a request without tools', () => {
  test.for(syntaxes)(
    'is handed on as the same object with %s, and its answer is not read',
    async syntax => {
      const middleware = compactTools({ syntax })
      for (const tools of [undefined, []]) {
        const request = {
          prompt: [{ role: 'system', content: 'Be brief.' }, userSays('Hello')],
          tools,
        }
        expect(await transform(middleware, request)).toBe(request)
        const text = writeCall(compactProtocol({ syntax }), paris)
        const { content } = await runGenerate(middleware, request, textAnswer(text))
        expect(content).toEqual([{ type: 'text', text }])
      }
    },
  )
})

describe('debug', () => {
  const text = 'Look.\n<call>get_weather city=Paris days=3</call>'
  const watch = () => {
    const lines: string[] = []
    vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
      lines.push(words.join(' '))
    })
    return lines
  }

  test.for([true, 'parse'] as const)(
    '%s prints the text with its calls marked, and the calls',
    async debug => {
      const lines = watch()
      await runGenerate(compactTools({ debug }), params, textAnswer(text))
      const generated = lines.splice(0)
      await runStream(compactTools({ debug }), params, textStream(chunksOf(text, 3)))
      for (const printed of [generated, lines]) {
        expect(printed).toEqual([
          '[toolglot] asking the model in wire: compactTools',
          '[toolglot] tools shown: get_weather',
          '[toolglot] the model wrote:\nLook.\n\u001b[30;42m<call>get_weather city=Paris days=3</call>\u001b[0m',
          '[toolglot] 1 tool call',
          '[toolglot]   get_weather {"city":"Paris","days":3}',
        ])
      }
    },
  )

  test('marks the calls of the line syntax, line by line', async () => {
    const lines = watch()
    const call = '@get_weather days=3 city=<<END\nParis\nEND'
    await runGenerate(
      compactTools({ syntax: 'line', debug: true }),
      params,
      textAnswer(`Look.\n${call}\nBye.`),
    )
    const marked = call.split('\n').map(line => `\u001b[30;42m${line}\u001b[0m`)
    expect(lines[2]).toBe(`[toolglot] the model wrote:\nLook.\n${marked.join('\n')}\nBye.`)
  })

  test('stream prints every part that comes in and goes out', async () => {
    const lines = watch()
    const sent = textStream(chunksOf(text, 20))
    const parts = await runStream(compactTools({ debug: 'stream' }), params, sent)
    expect(lines.filter(line => line.includes('] raw'))).toHaveLength(sent.length)
    expect(lines.filter(line => line.includes('] out'))).toHaveLength(parts.length)
  })

  test.for([false, 'off', undefined] as const)('%s prints nothing', async debug => {
    const lines = watch()
    await runGenerate(compactTools({ debug }), params, textAnswer(text))
    await runStream(compactTools({ debug }), params, textStream([text]))
    expect(lines).toEqual([])
  })

  test('false overrides the environment, which counts if the option is not set', async () => {
    const lines = watch()
    vi.stubEnv('DEBUG_PARSER_MW', 'parse')
    await runGenerate(compactTools({ debug: false }), params, textAnswer(text))
    expect(lines).toEqual([])
    await runGenerate(compactTools(), params, textAnswer(text))
    expect(lines).toHaveLength(5)
    vi.unstubAllEnvs()
  })
})

describe('onError', () => {
  interface Told extends ErrorMetadata {
    readonly message: string
  }
  const read = async (
    syntax: 'wire' | 'json' | 'line',
    text: string,
    more: object = {},
    reason = 'stop',
  ) => {
    const told: Told[] = []
    const onError = (message: string, metadata: ErrorMetadata) =>
      told.push({ message, ...metadata })
    const { toolChoice, ...options }: { toolChoice?: object } = more
    const middleware = compactTools({ syntax, onError, ...options })
    const parts = await runStream(
      middleware,
      { ...params, toolChoice },
      textStream(chunksOf(text, 4), reason),
    )
    return { told, parts }
  }

  test.for([
    {
      syntax: 'wire' as const,
      text: 'So: <call>get_weather city="Paris" nonsense</call>',
      code: 'malformed-arguments',
    },
    { syntax: 'wire' as const, text: 'So: <call>get_weather city="Par', code: 'cut-call' },
    { syntax: 'json' as const, text: 'So: <call>get_weather {"city":"Par', code: 'cut-call' },
    {
      syntax: 'json' as const,
      text: 'So: <call>get_weather {"city":"Paris", ]]: ??}</call>',
      code: 'malformed-arguments',
    },
    { syntax: 'line' as const, text: 'So:\n@get_weather city=<<END\nPar', code: 'cut-call' },
    {
      syntax: 'line' as const,
      text: 'So:\n@get_weather tags=["a"] !',
      code: 'malformed-arguments',
    },
  ])(
    'gets $code for $text, with id, place and text of the call',
    async ({ syntax, text, code }) => {
      const { told, parts } = await read(syntax, text)
      const call = parts.find(part => part.type === 'tool-call')
      const offset = Math.max(text.indexOf('<call>'), text.indexOf('@'))
      expect(told).toEqual([
        {
          message: expect.stringMatching(/\w/),
          code,
          toolName: 'get_weather',
          toolCallId: call?.toolCallId,
          raw: text.slice(offset),
          offset,
        },
      ])
      expect(() => JSON.parse(String(call?.input))).toThrow()
    },
  )

  test('gets a report of another name than the forced one', async () => {
    const toolChoice = { type: 'tool', toolName: 'get_weather' }
    const { told, parts } = await read('wire', '<call>get_wether city=Paris</call>', { toolChoice })
    expect(told.map(each => each.code)).toEqual(['forced-name'])
    expect(callsOf(parts)).toEqual([{ toolName: 'get_weather', input: { city: 'Paris' } }])
  })

  test('gets no report of a call that can be read, nor of prose', async () => {
    const { told } = await read(
      'wire',
      'The <call> tag: <call>get_weather city=New York days="3"</call> done',
    )
    expect(told).toEqual([])
  })

  test('of a single call gets reports too', async () => {
    const codes: string[] = []
    const first = (_: string, { code }: ErrorMetadata) => codes.push(`first ${code}`)
    const second = (_: string, { code }: ErrorMetadata) => codes.push(`second ${code}`)
    const providerOptions = toolCallOptions({ onError: second })
    const answer = textAnswer('<call>get_weather city="x')
    await runGenerate(compactTools({ onError: first }), { ...params, providerOptions }, answer)
    expect(codes).toEqual(['first cut-call', 'second cut-call'])
  })

  test('that throws does not break the answer', async () => {
    vi.restoreAllMocks()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    const onError = () => {
      throw new Error('mine')
    }
    const text = '<call>get_weather city="x" y</call> <call>get_weather city=Oslo</call>'
    const { content } = await runGenerate(compactTools({ onError }), params, textAnswer(text))
    expect(callsOf(content).at(-1)).toEqual({ toolName: 'get_weather', input: { city: 'Oslo' } })
    expect(printed).toHaveBeenCalledTimes(1)
  })

  test('emitRawToolCallTextOnError emits a malformed call as its raw text', async () => {
    const text = 'So: <call>get_weather city="x" y</call> and <call>get_weather city=Oslo</call>'
    const middleware = compactTools({ emitRawToolCallTextOnError: true })
    const whole = await runGenerate(middleware, params, textAnswer(text))
    const parts = await runStream(middleware, params, textStream(chunksOf(text, 3)))
    for (const read of [whole.content, parts]) {
      expect(callsOf(read)).toEqual([{ toolName: 'get_weather', input: { city: 'Oslo' } }])
      expect(textOf(read)).toBe('So: <call>get_weather city="x" y</call> and ')
    }
  })
})

test('the plan of the tools is the form in which their calls are written', () => {
  for (const syntax of syntaxes) {
    for (const { toolName, form } of planTools(deskTools, { syntax })) {
      const written = writeCall(compactProtocol({ syntax }), {}, toolName)
      expect(form).toBe(syntax === 'json' ? 'json' : 'pairs')
      expect(written).toContain(toolName)
    }
  }
})
