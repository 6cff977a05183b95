import { coerceBySchema, listProtocols } from '@toolglot/parser'
import fc, { type Arbitrary } from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { readEvents } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import { inputs, requests } from './support/messages.js'
import {
  callOf,
  engineProtocol,
  oneOfEachGrammar,
  readerNames,
  sampleCalls,
  toolOf,
} from './support/protocols.js'

const runs = runsOf(0.5 / listProtocols().length)

const brokenSchemas: readonly unknown[] = [
  ...[null, undefined, true, false, 0, '', 'object', [], [{}], {}],
  { type: 'string' },
  { type: 'array', items: { type: 'string' } },
  { type: 'number' },
  { type: [] },
  { type: ['object', 5] },
  { type: 'nothing' },
  { type: 'constructor' },
  { type: null },
  { $ref: '#' },
  { $ref: '#/$defs/nowhere' },
  { $ref: 'https://example.org/schema' },
  { $ref: 5 },
  { $ref: '#/%' },
  { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  { type: 'object', properties: { city: { $ref: '#/properties/city' } } },
  {
    type: 'object',
    properties: { city: { $ref: '#' }, tags: { type: 'array', items: { $ref: '#' } } },
  },
  { anyOf: [{ $ref: '#' }, { $ref: '#' }], oneOf: [{ $ref: '#' }] },
  { allOf: [{ type: 'string' }, { type: 'number' }] },
  {
    allOf: [
      { type: 'object', properties: { city: { type: 'string' } } },
      { properties: { city: { type: 'number' } } },
    ],
  },
  { allOf: [false] },
  { allOf: {} },
  { anyOf: [] },
  { anyOf: [false, null, 5] },
  { anyOf: 'string' },
  { enum: [] },
  { enum: 'a' },
  { enum: [{ a: 1 }, [1], null] },
  { const: undefined },
  { properties: null },
  { properties: [] },
  { properties: { city: null, days: [], content: false, tags: true, path: 5 } },
  { properties: { __proto__: { type: 'string' }, constructor: { type: 'number' } } },
  { type: 'object', patternProperties: { '(': { type: 'string' }, '^c': { type: 'number' } } },
  { type: 'object', additionalProperties: { $ref: '#' } },
  { type: 'object', additionalProperties: 'no' },
  { type: 'object', properties: { tags: { items: [] }, user: { prefixItems: 5, items: false } } },
  { type: 'object', properties: { tags: { prefixItems: [null, false], items: null } } },
  {
    type: 'object',
    required: 'city',
    properties: { city: { type: ['array', 'object', 'string'] } },
  },
  manyBranches(),
  deepSchema(2000),
]

describe.each(readerNames())('model output never throws: %s', name => {
  const protocol = engineProtocol(name)
  const prototype = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))
  afterEach(() => {
    expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(prototype)
  })

  it('reads any text with any schema, also with one that makes no sense', () => {
    fc.assert(
      fc.property(
        inputs(protocol),
        schemas,
        requests,
        fc.boolean(),
        ({ tools, text }, schema, options, isCut) => {
          const odd = tools.map(tool => ({ ...tool, inputSchema: schema }))
          readEvents({ protocol, tools: odd, chunks: [text], isCut, options })
        },
      ),
      { numRuns: runs },
    )
  })

  it('reads any text without tools', () => {
    fc.assert(
      fc.property(inputs(protocol), requests, fc.boolean(), ({ text }, options, isCut) => {
        readEvents({ protocol, tools: [], chunks: [text], isCut, options })
      }),
      { numRuns: runs },
    )
  })

  it('writes and reads any call with any schema', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(...sampleCalls.map(call => call.input)))
    fc.assert(
      fc.property(values, schemas, fc.boolean(), (input, schema, hasTools) => {
        const tools = [toolOf('get', schema)]
        const text = protocol.formatToolCall(callOf('get', input), hasTools ? { tools } : {})
        readEvents({ protocol, tools, chunks: [text] })
      }),
      { numRuns: runs },
    )
  })
})

describe.each(oneOfEachGrammar())('depth: %s', name => {
  it('reads what is nested deeper than any stack', () => {
    const protocol = engineProtocol(name)
    const sample = protocol.formatToolCall(callOf('any', { a: { b: [1] } }), {
      tools: [toolOf('any', {})],
    })
    const tools = [toolOf('any', {}), toolOf('get', undefined)]
    for (const bracket of ['[', '{', '{"a":', '<a>', '(', '[{"a":']) {
      for (let at = 0; at <= sample.length; at += Math.ceil(sample.length / 8)) {
        const text = sample.slice(0, at) + bracket.repeat(20_000) + sample.slice(at)
        readEvents({ protocol, tools, chunks: [text] })
      }
    }
  })
})

describe('coerceBySchema', () => {
  it('takes any value and any schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), schemas, (value, schema) => {
        coerceBySchema(value, schema)
      }),
      { numRuns: runsOf(0.5) },
    )
  })
})

/** Schemas that make no sense, as they are and inside each other. */
const schemas: Arbitrary<unknown> = fc.letrec<{ schema: unknown }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    fc.constantFrom(...brokenSchemas),
    fc
      .tuple(fc.constantFrom('a', 'city', 'content', 'tags', 'user'), tie('schema'))
      .map(([key, schema]) => ({
        type: 'object',
        properties: { [key]: schema },
      })),
    fc
      .tuple(
        fc.constantFrom('anyOf', 'allOf', 'oneOf', 'prefixItems', 'items'),
        fc.array(tie('schema'), { maxLength: 3 }),
      )
      .map(([keyword, list]) => ({ [keyword]: list })),
    fc
      .tuple(fc.constantFrom('additionalProperties', 'items', 'properties'), tie('schema'))
      .map(([keyword, schema]) => ({
        [keyword]: schema,
      })),
  ),
})).schema

/** A union whose ways multiply: 4 to the power of 12. */
function manyBranches(): unknown {
  const union = {
    anyOf: Array.from({ length: 4 }, (_, i) => ({ properties: { [`p${i}`]: { type: 'string' } } })),
  }
  return { allOf: Array.from({ length: 12 }, () => union) }
}

function deepSchema(depth: number): unknown {
  let schema: unknown = { type: 'string' }
  for (let i = 0; i < depth; i++) schema = { allOf: [schema] }
  return schema
}
