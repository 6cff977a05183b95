import type { ToolShapes } from '../engine/body.js'
import { silentObjectShape } from '../engine/shape.js'
import { isForced, type ToolChoice } from '../options.js'
import { shapeOfSchema } from '../schema/shape-of-schema.js'
import type { FunctionTool } from '../sdk/parts.js'

/** The tools of a request as the engine wants them. `schemas` replaces a tool's own schema. */
export function createToolShapes(
  tools: readonly FunctionTool[],
  schemas: Readonly<Record<string, unknown>> = {},
  toolChoice?: ToolChoice,
): ToolShapes {
  const byName = new Map(
    tools.map(tool => [tool.name, Object.hasOwn(schemas, tool.name) ? schemas[tool.name] : tool.inputSchema]),
  )
  const names = [...byName.keys()]
  const forcedName = toolChoice?.toolName
  const schemaOf = (toolName: string) => byName.get(forcedName ?? toolName)
  return {
    isForced: isForced(toolChoice),
    forcedName,
    has: toolName => byName.has(toolName),
    names: () => names,
    shapeOf: toolName => (schemaOf(toolName) === undefined ? silentObjectShape : shapeOfSchema(schemaOf(toolName))),
  }
}
