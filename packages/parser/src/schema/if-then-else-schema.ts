import { isRecord } from '../is-record.js'
import type { FunctionTool } from '../sdk/parts.js'
import { unwrapSchema } from './unwrap-schema.js'

/** The fields of a tool that the schema of its call needs. */
export interface IfThenElseTool extends Pick<FunctionTool, 'name'> {
  /**
   * The type of the tool.
   *
   * @default 'function'
   */
  readonly type?: string
  /** JSON Schema of the arguments. */
  readonly inputSchema?: unknown
}

/**
 * Returns the JSON Schema of a call of any of the tools, written with `if`, `then` and `else`:
 * `name` is the name of a tool, and `arguments` fits that tool. Throws a `TypeError` for a tool that
 * the provider runs.
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
 * Returns a schema for use inside another one, at `pointer`. Its references point to its new place:
 * `#/$defs/Node` becomes `#/then/properties/arguments/$defs/Node`.
 */
function embedSchema(given: unknown, pointer: string): unknown {
  const schema = unwrapSchema(given)
  if (!isRecord(schema)) return schema
  // `{"properties": {"$ref": {…}}}`: a property may be called `$ref`. Its value is not a string.
  const move = (key: string, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#(?=\/|$)/, pointer) : value
  return JSON.parse(JSON.stringify({ ...schema, $schema: undefined }, move))
}
