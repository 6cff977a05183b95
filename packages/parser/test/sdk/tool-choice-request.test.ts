import { createToolMiddleware, type FunctionTool, isToolChoiceActive } from '@toolglot/parser'
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
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
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

  test('is named in the prompt behind the manual, where all tools stay explained', async () => {
    const made = await transform(hermes, { prompt, tools: [weatherTool, treeTool], toolChoice })
    const system = String(made.prompt[0]?.content)
    expect(system).toContain('plant_tree')
    expect(system.lastIndexOf('get_weather')).toBeGreaterThan(system.lastIndexOf('</tools>'))
  })

  test('has a schema whose references still find what they mean', async () => {
    const { schema } = await formatOf({ tools: [treeTool], toolChoice: { type: 'tool', toolName: 'plant_tree' } })
    const found = references(schema)
    expect(found).toHaveLength(4)
    for (const { target } of found) expect(target).toBeDefined()
    const args = at(schema, '#/properties/arguments')
    expect(found.map(({ target }) => target)).toContain(args)
    expect(found.map(({ target }) => target)).toContain(at(args, '#/$defs/node'))
    expect(found.map(({ target }) => target)).toContain(at(args, '#/definitions/size'))
  })

  test('keeps a parameter that happens to be called $schema', async () => {
    const { schema } = await formatOf({ tools: [treeTool], toolChoice: { type: 'tool', toolName: 'plant_tree' } })
    expect(at(schema, '#/properties/arguments/properties/$schema')).toEqual({ type: 'string' })
  })

  test('that the provider runs is refused with a message that says what to do', async () => {
    const params = { prompt, tools: [weatherTool, search], toolChoice: { type: 'tool', toolName: 'web_search' } }
    await expect(transform(hermes, params)).rejects.toThrow(/web_search.*provider.*get_weather/s)
  })

  test('that does not exist is refused with the names of those that do', async () => {
    const params = { prompt, tools: [weatherTool], toolChoice: { type: 'tool', toolName: 'get_wether' } }
    await expect(transform(hermes, params)).rejects.toThrow(/get_wether.*get_weather/s)
  })
})

describe('a required call', () => {
  const toolChoice = { type: 'required' }

  test('is asked for as JSON whose schema allows exactly the tools of the request', async () => {
    const { type, schema } = await formatOf({ tools: [weatherTool, treeTool], toolChoice })
    expect(type).toBe('json')
    expect(at(schema, '#/properties/name/enum')).toEqual(['get_weather', 'plant_tree'])
    expect(JSON.stringify(schema)).toContain('"hourly"')
    for (const { target } of references(schema)) expect(target).toBeDefined()
    expect(references(schema)).toHaveLength(4)
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
  'isToolChoiceActive is $isActive for $toolChoice, before and behind the middleware',
  async ({ toolChoice, isActive }) => {
    const params = { prompt, tools: [weatherTool], toolChoice }
    expect(isToolChoiceActive(params)).toBe(isActive)
    expect(isToolChoiceActive(await transform(hermes, params))).toBe(isActive)
  },
)
