import { describe, expect, it } from 'vitest'
import type { CallOutput } from '../../src/engine/grammar.js'
import {
  createEnvelope,
  type Envelope,
  type EnvelopeGrammar,
  hasMoreKeys,
  roleOf,
} from '../../src/engine/json/call-envelope.js'
import { createCursor } from '../../src/engine/text/cursor.js'
import { createToolLookup } from '../../src/engine/tool-lookup.js'
import { anyObjectShape, type Shape } from '../../src/engine/values/shape.js'
import { createValueRecorder } from '../../src/engine/values/tokens.js'

const weatherShape: Shape = {
  ...anyObjectShape,
  requiredNames: [],
  isOpen: false,
  propertyNames: ['city', 'name', 'type', 'input'],
}

interface Options extends Partial<EnvelopeGrammar> {
  /** The tool get_weather is forced. */
  isForced?: boolean
  /** What the keys before this one have shown. */
  before?: Partial<Envelope>
}

function role(key: string, { isForced = false, before = {}, ...grammar }: Options = {}) {
  const notUsed = () => {
    throw new Error('a role is decided without output')
  }
  const output: CallOutput = {
    maxHeldChars: 100,
    tools: {
      forcedToolName: isForced ? 'get_weather' : undefined,
      has: name => name === 'get_weather',
      names: () => ['get_weather'],
      lookup: createToolLookup(['get_weather']),
      shapeOf: () => weatherShape,
    },
    beginCall: notUsed,
    appendRaw: notUsed,
    emitMarkup: notUsed,
    emitText: notUsed,
    report: notUsed,
    reportText: notUsed,
    mayReadAgain: () => false,
    isTextStart: false,
    isAfterCall: false,
    isLineStart: true,
    textBefore: () => '',
    rewind: notUsed,
    endCall: notUsed,
  }
  const marks = { endMarks: ['</tool_call>'], openMarks: ['<tool_call>'] }
  const envelope = createEnvelope(createCursor(), output, { ...marks, ...grammar })
  return roleOf({ ...envelope, ...before }, key)
}

const named = { name: 'get_weather' }

describe('the meaning of a key in a JSON call', () => {
  it.each<[string, string, Options]>([
    // key          role               what is known
    ['name', 'name', {}],
    ['function', 'name', {}],
    ['type', 'ignored', {}],
    ['arguments', 'early-arguments', {}],
    ['arguments', 'arguments', { before: named }],
    ['city', 'unknown', {}],
    ['city', 'unknown', { before: named }],
    ['city', 'ignored', { before: { ...named, hasArguments: true } }],
    // A weak mark proves nothing.
    ['city', 'foreign', { strength: 'weak' }],
    ['city', 'foreign', { strength: 'weak', before: named }],
    ['parameters', 'early-arguments', { strength: 'weak' }],
    ['name', 'name', { strength: 'weak' }],
    // `{"get_weather": {…}}`
    ['get_weather', 'tool', { isKeyedByName: true }],
    ['get_time', 'tool', { isKeyedByName: true }],
    ['name', 'name', { isKeyedByName: true }],
    ['get_weather', 'unknown', { isKeyedByName: true, before: named }],
    [
      'get_time',
      'unknown',
      { isKeyedByName: true, before: { argumentsBeforeName: createValueRecorder() } },
    ],
    // A forced tool, whose arguments need no envelope.
    ['city', 'bare-argument', { isForced: true }],
    ['input', 'bare-argument', { isForced: true }],
    ['price', 'foreign', { isForced: true }],
    ['name', 'name', { isForced: true }],
    ['type', 'unknown', { isForced: true }],
    ['id', 'ignored', { isForced: true }],
    ['arguments', 'arguments', { isForced: true }],
    ['price', 'unknown', { isForced: true, before: { ...named, mayBeBareArguments: false } }],
    ['get_weather', 'tool', { isForced: true, isKeyedByName: true }],
    ['price', 'foreign', { isForced: true, isKeyedByName: true }],
  ])('{|"%s" is %s with %o', (key, expected, options) => {
    expect(role(key, options)).toBe(expected)
  })
})

describe('the object around the arguments goes on', () => {
  it.each([
    // after the arguments        verdict
    ['}', 'yes'],
    [' \n}', 'yes'],
    [', "id": "call_1"}', 'yes'],
    [", 'id': 5,", 'yes'],
    [', "meta": {', 'yes'],
    [',}', 'yes'],
    ['', 'wait'],
    [', "id": "call_1"', 'wait'],
    [', I will', 'wait'],
    [' I will', 'no'],
    ['</tool_call>', 'no'],
  ] as const)('"arguments": {…}|%s: %s', (after, expected) => {
    expect(hasMoreKeys(after)).toBe(expected)
  })
})
