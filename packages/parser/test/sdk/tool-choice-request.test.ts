import {
  createToolMiddleware,
  type FunctionTool,
  isToolChoiceActive,
  toolCallOptions,
} from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { transform, userSays } from './support/direct.js'
import type { Data } from './support/sdk-versions.js'
import { weatherTool } from './support/weather.js'

const hermes = createToolMiddleware({ protocol: 'hermes' })
const prompt = [userSays('Hello')]
const search = { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} }

/** A tool whose schema points into itself, in all the ways that generators write. */
const treeTool: FunctionTool = {
  type: 'function',
  name: 'plant_tree',
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      root: { $ref: '#/$defs/node' },
      size: { $ref: '#/definitions/size' },
      again: { $ref: '#' },
      $schema: { type: 'string' },
    },
    $defs: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
      },
    },
    definitions: { size: { type: 'number', description: 'in metres' } },
  },
}

interface JsonFormat {
  readonly type: string
  readonly schema: Data
}

async function formatOf(params: Data): Promise<JsonFormat> {
  const { responseFormat } = await transform(hermes, { prompt, ...params })
  return responseFormat as JsonFormat
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null
}

function at(schema: unknown, pointer: string): unknown {
  let found = schema
  for (const key of pointer.split('/').slice(1)) found = isData(found) ? found[key] : undefined
  return found
}

/** All references of a schema, with what they point to. */
function references(root: Data, schema: unknown = root): { ref: string; target: unknown }[] {
  if (!isData(schema)) return []
  const inner = Object.values(schema).flatMap(value => references(root, value))
  const { $ref: ref } = schema
  return typeof ref === 'string' ? [{ ref, target: at(root, ref) }, ...inner] : inner
}

describe('a forced tool', () => {
  const toolChoice = { type: 'tool', toolName: 'get_weather' }

  test('is asked for as JSON with the schema of its call', async () => {
    const made = await transform(hermes, { prompt, tools: [weatherTool, treeTool], toolChoice })
    const format = made.responseFormat as JsonFormat
    expect(format.type).toBe('json')
    expect(at(format.schema, '#/properties/name')).toMatchObject({ const: 'get_weather' })
    expect(at(format.schema, '#/properties/arguments')).toEqual(weatherTool.inputSchema)
    expect(format.schema.required).toEqual(['name', 'arguments'])
    expect(made.tools).toBeUndefined()
    expect(made.toolChoice).toBeUndefined()
  })

  test('is named in the prompt after the manual, where all tools stay explained', async () => {
    const made = await transform(hermes, { prompt, tools: [weatherTool, treeTool], toolChoice })
    const system = String(made.prompt[0]?.content)
    expect(system).toContain('plant_tree')
    expect(system.lastIndexOf('get_weather')).toBeGreaterThan(system.lastIndexOf('</tools>'))
  })

  test('has a schema whose references still find what they mean', async () => {
    const { schema } = await formatOf({
      tools: [treeTool],
      toolChoice: { type: 'tool', toolName: 'plant_tree' },
    })
    expect(schema).toMatchObject({
      properties: {
        name: { const: 'plant_tree' },
        arguments: { $ref: '#/$defs/plant_tree-arguments' },
      },
      additionalProperties: false,
    })
    expect(schema.$defs).toEqual({
      'plant_tree-arguments': {
        type: 'object',
        properties: {
          root: { $ref: '#/$defs/plant_tree-node' },
          size: { $ref: '#/$defs/plant_tree-size' },
          again: { $ref: '#/$defs/plant_tree-arguments' },
          // A parameter that happens to be called so.
          $schema: { type: 'string' },
        },
      },
      'plant_tree-node': {
        type: 'object',
        properties: {
          name: { type: 'string' },
          children: { type: 'array', items: { $ref: '#/$defs/plant_tree-node' } },
        },
      },
      'plant_tree-size': { type: 'number', description: 'in metres' },
    })
  })

  test('has one definition for each thing that is referred to, whatever the names', async () => {
    const treeOf = (name: string, type: string) => ({
      ...treeTool,
      name,
      inputSchema: { properties: { x: { $ref: '#/$defs/T' } }, $defs: { T: { type } } },
    })
    const tools = [
      treeOf('add.one', 'string'),
      treeOf('add_one', 'number'),
      treeOf('__proto__', 'boolean'),
    ]
    const { schema } = await formatOf({ tools, toolChoice: { type: 'required' } })
    expect(Object.entries(schema.$defs ?? {})).toEqual([
      ['add_one-T', { type: 'string' }],
      ['add_one-T-2', { type: 'number' }],
      ['__proto__-T', { type: 'boolean' }],
    ])
    expect(references(schema).map(({ ref, target }) => [ref, target])).toEqual([
      ['#/$defs/add_one-T', { type: 'string' }],
      ['#/$defs/add_one-T-2', { type: 'number' }],
      ['#/$defs/__proto__-T', { type: 'boolean' }],
    ])
  })

  test('has a schema in which what cannot be looked up allows anything, and data stays data', async () => {
    const inputSchema = {
      type: 'object',
      properties: {
        other: { $ref: 'https://example.com/other.json', description: 'Elsewhere.' },
        value: { const: { $ref: '#/$defs/none' } },
        $ref: { type: 'string' },
      },
    }
    const tools = [
      { ...weatherTool, inputSchema },
      { ...weatherTool, name: 'no_schema', inputSchema: undefined },
    ]
    const { schema } = await formatOf({ tools, toolChoice: { type: 'required' } })
    expect(at(schema, '#/anyOf/0/properties/arguments/properties')).toEqual({
      other: { description: 'Elsewhere.' },
      value: { const: { $ref: '#/$defs/none' } },
      $ref: { type: 'string' },
    })
    expect(at(schema, '#/anyOf/1/properties/arguments')).toEqual({ type: 'object' })
    expect(schema.$defs).toBeUndefined()
  })

  test('that the provider runs is refused with a message that says what to do', async () => {
    const params = {
      prompt,
      tools: [weatherTool, search],
      toolChoice: { type: 'tool', toolName: 'web_search' },
    }
    await expect(transform(hermes, params)).rejects.toThrow(/web_search.*provider.*get_weather/s)
  })

  test('that does not exist is refused with the names of those that do', async () => {
    const params = {
      prompt,
      tools: [weatherTool],
      toolChoice: { type: 'tool', toolName: 'get_wether' },
    }
    await expect(transform(hermes, params)).rejects.toThrow(/get_wether.*get_weather/s)
  })
})

describe('a required call', () => {
  const toolChoice = { type: 'required' }

  test('is asked for as JSON whose schema has a branch for each tool of the request', async () => {
    const { type, schema } = await formatOf({ tools: [weatherTool, treeTool], toolChoice })
    expect(type).toBe('json')
    expect(schema.anyOf).toEqual([
      {
        type: 'object',
        properties: { name: { const: 'get_weather' }, arguments: weatherTool.inputSchema },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          name: { const: 'plant_tree' },
          arguments: { $ref: '#/$defs/plant_tree-arguments' },
        },
        required: ['name', 'arguments'],
        additionalProperties: false,
      },
    ])
    for (const { ref, target } of references(schema)) expect(target, ref).toBeDefined()
    expect(JSON.stringify(schema)).not.toMatch(/"(?:if|then|else)"/)
  })

  test('of the only tool needs no anyOf', async () => {
    const { schema } = await formatOf({ tools: [weatherTool], toolChoice })
    expect(schema.anyOf).toBeUndefined()
    expect(at(schema, '#/properties/name')).toEqual({ const: 'get_weather' })
  })

  test('leaves out the tools that the provider runs', async () => {
    const { schema } = await formatOf({ tools: [search, weatherTool], toolChoice })
    expect(JSON.stringify(schema)).not.toContain('web_search')
  })

  test('does not carry a $schema into the middle of another schema', async () => {
    const { schema } = await formatOf({ tools: [weatherTool, treeTool], toolChoice })
    expect(JSON.stringify(schema)).not.toContain('draft-07')
  })
})

test.for([
  { toolChoice: undefined, isActive: false },
  { toolChoice: { type: 'auto' }, isActive: false },
  { toolChoice: { type: 'none' }, isActive: false },
  { toolChoice: { type: 'required' }, isActive: true },
  { toolChoice: { type: 'tool', toolName: 'get_weather' }, isActive: true },
])(
  'isToolChoiceActive is $isActive for $toolChoice, before and after the middleware',
  async ({ toolChoice, isActive }) => {
    const params = { prompt, tools: [weatherTool], toolChoice }
    expect(isToolChoiceActive(params)).toBe(isActive)
    expect(isToolChoiceActive(await transform(hermes, params))).toBe(isActive)
  },
)

describe('a forced choice that no tool can meet', () => {
  test.for([
    { name: 'no tools', tools: undefined },
    { name: 'an empty list of tools', tools: [] },
    { name: 'only a tool that the provider runs', tools: [search] },
  ])('is refused if a call is required and there are $name', async ({ tools }) => {
    const params = { prompt, tools, toolChoice: { type: 'required' } }
    await expect(transform(hermes, params)).rejects.toThrow(
      /^toolChoice is "required", but the request has no function/,
    )
  })

  test('is refused if a tool is named and the request has no tools', async () => {
    const params = { prompt, toolChoice: { type: 'tool', toolName: 'get_weather' } }
    await expect(transform(hermes, params)).rejects.toThrow(
      /^toolChoice names "get_weather".* It has none\.$/s,
    )
  })

  test('is left alone if the provider runs the tool, or the mode is rescue', async () => {
    const named = { prompt, tools: [search], toolChoice: { type: 'tool', toolName: 'web_search' } }
    expect(await transform(hermes, named)).toBe(named)
    const required = { prompt, tools: [search], toolChoice: { type: 'required' } }
    expect(await transform(createToolMiddleware({ mode: 'rescue' }), required)).toBe(required)
  })
})

describe("forcedChoice: 'prompt'", () => {
  const told = createToolMiddleware({ protocol: 'hermes', forcedChoice: 'prompt' })

  test.for([
    { toolChoice: { type: 'required' }, sentence: 'This time you must call one of the functions.' },
    {
      toolChoice: { type: 'tool', toolName: 'get_weather' },
      sentence: 'you must call the function "get_weather".',
    },
  ])('asks in words alone: $toolChoice', async ({ toolChoice, sentence }) => {
    const made = await transform(told, { prompt, tools: [weatherTool, treeTool], toolChoice })
    expect(made.responseFormat).toBeUndefined()
    expect(made.prompt[0]?.content).toContain(sentence)
    expect(made.prompt[0]?.content).not.toContain('JSON object, {')
  })

  test('may be set for one call', async () => {
    const params = { prompt, tools: [weatherTool], toolChoice: { type: 'required' } }
    const providerOptions = toolCallOptions({ forcedChoice: 'prompt' })
    expect((await transform(hermes, { ...params, providerOptions })).responseFormat).toBeUndefined()
    const back = toolCallOptions({ forcedChoice: 'json' })
    expect(
      (await transform(told, { ...params, providerOptions: back })).responseFormat,
    ).toBeDefined()
  })

  test('takes no other value', () => {
    // @ts-expect-error: what no type keeps JavaScript from saying
    expect(() => createToolMiddleware({ forcedChoice: 'words' })).toThrow(
      /forcedChoice is "words".*"json" or "prompt"/,
    )
  })
})
