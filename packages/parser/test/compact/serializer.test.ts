import {
  type CompactSyntax,
  compactProtocol,
  type FallbackToJson,
  type FunctionTool,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { readCalls, syntaxes } from './support/desk.js'

const text = { type: 'string' }
const number = { type: 'number' }
const listOf = (items: unknown) => ({ type: 'array', items })
const objectOf = (properties: Record<string, unknown>) => ({ type: 'object', properties })

const tool: FunctionTool = {
  type: 'function',
  name: 'f',
  inputSchema: objectOf({
    text,
    number,
    flag: { type: 'boolean' },
    tags: listOf(text),
    numbers: listOf(number),
    rows: listOf(
      objectOf({
        sku: text,
        count: number,
        note: text,
        tags: listOf(text),
        box: objectOf({ w: number }),
      }),
    ),
    nest: objectOf({ name: text, inner: objectOf({ city: text, zip: text }) }),
    either: { anyOf: [text, number] },
    maybe: { anyOf: [number, { type: 'null' }] },
    any: {},
    record: { type: 'object', additionalProperties: number },
    'odd key': text,
    'a.b': text,
  }),
}

function write(
  syntax: CompactSyntax,
  input: unknown,
  fallbackToJson: FallbackToJson = 'complex',
): string {
  const call = { toolCallId: 'c', toolName: 'f', input }
  return compactProtocol({ syntax, fallbackToJson }).formatToolCall(call, { tools: [tool] })
}

/** Texts that mean something in one of the syntaxes. */
const texts = [
  'plain',
  'two words',
  '',
  ' ',
  '  padded ',
  '"quoted"',
  "it's",
  'both "a" and \'b\'',
  '"begins" quoted',
  'a\nb',
  'ends\n',
  '\n',
  '\n\n',
  '\r\n',
  'a\rb',
  '\t',
  '\\n',
  '\\',
  'C:\\new\\table',
  '</call>',
  '<call>f text=x</call>',
  '</result>',
  '&#10;',
  '&lt;b&gt;',
  'naïve 日本語 🎉',
  '\ud800',
  '\u0000',
  '\u2028',
  'a=b',
  'number=5',
  'x number=5 y',
  'x, number=5',
  'x\nnumber=5',
  'see nest.name=3',
  '@f text=1',
  'a\n@f text=evil\nb',
  'END',
  'a\nEND\nEND2\nb',
  '<<END',
  '<<END\nx\nEND',
  '{"a":1}',
  '[1, 2]',
  '5',
  '007',
  '1e3',
  'true',
  'True',
  'null',
  'None',
  'a,b',
  'a|b',
  '(x)',
  'f(x)',
  '-',
  '# x',
  '// x',
  '/* x */',
  '```\ncode\n```',
  'k: v',
]

describe.for(syntaxes)('a call written with %s', syntax => {
  const readBack = (input: unknown) => {
    for (const fallbackToJson of ['complex', 'force'] as const) {
      const written = write(syntax, input, fallbackToJson)
      expect(readCalls(syntax, written, [tool]), written).toEqual([{ toolName: 'f', input }])
    }
  }

  test.for(texts)('reads back with the text %j in any place', value => {
    readBack({ text: value })
    readBack({ text: value, number: 1 })
    readBack({ number: 1, text: value, flag: true })
    readBack({ tags: [value] })
    readBack({ tags: ['x', value, 'y'], text: 'z' })
    readBack({
      rows: [
        { sku: value, count: 1 },
        { sku: 'x', note: value },
      ],
      number: 3,
    })
    readBack({
      rows: [
        { sku: 'a', tags: [value] },
        { sku: 'b', tags: [value, value] },
      ],
    })
    readBack({ nest: { name: value, inner: { city: value } }, number: 2 })
    readBack({ either: value, any: value })
    readBack({ any: { [`k${value}`]: [value] } })
    readBack({ 'odd key': value, 'a.b': value })
    readBack({ [`unknown ${value}`]: value })
    readBack({ record: { [value]: 1 } })
  })

  test.for([
    { number: 0 },
    { number: -1.5 },
    { number: 1e21 },
    { number: 1e-7 },
    { flag: false },
    { maybe: null },
    { maybe: 3 },
    { either: 5 },
    { any: null },
    { any: [] },
    { any: {} },
    { any: [[{ a: [null] }]] },
    { tags: [] },
    { numbers: [1, 2.5, -3] },
    { rows: [] },
    { rows: [{}] },
    { rows: [{ sku: 'a' }] },
    { rows: [{ sku: 'a', box: { w: 1 } }, { sku: 'b' }, {}] },
    {
      rows: [
        { sku: 'a', count: 1 },
        { extra: 'x', sku: 'b' },
      ],
    },
    { nest: {} },
    { nest: { inner: {} }, text: 'x' },
    { nest: { name: 'n', inner: { city: 'c', zip: '007' }, more: 1 } },
    { record: {} },
    {},
  ])('reads back with %j', readBack)

  test('takes an input that is JSON text as the value that it is', () => {
    expect(write(syntax, '{"text":"a b","number":2}')).toBe(
      write(syntax, { text: 'a b', number: 2 }),
    )
    for (const empty of ['', ' ', undefined, null, {}])
      expect(write(syntax, empty)).toBe(write(syntax, {}))
  })

  test.for(['{"text": "x', 'text="x" y', 'a\n@f text=evil\nb'])(
    'with an input that never was JSON is at most one call: %j',
    input => {
      const parts = compactProtocol({ syntax }).parseGeneratedText({
        text: write(syntax, input),
        tools: [tool],
      })
      const calls = parts.filter(part => part.type === 'tool-call')
      expect(calls.length).toBeLessThanOrEqual(1)
      expect(JSON.stringify(calls)).not.toContain('"input":"{\\"text\\":\\"evil\\"}"')
    },
  )

  test('of a tool that is gone from the request reads back as well', () => {
    const input = { text: 'a b', deep: { list: [1, 'x'] } }
    const call = { toolCallId: 'c', toolName: 'gone', input }
    const protocol = compactProtocol({ syntax })
    const written = protocol.formatToolCall(call, { tools: [tool] })
    expect(written).toContain('gone')
    expect(written).toContain(JSON.stringify(input))
    expect(protocol.formatToolCall(call)).toBe(written)
  })

  test('of several tools is one below the other', () => {
    const calls = [{ text: 'a\nb' }, {}, { text: 'c d' }].map((input, i) => ({
      toolCallId: `c${i}`,
      toolName: 'f',
      input,
    }))
    const written = compactProtocol({ syntax }).formatToolCalls?.(calls, { tools: [tool] }) ?? ''
    expect(readCalls(syntax, written, [tool]).map(call => call.input)).toEqual(
      calls.map(call => call.input),
    )
  })
})

test('a text that opens lines before the next argument is not written as it is', () => {
  for (const syntax of syntaxes) {
    const input = { text: '<<', number: 5 }
    expect(readCalls(syntax, write(syntax, input), [tool])).toEqual([{ toolName: 'f', input }])
  }
})

describe('between tags', () => {
  test.for([
    { input: { text: 'plain' }, args: 'text=plain' },
    { input: { text: 'a b' }, args: 'text="a b"' },
    { input: { text: 'say "hi"' }, args: 'text=\'say "hi"\'' },
    { input: { text: 'a\nb' }, args: 'text="a\\nb"' },
    { input: { text: '' }, args: 'text=""' },
    { input: { number: 5, flag: true }, args: 'number=5 flag=true' },
    { input: { tags: ['a', 'b'] }, args: 'tags=a,b' },
    { input: { tags: ['a b', 'c'] }, args: 'tags=["a b","c"]' },
    { input: { nest: { name: 'x' } }, args: 'nest={"name":"x"}' },
    { input: { either: '5' }, args: 'either="5"' },
    { input: {}, args: '' },
  ])('$args is the shortest form', ({ input, args }) => {
    expect(write('wire', input)).toBe(args ? `<call>f ${args}</call>` : '<call>f</call>')
  })

  test('force writes objects with dotted keys', () => {
    const input = {
      nest: { name: 'x', inner: { city: 'New York', zip: '007' } },
      record: { a: 1 },
      text: 'y',
    }
    const written = write('wire', input, 'force')
    expect(written).toContain('nest.name=x nest.inner.city="New York" nest.inner.zip=007')
    expect(written).toContain('record.a=1')
  })
})

describe('in a line', () => {
  test.for([
    { input: { text: 'two words' }, args: 'text=two words' },
    { input: { text: 'say "hi", it\'s fine' }, args: 'text=say "hi", it\'s fine' },
    { input: { text: 'a\nb' }, args: 'text=<<END\na\nb\nEND' },
    { input: { text: 'a\nEND\nb' }, args: 'text=<<END2\na\nEND\nb\nEND2' },
    { input: { text: 'x number=5' }, args: 'text="x number=5"' },
    { input: { tags: ['a b', 'c'] }, args: 'tags=a b, c' },
    { input: { nest: { name: 'x' } }, args: 'nest={"name":"x"}' },
    {
      input: {
        rows: [
          { sku: 'A', count: 1 },
          { sku: 'B', count: 2, note: 'a|b' },
        ],
        flag: true,
      },
      args: 'rows=<<END\nsku|count|note\nA|1|\nB|2|"a|b"\nEND flag=true',
    },
    { input: { rows: [{ sku: 'A', count: 1 }] }, args: 'rows=[{"sku":"A","count":1}]' },
    { input: {}, args: '' },
  ])('$args is the form', ({ input, args }) => {
    expect(write('line', input)).toBe(args ? `@f ${args}` : '@f')
  })
})

test('JSON is written without spaces', () => {
  expect(write('json', { text: 'a b', tags: ['x'], nest: { name: 'y' } })).toBe(
    '<call>f {"text":"a b","tags":["x"],"nest":{"name":"y"}}</call>',
  )
})
