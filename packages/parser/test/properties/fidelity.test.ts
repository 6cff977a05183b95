import { listProtocols } from '@toolglot/parser'
import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { canonicalJson } from './support/json.js'
import { callOf, engineProtocol, marksOf, toolOf } from './support/protocols.js'
import { hardStrings } from './support/strings.js'

const file = toolOf('write', {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' }, note: { type: 'string' } },
  required: ['path', 'content'],
  additionalProperties: false,
})
const numbers = toolOf('count', {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    b: { type: 'number' },
    c: { type: 'array', items: { type: 'number' } },
    d: {},
    e: { type: 'object', properties: { f: { type: ['number', 'null'] } } },
    g: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    h: { type: 'object', additionalProperties: { type: 'integer' } },
  },
})
const silent = toolOf('any', undefined)

describe.each(listProtocols())('fidelity: %s', name => {
  const protocol = engineProtocol(name)

  it('brings a string parameter byte by byte, in any pieces', () => {
    const strings = hardStrings(marksOf(protocol))
    fc.assert(
      fc.property(
        strings,
        strings,
        strings,
        fc.integer({ min: 1, max: 9 }),
        (path, content, note, size) => {
          const input = { path, content, note }
          for (const tools of [[file], undefined]) {
            const text = protocol.formatToolCall(callOf('write', input), tools ? { tools } : {})
            const got = inputsOf(name, [file], chunksOf(text, size))
            expect(
              got.map(json => JSON.parse(json)),
              text,
            ).toEqual([input])
          }
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('never rounds a number', () => {
    fc.assert(
      fc.property(
        fc.array(digits, { minLength: 7, maxLength: 7 }),
        fc.boolean(),
        fc.boolean(),
        (d, hasTools, isSilent) => {
          const input = `{"a":${whole(d[0])},"b":${d[1]},"c":[${d[2]},${d[3]}],"d":${d[4]},"e":{"f":${d[5]}},"g":${d[6]},"h":{"x":${whole(d[1])}}}`
          const tools = [isSilent ? { ...silent, name: 'count' } : numbers]
          const text = protocol.formatToolCall(callOf('count', input), hasTools ? { tools } : {})
          expect(inputsOf(name, tools, [text]).map(canonicalJson), text).toEqual([
            canonicalJson(input),
          ])
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('reads a key of any name as a key', () => {
    const keys = fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'hasOwnProperty',
      'a',
    )
    const values = fc.constantFrom(
      '{"x":1}',
      '"x"',
      '1',
      'null',
      '{"__proto__":{"x":1}}',
      '["__proto__"]',
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(keys, values), { minLength: 1, selector: ([key]) => key }),
        fc.constantFrom(undefined, {}, { type: 'object', properties: { a: { type: 'object' } } }),
        fc.boolean(),
        (entries, schema, hasTools) => {
          const input = `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`
          const tools = [toolOf('any', schema)]
          const text = protocol.formatToolCall(callOf('any', input), hasTools ? { tools } : {})
          expect(inputsOf(name, tools, [text]).map(canonicalJson), text).toEqual([
            canonicalJson(input),
          ])
          expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
        },
      ),
      { numRuns: runsEach },
    )
  })
})

/** Numbers as JSON writes them, most of which a JavaScript number cannot hold. */
const digits: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '9007199254740993',
    '12345678901234567890',
    '-12345678901234567890',
    '0.1000000000000000055511',
  ),
  fc.constantFrom(
    '1e400',
    '1E+2',
    '1.10',
    '-0',
    '0.0',
    '1e-400',
    '100000000000000000000000',
    '3.0',
    '5',
  ),
  fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(String),
  fc
    .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.nat())
    .map(([left, right]) => `${left}.${right}0`),
)

const whole = (text = '') => /^-?\d+/.exec(text)?.[0] ?? '0'

function inputsOf(
  name: string,
  tools: readonly (typeof file)[],
  chunks: readonly string[],
): string[] {
  const events = readEvents({ protocol: engineProtocol(name), tools, chunks })
  return events.flatMap(event =>
    event.type === 'call-end' ? [event.problem ? event.problem.message : event.input] : [],
  )
}
