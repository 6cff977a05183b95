import {
  type CompactSyntax,
  compactProtocol,
  type ErrorMetadata,
  type FunctionTool,
  type Tolerance,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf, describeChunks } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'

/** Calls that are almost right: nothing of them may be executed that the model did not mean. */

const text = { type: 'string' }
const tool: FunctionTool = {
  type: 'function',
  name: 'order',
  inputSchema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          properties: { sku: text, count: { type: 'integer' }, note: text },
        },
      },
      note: text,
      code: text,
      tags: { type: 'array', items: text },
    },
  },
}

interface Reading {
  /** The inputs of the calls that are whole. */
  readonly inputs: readonly unknown[]
  /** The inputs, as text, of those that are not. */
  readonly broken: readonly string[]
  readonly text: string
  readonly codes: readonly string[]
}

/** Reads a text whole and in pieces; all must agree. */
function read(syntax: CompactSyntax, answer: string, tolerance: Tolerance = 'safe'): Reading {
  const protocol = compactProtocol({ syntax })
  const readChunks = (chunks: readonly string[]): Reading => {
    const inputs: unknown[] = []
    const broken: string[] = []
    const codes: string[] = []
    let around = ''
    for (const event of readEvents({ protocol, tools: [tool], chunks, options: { tolerance } })) {
      if (event.type === 'text') around += event.text
      if (event.type !== 'call-end') continue
      if (event.problem) {
        broken.push(event.input)
        codes.push(event.problem.code)
      } else inputs.push(JSON.parse(event.input))
    }
    return { inputs, broken, text: around, codes }
  }
  const whole = readChunks([answer])
  for (const chars of [1, 3, 7]) {
    const chunks = chunksOf(answer, chars)
    expect(readChunks(chunks), describeChunks(chunks)).toEqual(whole)
  }
  return whole
}

describe('a table that cannot be read', () => {
  const broken = '@order items=<<END\nsku|count\nA|1|x|y\n@order note=evil\nB|2\nEND'

  test.for([
    { after: '', text: '' },
    { after: '\nBye', text: '\nBye' },
    { after: '\n@order note=fine', text: '' },
  ])(
    'ends with its word, and none of its rows is a call or text: $after',
    ({ after, text: around }) => {
      const reading = read('line', broken + after)
      expect(reading.codes).toEqual(['malformed-arguments'])
      expect(reading.text).toBe(around)
      expect(reading.inputs).toEqual(after.includes('fine') ? [{ note: 'fine' }] : [])
      expect(() => JSON.parse(reading.broken[0] ?? '')).toThrow()
    },
  )

  test('may be cut instead', () => {
    const reading = read('line', broken.slice(0, -4))
    expect(reading.inputs).toEqual([])
    expect(reading.codes).toEqual(['cut-call'])
  })
})

describe('a missing closing quote', () => {
  test('leaves the next call intact', () => {
    const reading = read('wire', '<call>order note="x" code="y</call>\n<call>order note="z"</call>')
    expect(reading.inputs).toEqual([{ note: 'z' }])
    expect(reading.codes).toEqual(['malformed-arguments'])
  })

  test('at the end of the answer is reported', () => {
    const reading = read('wire', '<call>order note="x" code="y</call>')
    expect(reading.inputs).toEqual([])
    expect(reading.codes).toHaveLength(1)
  })

  test.for(['"He said "hi" to me"', "'it's fine'", '"a "b", c"'])(
    'differs from a quote inside the text: %s',
    value => {
      const { inputs, codes } = read('wire', `<call>order note=${value} code=x</call>`)
      expect(codes).toEqual([])
      expect(inputs).toEqual([{ note: value.slice(1, -1), code: 'x' }])
    },
  )
})

describe('a value that is empty', () => {
  test.for<{ syntax: CompactSyntax; answer: string }>([
    { syntax: 'wire', answer: '<call>order note="" code=x</call>' },
    { syntax: 'line', answer: '@order note=<<END\nEND code=x' },
  ])('leaves the next key intact: $answer', ({ syntax, answer }) => {
    expect(read(syntax, answer).inputs).toEqual([{ note: '', code: 'x' }])
  })

  test.for<{ syntax: CompactSyntax; answer: string }>([
    { syntax: 'wire', answer: '<call>order note= code=x</call>' },
    { syntax: 'line', answer: '@order note= code=x' },
    { syntax: 'line', answer: '@order note=\ncode=x' },
  ])('is a doubt if it was left out, and leaves the next key intact: $answer', example => {
    const { syntax, answer } = example
    expect(read(syntax, answer).codes).toEqual(['doubtful-call'])
    expect(read(syntax, answer, 'eager').inputs).toEqual([{ note: '', code: 'x' }])
  })
})

describe('lines with CRLF', () => {
  test('keep the breaks of the text, and only those', () => {
    expect(read('line', '@order code=<<END\r\na\r\nb\r\nEND\r\n').inputs).toEqual([
      { code: 'a\r\nb' },
    ])
    expect(read('line', '@order note=x\r\n@order note=y\r\n').inputs).toEqual([
      { note: 'x' },
      { note: 'y' },
    ])
  })
})

describe('a key', () => {
  test('that the tool does not have is a key after a value with an end', () => {
    expect(read('wire', '<call>order note="x" more=3 code=y</call>').inputs).toEqual([
      { note: 'x', more: 3, code: 'y' },
    ])
  })

  test('that the tool has ends a value without quotes, at any place in it', () => {
    expect(read('line', '@order note=see code=5 for more').inputs).toEqual([
      { note: 'see', code: '5 for more' },
    ])
    expect(read('wire', '<call>order note=see code=5 for more</call>').inputs).toEqual([
      { note: 'see', code: '5 for more' },
    ])
  })

  test('in quotes keeps to the value', () => {
    expect(read('line', '@order note="see code=5" code=y').inputs).toEqual([
      { note: 'see code=5', code: 'y' },
    ])
    expect(read('line', '@order note=<<END\nsee\ncode=5\nEND').inputs).toEqual([
      { note: 'see\ncode=5' },
    ])
  })

  test('on the next line goes on with the call; anything else is text', () => {
    expect(read('line', '@order note=x\n  code=y')).toMatchObject({
      inputs: [{ note: 'x', code: 'y' }],
      text: '',
    })
    expect(read('line', '@order note=x\nThen I will wait.')).toMatchObject({
      inputs: [{ note: 'x' }],
      text: '\nThen I will wait.',
    })
  })

  test('with its value in quotes may not come twice', () => {
    expect(read('wire', '<call>order note="x" note="y"</call>')).toMatchObject({
      inputs: [],
      codes: ['malformed-arguments'],
    })
  })
})

describe('keys as models write them', () => {
  test.for<{ syntax: CompactSyntax; answer: string }>([
    { syntax: 'wire', answer: '<call>order note = x y code = z</call>' },
    { syntax: 'wire', answer: '<call>order note="x y" "code"="z"</call>' },
    { syntax: 'wire', answer: '<call>order\n  note: x y\n  code: z\n</call>' },
    { syntax: 'wire', answer: '<call>order(note="x y", code="z")</call>' },
    { syntax: 'line', answer: '@order code = z note = x y' },
    { syntax: 'line', answer: '@order(note="x y", code="z")' },
  ])('are those of the tool: $answer', ({ syntax, answer }) => {
    expect(read(syntax, answer)).toEqual({
      inputs: [{ note: 'x y', code: 'z' }],
      broken: [],
      text: '',
      codes: [],
    })
  })

  test('of a table may be between bars, with a rule below', () => {
    const answer =
      '@order items=<<END\n| sku | count |\n|---|---|\n| A | 1 |\n| B | 2 |\nEND note=x'
    expect(read('line', answer).inputs).toEqual([
      {
        items: [
          { sku: 'A', count: 1 },
          { sku: 'B', count: 2 },
        ],
        note: 'x',
      },
    ])
  })
})

describe('a call in a fence, in quotes of code or in prose', () => {
  test('is a call in a fence, whose marks are text', () => {
    expect(read('wire', '```\n<call>order note=x</call>\n```')).toMatchObject({
      inputs: [{ note: 'x' }],
    })
    expect(read('line', '```\n@order note=x\n```')).toMatchObject({ inputs: [{ note: 'x' }] })
  })

  test.for([
    '`@order note=x`',
    '- @order note=x',
    'So @order note=x',
    '@order is a tool.',
    '@ordering note=x',
  ])('is not a call if the line begins with something else: %s', answer => {
    expect(read('line', answer)).toEqual({ inputs: [], broken: [], text: answer, codes: [] })
  })
})

test('the report of a broken call has its place', () => {
  const told: ErrorMetadata[] = []
  const answer = 'So:\n<call>order tags=["a"] b</call> Bye'
  compactProtocol().parseGeneratedText({
    text: answer,
    tools: [tool],
    options: { onError: (_, metadata) => told.push(metadata) },
  })
  expect(told).toMatchObject([
    {
      code: 'malformed-arguments',
      toolName: 'order',
      offset: 4,
      raw: '<call>order tags=["a"] b</call>',
    },
  ])
})
