import {
  createToolMiddleware,
  type ErrorMetadata,
  getProtocol,
  toolCallOptions,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { transform, userSays } from './support/direct.js'
import { type Message, scriptModel } from './support/scripted-model.js'
import { type AnyPart, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

const hermes = createToolMiddleware({ protocol: 'hermes' })

/** The conversation as the model gets it, without the system message in front. */
async function rewrite(
  prompt: readonly Message[],
  middleware = hermes,
): Promise<readonly Message[]> {
  const made = await transform(middleware, { prompt, tools: [weatherTool] })
  return made.prompt.slice(1)
}

function assistant(...content: AnyPart[]): Message {
  return { role: 'assistant', content }
}

function call(input: unknown, more: object = {}): AnyPart {
  return { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input, ...more }
}

function result(value: string, more: object = {}): AnyPart {
  return {
    type: 'tool-result',
    toolCallId: 'c1',
    toolName: 'get_weather',
    output: { type: 'text', value },
    ...more,
  }
}

function contentOf(message: Message | undefined): readonly AnyPart[] {
  if (typeof message?.content === 'string') return [{ type: 'text', text: message.content }]
  return message?.content ?? []
}

describe.for(['hermes', 'fenced_json', 'morph_xml'])(
  'a call in the conversation, written with %s',
  protocolName => {
    const protocol = getProtocol(protocolName)
    const middleware = createToolMiddleware({ protocol: protocolName })
    const readBack = async (...parts: AnyPart[]) => {
      const [message] = await rewrite([assistant(...parts)], middleware)
      expect(contentOf(message).map(part => part.type)).toEqual(['text'])
      return protocol.parseGeneratedText({
        text: String(contentOf(message)[0]?.text),
        tools: [weatherTool],
      })
    }

    test('is the same whether its input is an object or JSON text', async () => {
      for (const input of [paris, JSON.stringify(paris)]) {
        const parts = await readBack(call(input))
        expect(parts.map(part => part.type)).toEqual(['tool-call'])
        expect(JSON.parse(String(parts[0]?.type === 'tool-call' && parts[0].input))).toEqual(paris)
      }
      const [asObject] = await rewrite([assistant(call(paris))], middleware)
      expect(JSON.stringify(asObject)).not.toContain('[object Object]')
      expect(contentOf(asObject)[0]?.text).toBe(writeCall(protocol, paris))
    })

    test('with an input that never was JSON keeps its text and can be read as a call', async () => {
      const raw = '{"city": "Paris", "days": thr'
      const [message] = await rewrite([assistant(call(raw))], middleware)
      expect(JSON.stringify(message).replaceAll('\\', '')).toContain('"city": "Paris", "days": thr')
      const parts = await readBack(call(raw))
      expect(parts.map(part => part.type)).toEqual(['tool-call'])
    })

    const empty = [{}, undefined, null, ''].map(input => ({ input }))
    test.for(empty)(
      'with the empty input $input is a call without arguments',
      async ({ input }) => {
        const parts = await readBack(call(input))
        expect(parts).toMatchObject([{ type: 'tool-call', toolName: 'get_weather', input: '{}' }])
      },
    )

    test('follows its text, and neighbours share one message', async () => {
      const parts = await readBack({ type: 'text', text: 'Let me look.' }, call(paris), call(oslo))
      expect(parts.map(part => part.type)).toEqual(['text', 'tool-call', 'tool-call'])
      expect(parts[0]).toMatchObject({ text: expect.stringMatching(/^Let me look\.\n?$/) })
    })
  },
)

describe('the messages of the assistant', () => {
  test('keep their reasoning as it is, in its place', async () => {
    const reasoning = {
      type: 'reasoning',
      text: 'hm',
      providerOptions: { anthropic: { signature: 's' } },
    }
    const [message] = await rewrite([
      assistant(reasoning, { type: 'text', text: 'Look.' }, call(paris)),
    ])
    const content = contentOf(message)
    expect(content.map(part => part.type)).toEqual(['reasoning', 'text'])
    expect(content[0]).toBe(reasoning)
  })

  test('keep the files between texts in their place', async () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
    const [message] = await rewrite([assistant({ type: 'text', text: 'Look:' }, file, call(paris))])
    const content = contentOf(message)
    expect(content.map(part => part.type)).toEqual(['text', 'file', 'text'])
    expect(content[1]).toBe(file)
  })

  test('have several texts condensed into one', async () => {
    const texts = ['One.', 'Two.'].map(text => ({ type: 'text', text }))
    const [message] = await rewrite([assistant(...texts, call(paris))])
    expect(contentOf(message)).toHaveLength(1)
    expect(contentOf(message)[0]?.text).toBe(
      `One.\nTwo.\n${writeCall(getProtocol('hermes'), paris)}`,
    )
  })

  test('that contain no call and one text are returned as the same objects', async () => {
    const prompt = [
      userSays('Hello'),
      assistant({ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'Hi' }),
      userSays('So?'),
    ]
    const made = await rewrite(prompt)
    expect(made).toHaveLength(3)
    for (const [i, message] of made.entries()) expect(message).toBe(prompt[i])
  })

  test('have their texts joined also if they contain no call; all else keeps its place', async () => {
    const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })
    const reasoning = { type: 'reasoning', text: 'hm' }
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
    const cached = text('Cached.', { providerOptions: cache })
    const made = await rewrite([
      {
        role: 'user',
        content: [text('One.'), text('Two.'), file, text('Three.'), cached, text('Four.')],
      },
      assistant(reasoning, text('Hi'), text('there'), file, text('!')),
    ])
    expect(made.map(message => message.content)).toEqual([
      [text('One.\n\nTwo.'), file, text('Three.'), cached, text('Four.')],
      [reasoning, text('Hi\nthere'), file, text('!')],
    ])
  })

  test('have parts of an unknown type written as text, and onError gets a report of each', async () => {
    const told: ErrorMetadata[] = []
    const strange = { type: 'hologram', beam: 7 }
    const made = await transform(hermes, {
      prompt: [assistant({ type: 'text', text: 'Look.' }, strange)],
      tools: [weatherTool],
      providerOptions: toolCallOptions({ onError: (_, metadata) => told.push(metadata) }),
    })
    expect(contentOf(made.prompt[1])).toEqual([
      { type: 'text', text: `Look.\n${JSON.stringify(strange)}` },
    ])
    expect(told).toEqual([{ code: 'unknown-part', raw: JSON.stringify(strange) }])
  })

  test('keep the calls that the provider executed, and their results, as they are', async () => {
    const searched = call({ q: 'x' }, { toolName: 'web_search', providerExecuted: true })
    const found = result('found', { toolName: 'web_search' })
    const [message] = await rewrite([assistant(searched, found, call(paris))])
    const content = contentOf(message)
    expect(content.map(part => part.type)).toEqual(['tool-call', 'tool-result', 'text'])
    expect(content[0]).toBe(searched)
    expect(content[1]).toBe(found)
    const untouched = assistant(searched, found, { type: 'text', text: 'Found it.' })
    expect((await rewrite([untouched]))[0]).toBe(untouched)
  })

  test('keep the provider options of the message, of a text and of a call', async () => {
    const cache = (type: string) => ({ anthropic: { cacheControl: { type } } })
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
    const [message] = await rewrite([
      {
        ...assistant(
          { type: 'text', text: 'Look.', providerOptions: cache('text') },
          file,
          call(paris, { providerOptions: cache('call') }),
        ),
        providerOptions: cache('message'),
      },
    ])
    expect(message?.providerOptions).toEqual(cache('message'))
    expect(contentOf(message).map(part => part.providerOptions)).toEqual([
      cache('text'),
      undefined,
      cache('call'),
    ])
  })
})

describe('the messages of the user', () => {
  test('are joined with the results in front of them, texts as one, files in their place', async () => {
    const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' }
    const made = await rewrite([
      assistant(call(paris)),
      { role: 'tool', content: [result('clear')] },
      {
        role: 'user',
        content: [{ type: 'text', text: 'Thanks.' }, file, { type: 'text', text: 'And this?' }],
      },
    ])
    expect(made.map(message => message.role)).toEqual(['assistant', 'user'])
    const content = contentOf(made[1])
    expect(content.map(part => part.type)).toEqual(['text', 'file', 'text'])
    expect(content[0]?.text).toMatch(/clear[\s\S]*\nThanks\.$/)
    expect(content[1]).toBe(file)
    expect(content[2]?.text).toBe('And this?')
  })

  test('have neighbouring texts in one message merged, each a paragraph', async () => {
    const made = await rewrite([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
      },
      userSays('Three.'),
    ])
    expect(made).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'One.\n\nTwo.\n\nThree.' }] },
    ])
  })

  test('keep message options and part options when they are joined', async () => {
    const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const made = await rewrite([
      {
        role: 'tool',
        content: [result('clear', { providerOptions: cache })],
        providerOptions: { a: { b: 1 } },
      },
      { ...userSays('Thanks.'), providerOptions: { c: { d: 2 } } },
    ])
    expect(made).toHaveLength(1)
    expect(made[0]?.providerOptions).toEqual({ a: { b: 1 }, c: { d: 2 } })
    expect(contentOf(made[0])[0]?.providerOptions).toEqual(cache)
  })

  test('keep options of the same provider from both sides when they are joined', async () => {
    const made = await rewrite([
      {
        role: 'tool',
        content: [result('clear')],
        providerOptions: { x: { cacheControl: 'ephemeral' } },
      },
      { ...userSays('Thanks.'), providerOptions: { x: { priority: 1 } } },
    ])
    expect(made[0]?.providerOptions).toEqual({ x: { cacheControl: 'ephemeral', priority: 1 } })
  })
})

test('a tool message may contain answers to the provider, which are not changed', async () => {
  const approval = { type: 'tool-approval-response', approvalId: 'a1', approved: true }
  const made = await rewrite([
    assistant(call(paris)),
    { role: 'tool', content: [approval, result('clear')] },
  ])
  expect(made.map(message => message.role)).toEqual(['assistant', 'tool', 'user'])
  expect(contentOf(made[1])[0]).toBe(approval)
})

test('a request without tools keeps old calls and results readable, and gets no manual', async () => {
  const prompt = [
    userSays('Hello'),
    assistant(call(paris)),
    { role: 'tool', content: [result('clear')] },
  ]
  const made = await transform(hermes, { prompt })
  expect(made.prompt.map(message => message.role)).toEqual(['user', 'assistant', 'user'])
  expect(contentOf(made.prompt[1])[0]?.text).toBe(writeCall(getProtocol('hermes'), paris))
  expect(made.prompt[0]).toBe(prompt[0])
})

test('a request that is not rewritten keeps its messages of several texts, and is the same object', async () => {
  const texts = [
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.' },
  ]
  const params = { prompt: [{ role: 'user', content: texts }] }
  expect(await transform(hermes, params)).toBe(params)
  const rewritten = await transform(hermes, {
    prompt: [
      ...params.prompt,
      assistant(call(paris)),
      { role: 'tool', content: [result('clear')] },
    ],
  })
  expect(contentOf(rewritten.prompt[0])).toEqual([{ type: 'text', text: 'One.\n\nTwo.' }])
})

describe('toolChoice none', () => {
  test.for(['hermes', 'fenced_json', 'morph_xml'])(
    'shows no tools with %s, but old calls stay readable',
    async name => {
      const middleware = createToolMiddleware({ protocol: name })
      const made = await transform(middleware, {
        prompt: [
          { role: 'system', content: 'Be brief.' },
          assistant(call(paris)),
          { role: 'tool', content: [result('clear')] },
        ],
        tools: [weatherTool],
        toolChoice: { type: 'none' },
      })
      expect(made.prompt[0]).toEqual({ role: 'system', content: 'Be brief.' })
      expect(made.prompt.map(message => message.role)).toEqual(['system', 'assistant', 'user'])
      expect(contentOf(made.prompt[1])[0]?.text).toBe(writeCall(getProtocol(name), paris))
      expect(made.tools).toBeUndefined()
      expect(made.toolChoice).toBeUndefined()
    },
  )
})

describe('a conversation that is very long', () => {
  const many = <Item>(count: number, item: (i: number) => Item) =>
    Array.from({ length: count }, (_, i) => item(i))
  const user = (...texts: string[]): Message => ({
    role: 'user',
    content: texts.map(text => ({ type: 'text', text })),
  })

  test('is one message if all of it is of the user', async () => {
    const messages = await rewrite(many(150_000, i => user(`${i}`)))
    expect(messages).toHaveLength(1)
    expect(contentOf(messages[0])[0]?.text).toMatch(/^0\n\n1\n\n2\n\n.*\n\n149999$/s)
  })

  // Copying the text so far for each of them would take minutes.
  test('is one text if it is thousands of texts in one message', async () => {
    const page = 'x'.repeat(20_000)
    const messages = await rewrite([user(...many(5000, () => page))])
    expect(contentOf(messages[0])[0]?.text).toHaveLength(5000 * 20_002 - 2)
  })

  test('is looked at a few times, however long it is', async () => {
    let reads = 0
    const count = 1000
    const turns = many(count, i => (i % 2 ? assistant({ type: 'text', text: 'b' }) : user('a')))
    const prompt = new Proxy(turns, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++
        return Reflect.get(target, key)
      },
    })
    expect(await rewrite(prompt)).toHaveLength(count)
    expect(reads).toBeLessThan(20 * count)
  })
})

test.each([
  [['a', 'b'], 'a\n\nb'],
  [['a\n\n', 'b'], 'a\n\nb'],
  [['a\n', 'b'], 'a\n\n\nb'],
  [['\n', 'b'], '\n\n\nb'],
  [['a', '\n', 'b'], 'a\n\n\nb'],
  [['', 'a', '', 'b', ''], 'a\n\nb'],
])('texts of the user have a blank line between them: %j', async (texts, joined) => {
  const content = texts.map(text => ({ type: 'text', text }))
  const [message] = await rewrite([{ role: 'user', content }])
  expect(contentOf(message)[0]?.text).toBe(joined)
})

describe.for(sdkVersions)('with $name', version => {
  test('a call with invalid input is shown to the model with its error, and the model tries again', async () => {
    const { sdk } = version
    const { tools, executed } = createWeatherTools()
    const broken =
      '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", ]]: ??}}\n</tool_call>'
    const { model, requests } = scriptModel(version, [
      { text: broken },
      { text: writeCall(getProtocol('hermes'), paris) },
      { text: 'It is clear.' },
    ])
    const { text } = await sdk.generateText({
      model: sdk.wrapLanguageModel({ model, middleware: hermes }),
      tools,
      prompt: 'How is the weather?',
      stopWhen: sdk.stepCountIs(5),
    })
    expect(text).toBe('It is clear.')
    expect(executed).toEqual([paris])
    const [, , said, answered] = requests[1]?.prompt ?? []
    expect(contentOf(said)[0]?.text).toBe(broken)
    expect(JSON.stringify(answered)).toContain('This call could not be read')
  })
})
