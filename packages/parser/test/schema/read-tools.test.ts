import { readTools } from '@toolglot/parser'
import * as ai5 from 'ai-v5'
import * as ai6 from 'ai-v6'
import * as ai7 from 'ai-v7'
import type OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const description = 'The tide at a port.'
const inputSchema = {
  type: 'object',
  properties: { port: { type: 'string' }, days: { type: 'integer' } },
  required: ['port'],
} satisfies ai6.JSONSchema7
const tide = { type: 'function', name: 'tide', description, inputSchema }
const own = { name: 'tide', description }

const openaiTools: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { ...own, parameters: inputSchema, strict: true } },
]

/** Has no type, as the schemas of some generators. */
const untyped = { properties: inputSchema.properties }

describe('tools are read', () => {
  it.each<[shape: string, tools: unknown]>([
    ['chat completions', openaiTools],
    [
      'a request of chat completions',
      { model: 'm', tools: [{ type: 'function', function: { ...own, parameters: inputSchema } }] },
    ],
    ['the Responses API', [{ type: 'function', ...own, parameters: inputSchema, strict: null }]],
    ['the functions of OpenAI', { functions: [{ ...own, parameters: inputSchema }] }],
    ['Anthropic', [{ ...own, input_schema: inputSchema }]],
    ['a custom tool of Anthropic', [{ type: 'custom', ...own, input_schema: inputSchema }]],
    ['a list of MCP', [{ ...own, title: 'Tide', inputSchema, annotations: {} }]],
    ['what a client of MCP returns', { tools: [{ ...own, inputSchema }], nextCursor: 'x' }],
    ['an answer of JSON-RPC', { result: { tools: [{ ...own, inputSchema }] } }],
    ['the function tools of the AI SDK', [tide]],
    ['JSON Schemas by name', { tide: { ...inputSchema, description } }],
    ['tools with plain JSON Schemas by name', { tide: { description, inputSchema } }],
    [
      "the AI SDK's jsonSchema() by name",
      { tide: { description, inputSchema: ai6.jsonSchema(inputSchema) } },
    ],
    ['tools of the AI SDK 4 by name', { tide: { description, parameters: inputSchema } }],
    [
      "OpenAI's tools by name",
      { tide: { type: 'function', function: { description, parameters: inputSchema } } },
    ],
  ])('of %s', (_, tools) => {
    const [tool, ...others] = readTools(tools)
    const { description: _own, ...schema } = Object(tool?.inputSchema)
    expect({ ...tool, inputSchema: schema }).toEqual(tide)
    expect(others).toEqual([])
  })

  it.each([
    [
      '5',
      ai5.tool({
        description,
        inputSchema: z.object({ port: z.string(), days: z.int().optional() }),
      }),
    ],
    [
      '6',
      ai6.tool({
        description,
        inputSchema: z.object({ port: z.string(), days: z.int().optional() }),
      }),
    ],
    [
      '7',
      ai7.tool({
        description,
        inputSchema: z.object({ port: z.string(), days: z.int().optional() }),
      }),
    ],
  ])('of AI SDK %s with schemas of Zod', (_, tool) => {
    expect(readTools({ tide: tool })).toEqual([
      {
        type: 'function',
        name: 'tide',
        description,
        inputSchema: expect.objectContaining({
          type: 'object',
          properties: {
            port: { type: 'string' },
            days: expect.objectContaining({ type: 'integer' }),
          },
          required: ['port'],
        }),
      },
    ])
  })

  it('of schemas of Zod by name, and in the order of the object', () => {
    const tools = readTools({ b: z.object({}), a: { description: 'No arguments.' } })
    expect(tools.map(tool => tool.name)).toEqual(['b', 'a'])
    expect(tools[1]).toEqual({
      type: 'function',
      name: 'a',
      description: 'No arguments.',
      inputSchema: { type: 'object', properties: {} },
    })
  })

  it('with their examples, with schemas without a type, and named like a key of an object', () => {
    const inputExamples = [{ input: { port: 'Brest' } }]
    expect(readTools([{ name: 'tide', inputSchema: untyped, inputExamples }])).toEqual([
      { type: 'function', name: 'tide', inputSchema: untyped, inputExamples },
    ])
    const tools = JSON.parse('{"__proto__": {"type": "object"}, "tools": {"type": "object"}}')
    expect(readTools(tools).map(tool => tool.name)).toEqual(['__proto__', 'tools'])
  })

  it('as the same JSON Schema, so that what is prepared for it is kept', () => {
    expect(readTools([tide])[0]?.inputSchema).toBe(inputSchema)
  })
})

const find = (parameters: unknown) => [
  tide,
  { type: 'function', function: { name: 'find', parameters } },
]
const place = 'tools[1].function.parameters'

describe('a bad tool is refused', () => {
  it.each<[tools: unknown, message: string]>([
    [
      undefined,
      'tools must be a list of tools, or an object with the tools by their names, found nothing.',
    ],
    [
      'tide',
      'tools must be a list of tools, or an object with the tools by their names, found "tide".',
    ],
    [[tide, null], 'tools[1] must be a tool, found null.'],
    [[tide, 'find'], 'tools[1] must be a tool, found "find".'],
    [[['tide']], 'tools[0] must be a tool, found a list.'],
    [{ tide: 5 }, 'tools.tide must be a tool or a JSON Schema, found 5.'],
    [{ tide: () => 1 }, 'tools.tide must be a tool or a JSON Schema, found a function.'],
    [
      { tools: { tide: { inputSchema } } },
      'tools.tools must be a tool or a JSON Schema, found an object with the keys tide.',
    ],
    [tide, 'tools.type must be a tool or a JSON Schema, found "function".'],
    [[{ description }], 'tools[0] has no name: tools[0].name must be a text, found nothing.'],
    [[{ name: '' }], 'tools[0] has no name: tools[0].name must be a text, found "".'],
    [
      [{ type: 'function', function: { name: 7 } }],
      'tools[0].function has no name: tools[0].function.name must be a text, found 7.',
    ],
    [[tide, { ...own }], 'tools[1] is named "tide", as tools[0] is.'],
    [
      [{ type: 'web_search' }],
      'tools[0] has the type "web_search": a provider runs it, and a model that only writes text cannot call it. Leave it out.',
    ],
    [
      { find: { type: 'provider-defined', id: 'x.find', args: {} } },
      'tools.find has the type "provider-defined": a provider runs it, and a model that only writes text cannot call it. Leave it out.',
    ],
    [
      { tide: { description: () => 'x', inputSchema } },
      'tools.tide.description of the tool "tide" must be a text, found a function.',
    ],
    [
      find('{"type": "object"}'),
      `${place} of the tool "find" must be a JSON Schema, found "{\\"type\\": \\"object\\"}".`,
    ],
    [find([]), `${place} of the tool "find" must be a JSON Schema, found a list.`],
    [
      find({ port: 'string' }),
      `${place} of the tool "find" must be a JSON Schema: { "type": "object", "properties": {…} }, found an object with the keys port.`,
    ],
    [
      { find: { inputSchema: { port: z.string() } } },
      'tools.find.inputSchema of the tool "find" must be a JSON Schema: { "type": "object", "properties": {…} }, found an object with the keys port.',
    ],
    [
      find({ type: 'array', items: {} }),
      `${place}.type of the tool "find" must be "object", since arguments have names, found "array".`,
    ],
    [
      { find: { type: 'string' } },
      'tools.find.type of the tool "find" must be "object", since arguments have names, found "string".',
    ],
    [
      find({ type: 'object', properties: ['port'] }),
      `${place}.properties of the tool "find" must be an object of JSON Schemas, found a list.`,
    ],
    [
      find({ type: 'object', properties: { port: 'string' } }),
      `${place}.properties.port of the tool "find" must be a JSON Schema, found "string".`,
    ],
    [
      find({ type: 'object', required: true }),
      `${place}.required of the tool "find" must be a list of names, found true.`,
    ],
    [
      { find: { inputSchema: { jsonSchema: Promise.resolve({}) } } },
      'tools.find.inputSchema of the tool "find" is a promise. Await it first.',
    ],
    [
      { find: { inputSchema: { '~standard': { vendor: 'old-zod' } } } },
      'tools.find.inputSchema of the tool "find" is a schema of old-zod that has no JSON Schema of its own. Convert it: z.toJSONSchema(schema) does so for Zod.',
    ],
    [
      { find: { inputSchema: z.object({ day: z.date() }) } },
      'tools.find.inputSchema of the tool "find" is a schema of zod that has no JSON Schema: Date cannot be represented in JSON Schema',
    ],
  ])('%#: %j', (tools, message) => {
    expect(() => readTools(tools)).toThrow(new TypeError(message))
  })

  it('with a message that does not repeat a long value', () => {
    expect(() => readTools([{ name: 'x'.repeat(9), inputSchema: 'y'.repeat(5000) }])).toThrow(
      /^tools\[0\]\.inputSchema of the tool "x+" must be a JSON Schema, found "y{59}…\.$/,
    )
  })

  it('of many tools in a time that grows as they do', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => ({ name: `f${i}`, inputSchema }))
    expect(readTools(many)).toHaveLength(20_000)
  })
})
