import { isFlatObject, planTools, renderSignature } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'

const text = { type: 'string' }
const number = { type: 'number' }
const listOf = (items: unknown) => ({ type: 'array', items })
const objectOf = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
})

/** Parameters that pairs can say without JSON. */
const simple: Record<string, unknown> = {
  text,
  number,
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  choice: { enum: ['x', 5, null] },
  literal: { const: 'x' },
  union: { anyOf: [text, number, { type: 'null' }] },
  types: { type: ['string', 'null'] },
  list: listOf(text),
  'list of choices': listOf({ enum: ['x', 'y'] }),
  'list or null': { anyOf: [listOf(number), { type: 'null' }] },
  reference: { $ref: '#/$defs/size' },
  'list of references': listOf({ $ref: '#/$defs/size' }),
  'all of': { allOf: [{ $ref: '#/$defs/size' }, { description: 'x' }] },
}

/** Parameters that only JSON can say. */
const complex: Record<string, unknown> = {
  object: objectOf({ a: text }),
  'empty object': { type: 'object' },
  record: { type: 'object', additionalProperties: number },
  'list of lists': listOf(listOf(text)),
  'list of anything': { type: 'array' },
  anything: {},
  'object or text': { anyOf: [objectOf({ a: text }), text] },
  'choice of objects': { enum: [{ a: 1 }] },
  reference: { $ref: '#/$defs/node' },
  'reference to itself': { $ref: '#' },
  'list of nested objects': listOf(objectOf({ a: objectOf({ b: text }) })),
}

const table = listOf(
  objectOf({ a: text, b: listOf(number), c: { anyOf: [number, { type: 'null' }] } }),
)

const $defs = { size: { type: 'integer' }, node: objectOf({ next: { $ref: '#/$defs/node' } }) }
const schemaWith = (property: unknown) => objectOf({ first: text, it: property }, { $defs })

describe('isFlatObject', () => {
  test.for(Object.entries(simple))('is true with a parameter that is %s', ([, property]) => {
    expect(isFlatObject(schemaWith(property))).toBe(true)
  })

  test.for([...Object.entries(complex), ['list of objects', table]] as const)(
    'is false with a parameter that is %s',
    ([, property]) => {
      expect(isFlatObject(schemaWith(property))).toBe(false)
    },
  )

  test('is true without parameters, and of what references and allOf are put together of', () => {
    expect(isFlatObject(objectOf({}))).toBe(true)
    expect(isFlatObject({ type: 'object' })).toBe(true)
    expect(isFlatObject({ $ref: '#/$defs/x', $defs: { x: objectOf({ a: text }) } })).toBe(true)
    expect(isFlatObject({ allOf: [objectOf({ a: text }), objectOf({ b: number })] })).toBe(true)
    expect(
      isFlatObject({ allOf: [objectOf({ a: text }), objectOf({ b: objectOf({ c: text }) })] }),
    ).toBe(false)
  })

  test.for([
    listOf(text),
    text,
    { anyOf: [objectOf({ a: text }), objectOf({ b: text })] },
    { type: 'object', additionalProperties: text },
  ])('is false for arguments that are not an object of named properties: %j', schema => {
    expect(isFlatObject(schema)).toBe(false)
  })
})

describe('planTools', () => {
  const tools = [
    { name: 'flat', inputSchema: schemaWith(text) },
    { name: 'nested', inputSchema: schemaWith(objectOf({ a: text })) },
    { name: 'rows', inputSchema: schemaWith(table) },
    { name: 'list', inputSchema: listOf(text) },
    { name: 'union', inputSchema: { anyOf: [objectOf({ a: text }), objectOf({ b: text })] } },
    { name: 'none', inputSchema: objectOf({}) },
  ]

  test('says for each tool in which notation it is called, and where JSON is used', () => {
    expect(planTools(tools)).toEqual([
      { toolName: 'flat', form: 'pairs', complexFields: [] },
      { toolName: 'nested', form: 'pairs', complexFields: ['it'] },
      { toolName: 'rows', form: 'pairs', complexFields: ['it'] },
      { toolName: 'list', form: 'json', complexFields: [] },
      { toolName: 'union', form: 'json', complexFields: [] },
      { toolName: 'none', form: 'pairs', complexFields: [] },
    ])
    expect(planTools(tools, { syntax: 'wire', fallbackToJson: 'complex' })).toEqual(
      planTools(tools),
    )
  })

  test('counts a table as simple in lines', () => {
    const plans = planTools(tools, { syntax: 'line' })
    expect(plans.map(plan => plan.complexFields)).toEqual([[], ['it'], [], [], [], []])
  })

  test('uses JSON for all with the syntax json', () => {
    for (const fallbackToJson of ['complex', 'error', 'force'] as const) {
      const plans = planTools(tools, { syntax: 'json', fallbackToJson })
      expect(plans.map(({ form, complexFields }) => [form, complexFields])).toEqual(
        tools.map(() => ['json', []]),
      )
    }
  })

  test('throws for what is complex with error, and names it', () => {
    const plan = (name: string, syntax?: 'wire' | 'line') =>
      planTools(
        tools.filter(tool => tool.name === name),
        { syntax, fallbackToJson: 'error' },
      )
    expect(plan('flat')).toHaveLength(1)
    expect(plan('rows', 'line')).toHaveLength(1)
    for (const name of ['nested', 'rows']) {
      expect(() => plan(name)).toThrow(TypeError)
      expect(() => plan(name)).toThrow(new RegExp(`"${name}".*"it"`, 's'))
    }
    expect(() => plan('list')).toThrow(/"list".*no object/s)
    expect(() => plan('union', 'line')).toThrow(/"line".*"union"/s)
  })

  test('of no tools is nothing', () => {
    expect(planTools([])).toEqual([])
  })

  test('leaves tools that are called with JSON their parameters in the signature', () => {
    const [, , , list, union] = tools
    expect(list && renderSignature(list, { isJson: true })).toBe('list str[]')
    expect(union && renderSignature(union, { isJson: true })).toBe('union {a?}|{b?}')
  })
})
