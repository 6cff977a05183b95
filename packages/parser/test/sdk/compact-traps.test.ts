import {
  type CompactSyntax,
  compactProtocol,
  compactTools,
  type ErrorMetadata,
  type FunctionTool,
  renderSignature,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { readCalls, syntaxes } from '../compact/support/desk.js'
import { chunksOf } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
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
import { scriptModel } from './support/scripted-model.js'
import { type AnyPart, type Data, sdkVersions } from './support/sdk-versions.js'
import { createWeatherTools, oslo, paris, weatherTool, writeCall } from './support/weather.js'

/** What goes wrong in other libraries of this kind, each situation by its name. */

const text = { type: 'string' }
const number = { type: 'number' }

function toolOf(name: string, properties: Data, more: Data = {}): FunctionTool {
  return { type: 'function', name, inputSchema: { type: 'object', properties, ...more } }
}

const fileTool = toolOf('write_file', { path: text, content: text })
const nestTool = toolOf('update', {
  id: text,
  profile: { type: 'object', properties: { name: text } },
})
const typesTool = toolOf(
  'set',
  {
    size: { $ref: '#/$defs/size' },
    limit: { anyOf: [number, { type: 'null' }] },
    ratio: { type: ['number', 'null'] },
    flag: { type: ['boolean', 'string'] },
    items: { type: 'array', items: { $ref: '#/$defs/size' } },
    node: { $ref: '#/$defs/node' },
  },
  {
    $defs: {
      size: { type: 'integer' },
      node: {
        type: 'object',
        properties: { weight: number, next: { $ref: '#/$defs/node' } },
      },
    },
  },
)

interface Reading {
  readonly calls: readonly { toolName: unknown; input: unknown }[]
  readonly text: string
  readonly codes: readonly string[]
}

/** Reads an answer whole, by character and in pieces; all must agree. */
async function readAnswer(
  syntax: CompactSyntax,
  tools: readonly FunctionTool[],
  answer: string,
  reason = 'stop',
): Promise<Reading> {
  const codes: string[] = []
  const onError = (_: string, { code }: ErrorMetadata) => codes.push(code)
  const middleware = compactTools({ syntax, onError })
  const params = { prompt: [userSays('Hello')], tools }
  const { content } = await runGenerate(middleware, params, textAnswer(answer, reason))
  const read = { calls: callsOf(content), text: textOf(content), codes: codes.splice(0) }
  for (const chars of [1, 3, 11]) {
    const parts = await runStream(middleware, params, textStream(chunksOf(answer, chars), reason))
    expect({ calls: callsOf(parts), text: textOf(parts), codes: codes.splice(0) }).toEqual(read)
  }
  return read
}

const readInput = async (syntax: CompactSyntax, tool: FunctionTool, answer: string) => {
  const { calls, text: around, codes } = await readAnswer(syntax, [tool], answer)
  expect(codes).toEqual([])
  expect(around).toBe('')
  expect(calls.map(call => call.toolName)).toEqual([tool.name])
  return calls[0]?.input
}

describe('__proto__ and its like as keys', () => {
  test.for([
    { syntax: 'wire' as const, answer: '<call>update id="1" __proto__.x=1</call>' },
    { syntax: 'wire' as const, answer: '<call>update __proto__.x=1 id="1"</call>' },
    { syntax: 'wire' as const, answer: '<call>update id="1" profile.__proto__.x=1</call>' },
    {
      syntax: 'wire' as const,
      answer: '<call>update id="1" profile.constructor.prototype.x=1</call>',
    },
    { syntax: 'wire' as const, answer: '<call>update id="1" profile={"__proto__":{"x":1}}</call>' },
    { syntax: 'json' as const, answer: '<call>update {"id":"1","__proto__":{"x":1}}</call>' },
    { syntax: 'line' as const, answer: '@update id="1" __proto__.x=1' },
    { syntax: 'line' as const, answer: '@update id=1 profile.__proto__.x=1 profile.name=Ann' },
    {
      syntax: 'line' as const,
      answer: '@update profile={"constructor":{"prototype":{"x":1}}} id=1',
    },
  ])('pollute nothing and are plain data: $answer', async ({ syntax, answer }) => {
    const { calls } = await readAnswer(syntax, [nestTool], answer)
    expect(calls).toHaveLength(1)
    expect(calls[0]?.input).toMatchObject({ id: '1' })
    expect(JSON.stringify(calls[0]?.input)).toMatch(/"x":1|\.x":1/)
    expect(Reflect.has({}, 'x')).toBe(false)
    expect(Reflect.has(Object, 'x')).toBe(false)
  })

  test('are written into the history as data as well', () => {
    const input: unknown = JSON.parse('{"id":"1","profile":{"__proto__":{"x":1},"name":"Ann"}}')
    for (const syntax of syntaxes) {
      for (const fallbackToJson of ['complex', 'force'] as const) {
        const protocol = compactProtocol({ syntax, fallbackToJson })
        const call = { toolCallId: 'c', toolName: 'update', input }
        const written = protocol.formatToolCall(call, { tools: [nestTool] })
        const [part] = protocol.parseGeneratedText({ text: written, tools: [nestTool] })
        expect(part?.type === 'tool-call' && JSON.parse(part.input)).toEqual(input)
      }
    }
    expect(Reflect.has({}, 'x')).toBe(false)
  })
})

describe('a stream that is cut by the length limit inside write_file', () => {
  test.for([
    { syntax: 'wire' as const, answer: '<call>write_file path=a.txt content="half of the fi' },
    { syntax: 'wire' as const, answer: '<call>write_file path=a.txt content=half of the fi' },
    {
      syntax: 'json' as const,
      answer: '<call>write_file {"path":"a.txt","content":"half of the fi',
    },
    { syntax: 'line' as const, answer: '@write_file path=a.txt content=half of the fi' },
    { syntax: 'line' as const, answer: '@write_file path=a.txt content=<<END\nhalf of\nthe fi' },
  ])('is neither executed nor lost: $answer', async ({ syntax, answer }) => {
    const { calls, codes } = await readAnswer(syntax, [fileTool], answer, 'length')
    expect(codes).toEqual(['cut-call'])
    expect(calls).toHaveLength(1)
    // Not JSON: it is the text as far as it came.
    expect(calls[0]?.input).toEqual(expect.stringContaining('half of'))
  })
})

describe('a close tag inside a value', () => {
  test.for([
    '<call>write_file path=a content="see </call> here"</call>',
    "<call>write_file path=a content='see </call> here'</call>",
    '<call>write_file content="see </call> here" path=a</call>',
    '<call>write_file {"path":"a","content":"see </call> here"}</call>',
    '<call>{"name":"write_file","arguments":{"path":"a","content":"see </call> here"}}</call>',
  ])('is part of the string: %s', async answer => {
    expect(await readInput('wire', fileTool, answer)).toEqual({
      path: 'a',
      content: 'see </call> here',
    })
  })

  test('does not hide the call that follows', async () => {
    const answer =
      '<call>write_file path=a content="</call><call>"</call>\n<call>write_file path=b content="<call></call>"</call>'
    const { calls, text: around } = await readAnswer('wire', [fileTool], answer)
    expect(calls.map(call => call.input)).toEqual([
      { path: 'a', content: '</call><call>' },
      { path: 'b', content: '<call></call>' },
    ])
    expect(around).toBe('')
  })

  test('ends the call if a quote is missing: the next call is found, the broken one reported', async () => {
    const answer =
      '<call>write_file path="a" content="b</call>\n<call>write_file path="c" content="d"</call>\nThat is all.'
    const { calls, codes } = await readAnswer('wire', [fileTool], answer)
    expect(codes).toEqual(['malformed-arguments'])
    expect(calls).toHaveLength(2)
    expect(typeof calls[0]?.input).toBe('string')
    expect(calls[1]?.input).toEqual({ path: 'c', content: 'd' })
  })
})

describe('values as models write them', () => {
  const tool = toolOf('look', {
    location: text,
    tags: { type: 'array', items: text },
    days: { type: 'integer' },
    hourly: { type: 'boolean' },
    units: { type: 'string', enum: ['metric', 'imperial'] },
  })
  const expected = {
    location: 'New York',
    tags: ['a', 'b'],
    days: 5,
    hourly: true,
    units: 'metric',
  }
  const pairs = [
    'location=New York tags=["a", "b"] days="5" hourly=True units=metric',
    'location="New York" tags=["a","b"] days=5 hourly=true units="metric"',
    "location='New York' tags=['a', 'b'] days='5' hourly=TRUE units='metric'",
    'location=New York, tags=a, b, days=5, hourly=true, units=metric',
    'location="New York", tags=["a", "b"], days=5, hourly=True, units=metric',
    'location: "New York", tags: ["a", "b"], days: 5, hourly: true, units: "metric"',
    'location = "New York" tags = ["a","b"] days = "5" hourly = "true" units = metric',
    'location = New York tags = a,b days = 5 hourly = true units = metric',
  ]

  // In a line a comma is text, and `: ` is known only behind a value that has an end.
  test.for(pairs)('between tags: %s', async written => {
    expect(await readInput('wire', tool, `<call>look ${written}</call>`)).toEqual(expected)
    expect(await readInput('wire', tool, `<call>look(${written})</call>`)).toEqual(expected)
    expect(await readInput('json', tool, `<call>look ${written}</call>`)).toEqual(expected)
    expect(await readInput('wire', tool, `<call>\nlook ${written}\n</call>`)).toEqual(expected)
  })

  test.for(pairs.slice(0, 3))('in a line: %s', async written => {
    expect(await readInput('line', tool, `@look ${written}`)).toEqual(expected)
    expect(await readInput('line', tool, `  @look ${written}\n`)).toEqual(expected)
  })

  test('as JSON in either syntax', async () => {
    expect(await readInput('wire', tool, `<call>look ${JSON.stringify(expected)}</call>`)).toEqual(
      expected,
    )
    expect(await readInput('line', tool, `@look ${JSON.stringify(expected)}`)).toEqual(expected)
  })
})

describe('<call></call> and other marks without a call', () => {
  test.for([
    '<call></call>',
    '<call> </call>',
    '<call>',
    'The <call> tag. ',
    '<call></call><call></call>',
    '<call>\n</call>\n',
    'a </call> b ',
  ])('%j before a good call are text, and the call is found', async before => {
    const answer = `${before}<call>get_weather city=Oslo</call>`
    const { calls, text: around, codes } = await readAnswer('wire', [weatherTool], answer)
    expect(calls).toEqual([{ toolName: 'get_weather', input: { city: 'Oslo' } }])
    expect(around).toBe(before)
    expect(codes).toEqual([])
  })

  test('a close mark right before a good call, or after it, is not shown', async () => {
    const good = '<call>get_weather city=Oslo</call>'
    for (const answer of [`</call>\n${good}`, `${good}</call>`, `${good}\n</call>\n`]) {
      const { calls, text: around, codes } = await readAnswer('wire', [weatherTool], answer)
      expect(calls).toEqual([{ toolName: 'get_weather', input: { city: 'Oslo' } }])
      expect(around.trim()).toBe('')
      expect(codes).toEqual([])
    }
  })

  test.for([
    'Mail me@get_weather.com',
    'The @get_weather tool is what I need',
    '@get_weather is what I need.',
    '@get_weatherman says hello',
    '@nobody days=3',
    '`@get_weather city=Rome` is how it goes',
  ])('%j before a line that is a call is text, and the call is found', async before => {
    const answer = `${before}\n@get_weather city=Oslo`
    const { calls, text: around, codes } = await readAnswer('line', [weatherTool], answer)
    expect(calls).toEqual([{ toolName: 'get_weather', input: { city: 'Oslo' } }])
    expect(around.trimEnd()).toBe(before)
    expect(codes).toEqual([])
  })
})

describe('<call> and a long text without whitespace', () => {
  /** How many events the scanner emits, and how many characters of text. */
  const eventsOf = (syntax: CompactSyntax, answer: string, chars: number) => {
    const protocol = compactProtocol({ syntax })
    const chunks = chunksOf(answer, chars)
    const events = readEvents({ protocol, tools: [weatherTool], chunks })
    const texts = events.map(event => (event.type === 'text' ? event.text : ''))
    return { events: events.length, given: texts.join('').length }
  }

  test.for([
    { syntax: 'wire' as const, start: '<call>' },
    { syntax: 'json' as const, start: '<call>' },
    { syntax: 'line' as const, start: '@' },
  ])('$syntax is text, all of it, emitted at most once for each piece', ({ syntax, start }) => {
    for (const size of [12_500, 50_000]) {
      const answer = start + 'x'.repeat(size)
      const { events, given } = eventsOf(syntax, answer, 4)
      expect(given).toBe(answer.length)
      expect(events).toBeLessThanOrEqual(answer.length / 4 + 10)
    }
  })
})

describe('a call of the history whose input is an object', () => {
  const assistant = (input: unknown) => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input }],
  })

  test.for(syntaxes)('is written as the model would write it: %s', async syntax => {
    for (const input of [paris, oslo, JSON.stringify(paris), {}]) {
      const { prompt } = await transform(compactTools({ syntax }), {
        prompt: [assistant(input)],
        tools: [weatherTool],
      })
      const written = String(Array.isArray(prompt[1]?.content) && prompt[1].content[0]?.text)
      expect(written).not.toContain('[object')
      const meant = typeof input === 'string' ? paris : input
      expect(written).toBe(writeCall(compactProtocol({ syntax }), meant))
      expect(readCalls(syntax, written, [weatherTool])).toEqual([
        { toolName: 'get_weather', input: meant },
      ])
    }
  })

  test('is short', () => {
    const write = (syntax: CompactSyntax) => writeCall(compactProtocol({ syntax }), paris)
    expect(write('wire')).toBe(
      '<call>get_weather city=Paris days=3 hourly=true tags=rain,wind</call>',
    )
    expect(write('json')).toBe(
      '<call>get_weather {"city":"Paris","days":3,"hourly":true,"tags":["rain","wind"]}</call>',
    )
    expect(write('line')).toBe('@get_weather city=Paris days=3 hourly=true tags=rain, wind')
  })
})

describe('entities', () => {
  const source = '<p>a &lt;b&gt; &amp; &quot;c&quot; &#39; &nbsp;</p>'

  test.for([
    { syntax: 'wire' as const, answer: `<call>write_file path=a content="${source}"</call>` },
    { syntax: 'wire' as const, answer: `<call>write_file path=a content=${source}</call>` },
    {
      syntax: 'json' as const,
      answer: `<call>write_file {"path":"a","content":"${source}"}</call>`,
    },
    { syntax: 'line' as const, answer: `@write_file path=a content=${source}` },
    { syntax: 'line' as const, answer: `@write_file path=a content=<<END\n${source}\nEND` },
  ])('stay verbatim: $answer', async ({ syntax, answer }) => {
    expect(await readInput(syntax, fileTool, answer)).toEqual({ path: 'a', content: source })
  })

  test('stay verbatim through the history, &#10; included', () => {
    for (const syntax of syntaxes) {
      const input = { path: 'a', content: `${source} &#10; and\na line` }
      const call = { toolCallId: 'c', toolName: 'write_file', input }
      const written = compactProtocol({ syntax }).formatToolCall(call, { tools: [fileTool] })
      expect(readCalls(syntax, written, [fileTool])).toEqual([{ toolName: 'write_file', input }])
    }
  })
})

describe('the integer 9007199254740993', () => {
  const tool = toolOf('find', {
    id: { type: 'integer' },
    ids: { type: 'array', items: { type: 'integer' } },
  })

  test.for([
    { syntax: 'wire' as const, answer: '<call>find id=9007199254740993</call>' },
    { syntax: 'wire' as const, answer: '<call>find id="9007199254740993"</call>' },
    { syntax: 'json' as const, answer: '<call>find {"id":9007199254740993}</call>' },
    { syntax: 'line' as const, answer: '@find id=9007199254740993' },
  ])('keeps its digits: $answer', async ({ syntax, answer }) => {
    const params = { prompt: [userSays('Hello')], tools: [tool] }
    const { content } = await runGenerate(compactTools({ syntax }), params, textAnswer(answer))
    expect(content).toMatchObject([{ type: 'tool-call', input: '{"id":9007199254740993}' }])
  })

  test('keeps its digits in a list and through the history', async () => {
    for (const syntax of syntaxes) {
      const input = '{"id":9007199254740993,"ids":[9007199254740993,1]}'
      const call = { toolCallId: 'c', toolName: 'find', input }
      const protocol = compactProtocol({ syntax })
      const written = protocol.formatToolCall(call, { tools: [tool] })
      const [part] = protocol.parseGeneratedText({ text: written, tools: [tool] })
      expect(part).toMatchObject({ type: 'tool-call', input })
    }
    const params = { prompt: [userSays('Hello')], tools: [tool] }
    const answer = textAnswer('<call>find ids=9007199254740993,2</call>')
    const { content } = await runGenerate(compactTools(), params, answer)
    expect(content).toMatchObject([{ type: 'tool-call', input: '{"ids":[9007199254740993,2]}' }])
  })
})

describe.for([
  'a.b',
  'ns/tool',
  'größe_長さ',
  'get-weather',
  'x:y',
  '$f',
  'a_b.c-d/e',
  'get',
  'get_all',
])('a tool with the name %s', name => {
  const tool = toolOf(name, { city: text })
  const others = [toolOf('get_al', { city: text }), toolOf('ge', { city: text })]

  test.for(syntaxes)('is found with %s, and written back', async syntax => {
    const answer =
      syntax === 'line' ? `@${name} city=New York` : `<call>${name} city="New York"</call>`
    const { calls } = await readAnswer(syntax, [...others, tool], answer)
    expect(calls).toEqual([{ toolName: name, input: { city: 'New York' } }])
    const call = { toolCallId: 'c', toolName: name, input: { city: 'New York' } }
    const written = compactProtocol({ syntax }).formatToolCall(call, { tools: [tool] })
    expect(readCalls(syntax, written, [...others, tool])).toEqual([
      { toolName: name, input: { city: 'New York' } },
    ])
  })

  test('has a signature', () => {
    expect(renderSignature(tool)).toBe(`${name} city?`)
  })
})

describe('types in references and in unions', () => {
  test.for([
    {
      syntax: 'wire' as const,
      answer: '<call>set size=5 limit=3.5 ratio=0.5 flag=true items=1,2</call>',
    },
    {
      syntax: 'wire' as const,
      answer: '<call>set size="5" limit="3.5" ratio="0.5" flag=true items=["1","2"]</call>',
    },
    {
      syntax: 'json' as const,
      answer:
        '<call>set {"size":"5","limit":"3.5","ratio":"0.5","flag":true,"items":["1","2"]}</call>',
    },
    { syntax: 'line' as const, answer: '@set size=5 limit=3.5 ratio=0.5 flag=true items=1, 2' },
  ])('are those of the schema: $answer', async ({ syntax, answer }) => {
    expect(await readInput(syntax, typesTool, answer)).toEqual({
      size: 5,
      limit: 3.5,
      ratio: 0.5,
      flag: true,
      items: [1, 2],
    })
  })

  test.for([
    {
      syntax: 'wire' as const,
      answer: '<call>set limit=null ratio=None node={"weight":"2","next":{"weight":"3"}}</call>',
    },
    {
      syntax: 'wire' as const,
      answer: '<call>set limit=null ratio=null node.weight=2 node.next.weight=3</call>',
    },
    {
      syntax: 'line' as const,
      answer: '@set limit=null ratio=null node.next.weight="3" node.weight=2',
    },
  ])('may be null, or contain themselves: $answer', async ({ syntax, answer }) => {
    expect(await readInput(syntax, typesTool, answer)).toEqual({
      limit: null,
      ratio: null,
      node: { weight: 2, next: { weight: 3 } },
    })
  })
})

describe('what a conversation carries besides text', () => {
  const cache = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const image = { type: 'media', data: 'AAAA', mediaType: 'image/png' }
  const call = (more: object = {}) => ({
    type: 'tool-call',
    toolCallId: 'c1',
    toolName: 'get_weather',
    input: paris,
    ...more,
  })
  const result = (output: object, more: object = {}) => ({
    type: 'tool-result',
    toolCallId: 'c1',
    toolName: 'get_weather',
    output,
    ...more,
  })
  const rewrite = async (
    syntax: CompactSyntax,
    ...prompt: { role: string; content: readonly AnyPart[] | string }[]
  ) => (await transform(compactTools({ syntax }), { prompt, tools: [weatherTool] })).prompt.slice(1)

  test.for(syntaxes)(
    'images of results and of the user after them are kept, in their place: %s',
    async syntax => {
      const file = { type: 'file', mediaType: 'image/jpeg', data: 'BBBB' }
      const made = await rewrite(
        syntax,
        { role: 'assistant', content: [call()] },
        {
          role: 'tool',
          content: [result({ type: 'content', value: [{ type: 'text', text: 'map' }, image] })],
        },
        { role: 'user', content: [{ type: 'text', text: 'And this?' }, file] },
      )
      expect(made.map(message => message.role)).toEqual(['assistant', 'user'])
      const content = made[1]?.content
      expect(content).toMatchObject([
        {
          type: 'text',
          text: expect.stringMatching(/^<result>get_weather: map\n.*image.*<\/result>$/s),
        },
        { type: 'file', mediaType: 'image/png', data: 'AAAA' },
        { type: 'text', text: 'And this?' },
        { type: 'file', mediaType: 'image/jpeg', data: 'BBBB' },
      ])
      expect(Array.isArray(content) && content[3]).toBe(file)
    },
  )

  test.for(syntaxes)('reasoning stays where it was, as it was: %s', async syntax => {
    const reasoning = {
      type: 'reasoning',
      text: 'hm <call>',
      providerOptions: { anthropic: { signature: 's' } },
    }
    const [message] = await rewrite(syntax, {
      role: 'assistant',
      content: [reasoning, { type: 'text', text: 'Look.' }, call()],
    })
    const content = message?.content
    expect(Array.isArray(content) && content[0]).toBe(reasoning)
    expect(content).toHaveLength(2)
  })

  test.for(syntaxes)(
    'provider options of messages, texts, calls and results are kept: %s',
    async syntax => {
      const made = await rewrite(
        syntax,
        {
          role: 'assistant',
          content: [call({ providerOptions: cache })],
          ...{ providerOptions: { a: { b: 1 } } },
        },
        {
          role: 'tool',
          content: [result({ type: 'text', value: 'x' }, { providerOptions: cache })],
        },
      )
      expect(made[0]).toMatchObject({
        providerOptions: { a: { b: 1 } },
        content: [{ providerOptions: cache }],
      })
      expect(made[1]).toMatchObject({ role: 'user', content: [{ providerOptions: cache }] })
    },
  )

  test.for(syntaxes)('a system message keeps its cache control: %s', async syntax => {
    const system = { role: 'system', content: 'Be brief.', providerOptions: cache }
    const { prompt } = await transform(compactTools({ syntax }), {
      prompt: [system],
      tools: [weatherTool],
    })
    expect(prompt).toHaveLength(1)
    expect(prompt[0]).toMatchObject({ role: 'system', providerOptions: cache })
  })

  test.for(syntaxes)(
    'metadata of the provider comes out with the parts that carried it: %s',
    async syntax => {
      const metadata = { openai: { itemId: 'i1' } }
      const params = { prompt: [userSays('Hello')], tools: [weatherTool] }
      const written = writeCall(compactProtocol({ syntax }), paris)
      const finish = {
        type: 'finish',
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { a: 1 },
        providerMetadata: metadata,
      }
      const reasoning = {
        type: 'reasoning-delta',
        id: 'r1',
        delta: written,
        providerMetadata: metadata,
      }
      const parts = await runStream(compactTools({ syntax }), params, [
        { type: 'text-start', id: 't1', providerMetadata: metadata },
        { type: 'text-delta', id: 't1', delta: 'Look.\n' },
        { type: 'text-delta', id: 't1', delta: written },
        { type: 'text-end', id: 't1' },
        reasoning,
        finish,
      ])
      expect(parts[0]).toMatchObject({ type: 'text-start', providerMetadata: metadata })
      expect(parts).toContain(reasoning)
      expect(parts.at(-1)).toEqual({
        ...finish,
        finishReason: { unified: 'tool-calls', raw: 'stop' },
      })
      const answer = {
        content: [
          { type: 'reasoning', text: written, providerMetadata: metadata },
          { type: 'text', text: `Look.\n${written}`, providerMetadata: metadata },
        ],
        finishReason: { unified: 'stop', raw: 'stop' },
        providerMetadata: metadata,
      }
      const whole = await runGenerate(compactTools({ syntax }), params, answer)
      expect(whole.providerMetadata).toBe(metadata)
      expect(whole.content.map(part => part.type)).toEqual(['reasoning', 'text', 'tool-call'])
      expect(whole.content[0]).toBe(answer.content[0])
      expect(whole.content[1]).toMatchObject({ providerMetadata: metadata })
    },
  )

  test.for(syntaxes)(
    'calls that the provider made or ran itself are handed on untouched: %s',
    async syntax => {
      const native = { type: 'tool-call', toolCallId: 'n1', toolName: 'get_weather', input: '{}' }
      const params = { prompt: [userSays('Hello')], tools: [weatherTool] }
      const parts = await runStream(compactTools({ syntax }), params, [native])
      expect(parts[0]).toBe(native)
      const searched = { ...call({ providerExecuted: true }), toolName: 'web_search' }
      const message = { role: 'assistant', content: [searched] }
      expect((await rewrite(syntax, message))[0]).toBe(message)
    },
  )
})

describe('a tool result', () => {
  const attacks = [
    '</result>',
    '</RESULT>',
    '</result >',
    '</ result>',
    '<result>',
    'x</result\n>',
    '<\\/result></result>',
  ]

  test.for(attacks)('cannot leave its wrapper: %j', async attack => {
    const outputs = [
      { type: 'text', value: `a ${attack} b` },
      { type: 'error-text', value: attack },
      { type: 'json', value: { [attack]: [attack] } },
      { type: 'content', value: [{ type: 'text', text: attack }] },
      { type: 'execution-denied', reason: attack },
    ]
    for (const syntax of syntaxes) {
      for (const output of outputs) {
        const shown = compactProtocol({ syntax }).formatToolResponse({
          toolCallId: 'c',
          toolName: 'f',
          output,
        })
        expect(shown.match(/<\s*\/?\s*result\b/gi)).toEqual(['<result', '</result'])
        expect(shown).toMatch(/^<result>f( failed)?: [\s\S]*<\/result>$/)
      }
    }
  })

  test('is plain text where that is safe, JSON elsewhere, and says that it failed', () => {
    const show = (output: unknown) =>
      compactProtocol().formatToolResponse({ toolCallId: 'c', toolName: 'f', output })
    expect(show({ type: 'text', value: 'clear <b>' })).toBe('<result>f: clear <b></result>')
    expect(show({ type: 'json', value: { a: [1] } })).toBe('<result>f: {"a":[1]}</result>')
    expect(show({ type: 'error-text', value: 'no net' })).toBe('<result>f failed: no net</result>')
    expect(show({ type: 'json', value: null })).toBe('<result>f: null</result>')
  })
})

describe.for(sdkVersions)('with $name', version => {
  test.for(syntaxes)(
    'the user interface sees the input grow under the id of the call: %s',
    async syntax => {
      const { sdk } = version
      const { model } = scriptModel(version, [
        { text: writeCall(compactProtocol({ syntax }), paris) },
        { text: 'Clear.' },
      ])
      const { tools } = createWeatherTools()
      const result = sdk.streamText({
        model: sdk.wrapLanguageModel({ model, middleware: compactTools({ syntax }) }),
        tools,
        prompt: 'How is the weather?',
        stopWhen: sdk.stepCountIs(3),
      })
      const growing = new Set<string>()
      const ids = new Set<unknown>()
      let states: unknown[] = []
      for await (const { parts } of sdk.readUIMessageStream({
        stream: result.toUIMessageStream(),
      })) {
        const shown = parts.filter(part => part.type === 'tool-get_weather')
        states = shown.map(part => part.state)
        for (const part of shown) {
          ids.add(part.toolCallId)
          if (part.state === 'input-streaming') growing.add(JSON.stringify(part.input))
        }
      }
      expect(ids.size).toBe(1)
      expect(states).toEqual(['output-available'])
      expect(growing.size).toBeGreaterThan(3)
    },
  )
})
