import type { ToolShapes } from '../engine/body.js'
import { silentObjectShape } from '../engine/shape.js'
import { shapeOfSchema } from '../schema/shape-of-schema.js'
import type { FunctionTool } from '../sdk/parts.js'

/** The tools of a request as the engine wants them. `schemas` replaces a tool's own schema. */
export function createToolShapes(
  tools: readonly FunctionTool[],
  schemas: Readonly<Record<string, unknown>> = {},
): ToolShapes {
  const byName = new Map(
    tools.map(tool => [tool.name, Object.hasOwn(schemas, tool.name) ? schemas[tool.name] : tool.inputSchema]),
  )
  const names = [...byName.keys()]
  return {
    has: toolName => byName.has(toolName),
    names: () => names,
    shapeOf: toolName => (byName.get(toolName) === undefined ? silentObjectShape : shapeOfSchema(byName.get(toolName))),
  }
}
