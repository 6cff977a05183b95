import {
  createDynamicIfThenElseSchema,
  createToolMiddleware,
  type FunctionTool,
} from '@toolglot/parser'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileSchema, type Decoder } from '../support/xgrammar.js'
import { transform, userSays } from './support/direct.js'
import type { Data } from './support/sdk-versions.js'

const tool = (name: string, inputSchema: unknown): FunctionTool => ({
  type: 'function',
  name,
  inputSchema,
})

const weather = tool('get_weather', {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
})
/** A tree whose nodes are `Node` in its `$defs`. */
const plant = tool('plant', {
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node' } },
  required: ['root'],
  additionalProperties: false,
  $defs: {
    Node: {
      type: 'object',
      properties: {
        label: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      },
      required: ['label'],
      additionalProperties: false,
    },
  },
})
/** Its `Node` is something else, and `#` is its whole schema. */
const nest = tool('nest', {
  type: 'object',
  properties: { size: { $ref: '#/$defs/Node' }, inner: { $ref: '#' } },
  required: ['size'],
  additionalProperties: false,
  $defs: { Node: { type: 'number' } },
})

async function compileForced(tools: readonly FunctionTool[], toolChoice: Data): Promise<Decoder> {
  const made = await transform(createToolMiddleware(), {
    prompt: [userSays('Hello')],
    tools,
    toolChoice,
  })
  const { schema } = made.responseFormat as { schema: unknown }
  return compileSchema(schema)
}

const call = (name: string, args: unknown) => JSON.stringify({ name, arguments: args })

describe('xgrammar, with the schema of a required call', () => {
  let decoder: Decoder
  beforeAll(async () => {
    decoder = await compileForced([weather, plant, nest], { type: 'required' })
  })

  test.for([
    call('get_weather', { city: 'Paris' }),
    call('get_weather', { city: 'Paris', days: 3 }),
    call('plant', { root: { label: 'a' } }),
    call('plant', { root: { label: 'a', children: [{ label: 'b', children: [{ label: 'c' }] }] } }),
    call('nest', { size: 1.5, inner: { size: 2, inner: { size: 3 } } }),
  ])('accepts %s', async text => {
    expect(await decoder.accepts(text)).toBe(true)
  })

  test.for([
    '{}',
    'null',
    'Paris is nice.',
    '{"name":"get_weather"}',
    call('get_weather', {}),
    call('get_weather', { city: 7 }),
    call('get_weather', { city: 'Paris', days: 'three' }),
    call('get_weather', { city: 'Paris', zip: '75001' }),
    call('get_wether', { city: 'Paris' }),
    call('plant', { city: 'Paris' }),
    call('plant', { root: { label: 'a', children: [{ children: [] }] } }),
    call('plant', { root: 5 }),
    call('nest', { size: { label: 'a' } }),
    call('nest', { size: 1, inner: {} }),
    '{"name":"get_weather","arguments":{"city":"Paris"},"more":1}',
  ])('refuses %s', async text => {
    expect(await decoder.accepts(text)).toBe(false)
  })
})

describe('xgrammar, with the schema of a named call', () => {
  test('accepts a call of that tool and of no other', async () => {
    const decoder = await compileForced([weather, nest], { type: 'tool', toolName: 'nest' })
    expect(await decoder.accepts(call('nest', { size: 1, inner: { size: 2 } }))).toBe(true)
    expect(await decoder.accepts(call('get_weather', { city: 'Paris' }))).toBe(false)
    expect(await decoder.accepts(call('nest', {}))).toBe(false)
  })
})

test('xgrammar does not apply if, then and else: that is why they are not sent', async () => {
  const decoder = await compileSchema(createDynamicIfThenElseSchema([weather, nest]))
  expect(await decoder.accepts(call('get_weather', {}))).toBe(true)
})
