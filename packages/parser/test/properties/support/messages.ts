import type { FunctionTool, ParserOptions, ToolCall } from '@toolglot/parser'
import fc, { type Arbitrary } from 'fast-check'
import type { EngineProtocol } from '../../../src/protocols/protocol.js'
import { callOf, formatCalls, marksOf, sampleCalls, sampleTools, toolOf } from './protocols.js'
import { rootSpecs, type Spec, schemaOf, valuesOf } from './schemas.js'
import { hardKeyStrings, hardStrings, prose, proseAboutMarkup } from './strings.js'

/** A message with calls, before it is written in a format. */
export interface Message {
  readonly tools: readonly FunctionTool[]
  readonly calls: readonly ToolCall[]
}

const toolNames = [
  'get',
  'get_all',
  'get.all',
  'ns/tool',
  'a-b',
  'wetter_für',
  'write',
  'content',
  'item',
  'a',
  'name',
]

/** Tools with generated schemas, and calls of them that fit. Some names begin like others. */
export function messages(
  protocol: EngineProtocol,
  { hasExtraKeys = false } = {},
): Arbitrary<Message> {
  const marks = marksOf(protocol)
  const strings = hardStrings(marks)
  const keys = hardKeyStrings(marks)
  const call = rootSpecs(keys, strings).chain(spec =>
    fc.record({
      schema: fc.constant(schemaOf(spec)),
      input: valuesOf(asObject(spec), { strings, keys, hasExtraKeys }),
    }),
  )
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...toolNames), call), {
      minLength: 1,
      maxLength: 3,
      selector: ([name]) => name,
    })
    .map(named => ({
      tools: named.map(([name, { schema }]) => toolOf(name, schema)),
      calls: named.map(([name, { input }]) => callOf(name, input)),
    }))
}

/** Arguments are an object, even where the schema does not say so. */
function asObject(spec: Spec): Spec {
  return spec.type === 'silent' ? { type: 'record', of: spec } : spec
}

/** A text for the parser, with the tools that it is read with. */
export interface Input {
  readonly tools: readonly FunctionTool[]
  readonly text: string
}

/** All that a model may write: calls, broken calls, talk of calls, noise. */
export function inputs(protocol: EngineProtocol): Arbitrary<Input> {
  return fc.oneof(
    { weight: 2, arbitrary: written(protocol) },
    { weight: 5, arbitrary: mutated(protocol) },
    { weight: 1, arbitrary: proseAboutMarkup(marksOf(protocol)).map(withSampleTools) },
    { weight: 6, arbitrary: noise(protocol).map(withSampleTools) },
  )
}

/** How reasoning is read. */
const thinking: Arbitrary<ParserOptions> = fc.record(
  { reasoning: fc.boolean(), startWithReasoning: fc.boolean(), callsInReasoning: fc.boolean() },
  { requiredKeys: [] },
)

/** How the request was made. */
export const requests: Arbitrary<ParserOptions> = fc.oneof(
  { weight: 5, arbitrary: thinking },
  { weight: 6, arbitrary: fc.constant<ParserOptions>({}) },
  { weight: 1, arbitrary: fc.constant<ParserOptions>({ toolChoice: { type: 'required' } }) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('get', 'write', 'any', 'name')
      .map((toolName): ParserOptions => ({ toolChoice: { type: 'tool', toolName } })),
  },
)

const withSampleTools = (text: string): Input => ({ tools: sampleTools, text })

function written(protocol: EngineProtocol): Arbitrary<Input> {
  return fc
    .tuple(
      messages(protocol),
      fc.array(fc.oneof(prose, fc.constantFrom('', '\n', ' ')), { minLength: 4, maxLength: 4 }),
    )
    .map(([{ tools, calls }, gaps]) => ({
      tools,
      text: calls.reduce(
        (text, call, i) => text + formatCalls(protocol, [call], tools) + gaps[i + 1],
        gaps[0] ?? '',
      ),
    }))
}

interface Mutation {
  readonly type: 'delete' | 'insert' | 'duplicate' | 'swap' | 'cut'
  readonly at: number
  readonly length: number
  readonly piece: string
}

/** Spans of calls deleted, doubled and swapped, and foreign pieces put in. */
function mutated(protocol: EngineProtocol): Arbitrary<Input> {
  const mutation: Arbitrary<Mutation> = fc.record({
    type: fc.constantFrom('delete', 'insert', 'insert', 'duplicate', 'swap', 'cut'),
    at: fc.nat({ max: 400 }),
    length: fc.nat({ max: 20 }),
    piece: fc.oneof(fc.constantFrom(...marksOf(protocol)), hardStrings([])),
  })
  const sampleInput = fc
    .subarray([...sampleCalls], { minLength: 1, maxLength: 2 })
    .map(calls => withSampleTools(formatCalls(protocol, calls, sampleTools)))
  return fc
    .tuple(
      fc.oneof(written(protocol), sampleInput),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
    )
    .map(([{ tools, text }, mutations]) => ({ tools, text: mutations.reduce(mutate, text) }))
}

function mutate(text: string, { type, at, length, piece }: Mutation): string {
  const from = at % (text.length + 1)
  const to = Math.min(text.length, from + length)
  const span = text.slice(from, to)
  switch (type) {
    case 'delete':
      return text.slice(0, from) + text.slice(to)
    case 'insert':
      return text.slice(0, from) + piece + text.slice(from)
    case 'duplicate':
      return text.slice(0, to) + span + text.slice(to)
    case 'swap':
      return text.slice(0, from) + text.slice(to, to + length) + span + text.slice(to + length)
    case 'cut':
      return text.slice(0, Math.max(from, 1))
  }
}

/** The format's own pieces in any order: short, but dense with all that means something. */
function noise(protocol: EngineProtocol): Arbitrary<string> {
  const marks = marksOf(protocol)
  const openings = sampleCalls.map(call => formatCalls(protocol, [call], sampleTools))
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...marks) },
    { weight: 2, arbitrary: hardStrings([]) },
    {
      // The beginning of a call, so that the noise often stands inside one.
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...openings), fc.nat({ max: 80 }))
        .map(([text, length]) => text.slice(0, Math.min(length, text.length))),
    },
  )
  return fc.array(piece, { maxLength: 16 }).map(pieces => pieces.join(''))
}
