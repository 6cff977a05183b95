import { isRecord } from '../is-record.js'
import type { FunctionTool } from '../sdk/parts.js'
import { unwrapSchema } from './unwrap-schema.js'

type IfThenElseTool = Pick<FunctionTool, 'name'> & {
  readonly type?: string
  readonly inputSchema?: unknown
}

/**
 * The JSON Schema of a call of any of the tools, written with `if`, `then` and `else`: `name` is
 * one of theirs, and `arguments` fits that tool.
 *
 * @deprecated No constrained decoder applies `if`/`then`/`else`. A forced tool choice is sent as
 * `anyOf` by the middleware itself; see docs/options.md, "Forced tool choice".
 */
export function createDynamicIfThenElseSchema(
  tools: readonly IfThenElseTool[],
): Record<string, unknown> {
  const foreign = tools.find(({ type = 'function' }) => type !== 'function')
  if (foreign) {
    throw new TypeError(
      `The tool ${JSON.stringify(foreign.name)} is run by the provider and cannot be called as text. Leave it out of the tools.`,
    )
  }
  return {
    type: 'object',
    properties: {
      name: { type: 'string', enum: tools.map(tool => tool.name) },
      arguments: { type: 'object' },
    },
    required: ['name', 'arguments'],
    ...choose(tools, '#'),
  }
}

function choose(
  [tool, ...others]: readonly IfThenElseTool[],
  pointer: string,
): Record<string, unknown> {
  if (!tool) return {}
  return {
    if: { properties: { name: { const: tool.name } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's keyword
    then: {
      properties: {
        arguments: embedSchema(tool.inputSchema, `${pointer}/then/properties/arguments`),
      },
    },
    ...(others.length ? { else: choose(others, `${pointer}/else`) } : {}),
  }
}

/**
 * A schema for use inside another one, at `pointer`: its references are made to point to its new
 * place.
 */
function embedSchema(given: unknown, pointer: string): unknown {
  const schema = unwrapSchema(given)
  if (!isRecord(schema)) return schema
  // A property may be called `$ref`, too; its value is not a string.
  const move = (key: string, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#(?=\/|$)/, pointer) : value
  return JSON.parse(JSON.stringify({ ...schema, $schema: undefined }, move))
}
