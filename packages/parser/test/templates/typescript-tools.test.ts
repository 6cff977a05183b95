import { expect, it } from 'vitest'
import { typeScriptTool } from '../../src/writing/tool-notations.js'

function show(inputSchema: unknown, description?: string): string {
  return typeScriptTool({
    type: 'function',
    name: 'f',
    inputSchema,
    ...(description ? { description } : {}),
  })
}

const object = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...rest,
})

it('shows optional fields, unions, enums, constants, lists and nested objects', () => {
  const schema = object(
    {
      a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: 'x' },
      b: { type: ['integer', 'boolean'], description: 'One\nor two.' },
      c: { type: 'array', items: object({ d: { type: 'number' } }, { required: ['d'] }) },
      'e-f': { type: 'array', items: { enum: [1, 'x'] } },
      g: { const: 3 },
      h: {},
    },
    { required: ['a'] },
  )
  expect(show(schema, 'Does\nit.')).toBe(`// Does
// it.
type f = (_: {
// default: "x"
a: string | null,
// One
// or two.
b?: number | boolean,
c?: {
d: number,
}[],
"e-f"?: Array<1 | "x">,
g?: 3,
h?: any,
}) => any;`)
})

it.each([undefined, {}, { type: 'object' }, object({})])(
  'shows a tool without arguments: %j',
  schema => {
    expect(show(schema)).toBe('type f = () => any;')
  },
)

it('follows references, and ends where a schema contains itself', () => {
  const $defs = {
    node: object({
      next: { $ref: '#/$defs/node' },
      loop: { $ref: '#/$defs/loop' },
      name: { type: 'string' },
    }),
    loop: { $ref: '#/$defs/loop' },
  }
  expect(
    show(object({ first: { $ref: '#/$defs/node' }, self: { $ref: '#' } }, { $defs })),
  ).toBe(`type f = (_: {
first?: {
next?: any,
loop?: any,
name?: string,
},
self?: any,
}) => any;`)
})

it('distinguishes a tool that takes any arguments from one that takes none', () => {
  expect(show(object({}))).toBe('type f = () => any;')
  expect(show(object({}, { additionalProperties: false }))).toBe('type f = () => any;')
  expect(show(object({}, { additionalProperties: true }))).toBe('type f = (_: object) => any;')
})
