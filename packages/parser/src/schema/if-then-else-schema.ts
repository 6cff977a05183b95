import type { FunctionTool } from '../sdk/parts.js'
import { isRecord } from './is-record.js'

type NamedTool = Pick<FunctionTool, 'name'> & { readonly type?: string; readonly inputSchema?: unknown }

/**
 * The schema of a call of any of the tools: `name` is one of theirs, and `arguments` fits that tool. Written with
 * `if`/`then`/`else`, which constrained decoders take where `oneOf` is refused.
 */
export function createDynamicIfThenElseSchema(tools: readonly NamedTool[]): Record<string, unknown> {
  const foreign = tools.find(({ type = 'function' }) => type !== 'function')
  if (foreign) {
    throw new TypeError(
      `The tool ${JSON.stringify(foreign.name)} is run by the provider and cannot be called as text. Leave it out of the tools.`,
    )
  }
  const name = { type: 'string', enum: tools.map(tool => tool.name) }
  return { ...callOf(name, { type: 'object' }), ...choose(tools, '#') }
}

function choose([tool, ...others]: readonly NamedTool[], pointer: string): Record<string, unknown> {
  if (!tool) return {}
  return {
    if: { properties: { name: { const: tool.name } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
    then: { properties: { arguments: embedSchema(tool.inputSchema, `${pointer}/then/properties/arguments`) } },
    ...(others.length ? { else: choose(others, `${pointer}/else`) } : {}),
  }
}

/** The schema of a call of one tool. */
export function schemaOfCall(tool: NamedTool): Record<string, unknown> {
  const args = embedSchema(tool.inputSchema, '#/properties/arguments')
  return { ...callOf({ const: tool.name }, args), additionalProperties: false }
}

const callOf = (name: unknown, args: unknown) => ({
  type: 'object',
  properties: { name, arguments: args },
  required: ['name', 'arguments'],
})

/** A schema for use inside another one, at `pointer`: its references are made to point to its new place. */
function embedSchema(schema: unknown, pointer: string): unknown {
  if (!isRecord(schema)) return schema
  // A property may be called so, too; but that is no string.
  const move = (key: string, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#(?=\/|$)/, pointer) : value
  return JSON.parse(JSON.stringify({ ...schema, $schema: undefined }, move))
}
