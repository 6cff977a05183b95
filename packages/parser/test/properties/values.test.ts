import fc, { type Arbitrary } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { readPieces } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import { engineProtocol, toolOf } from './support/protocols.js'

// What the schema makes of values that are written in another way (decisions 85 and 86).

const list = (items: unknown) => ({ type: 'array', items })
const trip = toolOf('plan', {
  type: 'object',
  properties: {
    numbers: list({ type: 'integer' }),
    flags: list({ type: 'boolean' }),
    modes: list({ type: 'string', enum: ['slow', 'fast', 'by sea'] }),
    texts: list({ type: 'string' }),
    place: { type: 'object', properties: { zip: { type: 'string' } } },
    city: { type: 'string' },
  },
})

/** An argument as a model writes it: the key, and the text of the value. */
type Entry = readonly [key: string, text: string]
type WriteCall = (toolName: string, entries: readonly Entry[]) => string

const tagFormats: Readonly<Record<string, WriteCall>> = {
  qwen3_coder: (name, entries) =>
    `<tool_call>\n<function=${name}>\n${entries
      .map(([key, text]) => `<parameter=${key}>\n${text}\n</parameter>\n`)
      .join('')}</function>\n</tool_call>`,
  glm_4_5: (name, entries) =>
    `<tool_call>${name}\n${entries
      .map(([key, text]) => `<arg_key>${key}</arg_key>\n<arg_value>${text}</arg_value>\n`)
      .join('')}</tool_call>`,
  morph_xml: (name, entries) =>
    `<${name}>\n${entries.map(([key, text]) => `<${key}>${text}</${key}>\n`).join('')}</${name}>`,
}

const formats: Readonly<Record<string, WriteCall>> = {
  ...tagFormats,
  hermes: (name, entries) =>
    `<tool_call>{"name": "${name}", "arguments": {${entries
      .map(([key, text]) => `"${key}": ${text === 'null' ? text : JSON.stringify(text)}`)
      .join(', ')}}}</tool_call>`,
  pythonic: (name, entries) =>
    `[${name}(${entries
      .map(([key, text]) => `${key}=${text === 'null' ? 'None' : `'${text}'`}`)
      .join(', ')})]`,
  yaml_xml: (name, entries) =>
    `<${name}>\n${entries.map(([key, text]) => `${key}: ${text}\n`).join('')}</${name}>`,
  wire: (name, entries) => `<call>${name}${writePairs(entries)}</call>`,
  line: (name, entries) => `@${name}${writePairs(entries)}\n`,
}

const writePairs = (entries: readonly Entry[]) =>
  entries.map(([key, text]) => ` ${key}=${text === 'null' ? text : `"${text}"`}`).join('')

function expectCall(name: string, tool: typeof trip, text: string, input: unknown): void {
  const protocol = engineProtocol(name)
  for (const chunks of [[text], chunksOf(text, 1)]) {
    const got = readPieces({ protocol, tools: [tool], chunks })
    expect(got, text).toEqual({ pieces: [{ tool: tool.name, input }], problems: [] })
  }
}

const items: Arbitrary<readonly [key: string, values: unknown[]]> = fc.oneof(
  fc.tuple(fc.constant('numbers'), fc.array(fc.integer(), { minLength: 2, maxLength: 5 })),
  fc.tuple(fc.constant('flags'), fc.array(fc.boolean(), { minLength: 2, maxLength: 5 })),
  fc.tuple(
    fc.constant('modes'),
    fc.array(fc.constantFrom('slow', 'fast', 'by sea'), { minLength: 2, maxLength: 5 }),
  ),
)
const words = fc.stringMatching(/^[a-z]{1,8}$/)

describe.each(Object.entries(formats))('values: %s', (name, writeCall) => {
  it('splits a text where a list is wanted whose items have no commas', () => {
    fc.assert(
      fc.property(items, fc.constantFrom(',', ', ', ' , '), ([key, values], comma) => {
        const text = writeCall('plan', [[key, values.join(comma)]])
        expectCall(name, trip, text, { [key]: values })
      }),
      { numRuns: runsOf(1) },
    )
  })

  it('leaves out an optional list or object that is null', () => {
    const keys = fc.uniqueArray(fc.constantFrom('numbers', 'flags', 'modes', 'texts', 'place'))
    fc.assert(
      fc.property(keys, fc.nat(5), (nulls, at) => {
        const entries: Entry[] = nulls.map(key => [key, 'null'])
        entries.splice(at, 0, ['city', 'Rome'])
        expectCall(name, trip, writeCall('plan', entries), { city: 'Rome' })
      }),
      { numRuns: runsOf(1) },
    )
  })

  it('reads a required key in another spelling', () => {
    const parts = fc.uniqueArray(fc.tuple(words, words), { minLength: 1, maxLength: 4 })
    const spellings = [
      ([left, right]: readonly [string, string]) => `${left}_${right}`,
      ([left, right]: readonly [string, string]) =>
        left + right.charAt(0).toUpperCase() + right.slice(1),
    ]
    fc.assert(
      fc.property(parts, fc.nat(1), (pairs, declared) => {
        const [spell, respell] = declared === 0 ? spellings : spellings.toReversed()
        const keys = new Map(pairs.map(pair => [pair.join(''), pair]))
        const names = [...keys.values()].map(pair => spell?.(pair) ?? '')
        const properties = Object.fromEntries(names.map(key => [key, { type: 'string' }]))
        const tool = toolOf('plan', { type: 'object', properties, required: names })
        const entries: Entry[] = [...keys.values()].map(pair => [respell?.(pair) ?? '', 'x'])
        const input = Object.fromEntries(names.map(key => [key, 'x']))
        expectCall(name, tool, writeCall('plan', entries), input)
      }),
      { numRuns: runsOf(1) },
    )
  })
})

describe.each(Object.entries(tagFormats))('tags of a list: %s', (name, writeCall) => {
  it('puts all items into the one list, wherever they are', () => {
    const entry = fc.oneof(
      fc.tuple(fc.constant('numbers'), fc.nat()),
      fc.tuple(fc.constant('texts'), fc.oneof(words, fc.constant(''))),
      fc.tuple(fc.constant('modes'), fc.constantFrom('slow', 'fast')),
    )
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), fc.nat(8), (entries, at) => {
        const written: Entry[] = entries.map(([key, value]) => [key, String(value)])
        written.splice(at, 0, ['city', 'Rome'])
        const input: Record<string, unknown> = { city: 'Rome' }
        for (const [key] of entries) {
          const values = entries.filter(each => each[0] === key).map(([, value]) => value)
          // A single empty tag is an empty list.
          input[key] = values.join() === '' && values.length === 1 ? [] : values
        }
        expectCall(name, trip, writeCall('plan', written), input)
      }),
      { numRuns: runsOf(1) },
    )
  })
})
