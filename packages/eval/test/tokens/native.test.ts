import type { FunctionTool } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { baselines } from '../../src/tokens/native/baselines.js'
import { harmony } from '../../src/tokens/native/harmony.js'
import { renderTypeScript } from '../../src/tokens/native/harmony-types.js'
import { anthropicJson, bareJson, openaiJson } from '../../src/tokens/native/json-shapes.js'
import { publishedJson } from '../../src/tokens/native/published-json.js'
import { countSegments, type Segment } from '../../src/tokens/tokenizer.js'
import { forEachTokenizer } from '../../src/tokens/tokenizers.js'

const tools: readonly FunctionTool[] = [
  {
    type: 'function',
    name: 'now',
    description: 'The time.',
    inputSchema: { type: 'object', properties: {} },
  },
  {
    type: 'function',
    name: 'greet',
    inputSchema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Whom.' },
        times: { type: 'integer', default: 1 },
      },
      required: ['name'],
      additionalProperties: false,
    },
  },
]
const calls = [
  { toolName: 'greet', args: { name: 'A "B"', times: 2 } },
  { toolName: 'now', args: {} },
]
const idOf = (i: number) => `id${i}`
const show = (segments: readonly Segment[]) =>
  segments.map(segment => (typeof segment === 'string' ? segment : segment.special)).join('')

describe('the native shapes', () => {
  it('are those of the OpenAI API', () => {
    expect(show(openaiJson.writeCalls(calls, idOf))).toBe(
      String.raw`{"id":"id0","type":"function","function":{"name":"greet","arguments":"{\"name\":\"A \\\"B\\\"\",\"times\":2}"}},` +
        '{"id":"id1","type":"function","function":{"name":"now","arguments":"{}"}}',
    )
    expect(show(openaiJson.writeCalls(calls.slice(1)))).toBe(
      '{"type":"function","function":{"name":"now","arguments":"{}"}}',
    )
    expect(JSON.parse(show(openaiJson.writeDefinitions(tools)))[0]).toEqual({
      type: 'function',
      function: {
        name: 'now',
        description: 'The time.',
        parameters: { type: 'object', properties: {} },
      },
    })
    expect(openaiJson.createId?.('a')).toMatch(/^call_\w{24}$/)
    expect(openaiJson.createId?.('a')).not.toBe(openaiJson.createId?.('b'))
  })

  it('are those of the Anthropic API', () => {
    expect(show(anthropicJson.writeCalls(calls.slice(1), idOf))).toBe(
      '{"type":"tool_use","id":"id0","name":"now","input":{}}',
    )
    expect(show(anthropicJson.writeCalls(calls.slice(1)))).toBe(
      '{"type":"tool_use","name":"now","input":{}}',
    )
    expect(JSON.parse(show(anthropicJson.writeDefinitions(tools)))[0]).toEqual({
      name: 'now',
      description: 'The time.',
      input_schema: { type: 'object', properties: {} },
    })
    expect(anthropicJson.createId?.('a')).toMatch(/^toolu_01\w{22}$/)
  })

  it('have no id in the published figures but the constant one', () => {
    const published = '{"type":"tool_use","id":"toolu_01ABCDEFG","name":"now","input":{}}'
    expect(show(publishedJson.writeCalls(calls.slice(1)))).toBe(published)
    expect(show(publishedJson.writeCalls(calls.slice(1), idOf))).toBe(published)
  })

  it('begin with the least that JSON takes and a format that a model is known to write', () => {
    expect(baselines).toEqual([bareJson, harmony, anthropicJson, openaiJson])
  })

  it('are at their shortest a name and JSON', () => {
    expect(show(bareJson.writeCalls(calls, idOf))).toBe(
      `${String.raw`greet{"name":"A \"B\"","times":2}`}\nnow{}`,
    )
    expect(show(bareJson.writeDefinitions(tools))).toBe(
      'now{} The time.\n' +
        'greet{"properties":{"name":{"type":"string","description":"Whom."},"times":{"type":"integer","default":1}},"required":["name"]}',
    )
  })

  it('are those of gpt-oss, with its special tokens counted as one each', () => {
    const written = harmony.writeCalls(calls.slice(1), idOf)
    expect(show(written)).toBe(
      '<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>',
    )
    const counts = forEachTokenizer(tokenizer => [
      countSegments(tokenizer, written),
      tokenizer.count('commentary to=functions.now ') +
        tokenizer.count('json') +
        tokenizer.count('{}') +
        4,
    ])
    for (const [actual, expected] of Object.values(counts)) expect(actual).toBe(expected)
    expect(
      show(harmony.writeDefinitions(tools)),
    ).toBe(`Calls to these tools must go to the commentary channel: 'functions'.
# Tools

## functions

namespace functions {

// The time.
type now = () => any;

type greet = (_: {
// Whom.
name: string,
times?: number, // default: 1
}) => any;

} // namespace functions`)
  })
})

describe('the types that gpt-oss is shown', () => {
  it.each([
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ type: ['integer', 'null'] }, 'number | null'],
    [{ type: 'array', items: { type: 'boolean' } }, 'boolean[]'],
    [{ type: 'array' }, 'Array<any>'],
    [{ anyOf: [{ type: 'string' }] }, 'any'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string\n | number'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, '{\n}'],
    [
      { type: 'object', properties: { a: { type: 'object', properties: { b: {} } } } },
      '{\na?: {\n    b?: any,\n    },\n}',
    ],
    [true, 'any'],
  ])('writes %j', (schema, expected) => {
    expect(renderTypeScript(schema)).toBe(expected)
  })
})

describe('the tokenizers', () => {
  it('count text as text, even where it looks like a special token', () => {
    const counts = forEachTokenizer(({ count }) => [
      count('Hello world!'),
      count(''),
      count('<|call|>'),
    ])
    expect(counts).toEqual({ o200k_base: [3, 0, 5], llama3: [3, 0, 5] })
  })
})
