import { anthropicClientTool } from './client-tools.js'
import type { ReadOptions } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { leaveOutUnknownTool } from './server-tools.js'
import { createToolMap, type ToolMap, type ToolMapBuilder } from './tool-map.js'
import { readTool } from './tools.js'
import type { Warnings } from './warnings.js'

/** The tools of a request for a message. Their names are those that the client expects. */
export interface AnthropicTools {
  readonly map: ToolMap
  /** Tools whose arguments the client wants before they are complete. */
  readonly eager: ReadonlySet<string>
}

export function readAnthropicTools(
  body: Fields,
  options: ReadOptions,
  warnings: Warnings,
): AnthropicTools {
  const map = createToolMap()
  const eager = new Set<string>()
  const tools = body.list('tools')
  if (tools) map.begin()
  tools?.forEach((item, i) => {
    const tool = fieldsOf(item, `tools[${i}]`)
    const name = readEntry(tool, map, options, warnings)
    if (name !== undefined && tool.boolean('eager_input_streaming')) eager.add(name)
  })
  if (body.list('mcp_servers')?.length) warnings.leftOutTool('mcp_servers')
  return { map, eager }
}

/** Adds a tool, and returns its name; undefined if it was left out. */
function readEntry(
  tool: Fields,
  map: ToolMapBuilder,
  options: ReadOptions,
  warnings: Warnings,
): string | undefined {
  const type = tool.string('type') ?? 'custom'
  if (type === 'custom') {
    const { name, ...shown } = readTool(tool, 'input_schema')
    tool.need('input_schema', tool.object('input_schema'))
    map.add({ kind: 'function', name }, shown)
    return name
  }
  const known = anthropicClientTool(type, tool.value)
  if (known) {
    const name = tool.string('name') ?? known.name
    map.add({ kind: 'function', name }, known.shown)
    return name
  }
  leaveOutUnknownTool(tool, type, {
    expected: 'custom, bash_*, text_editor_*, memory_* or computer_*',
    options,
    warnings,
  })
  return undefined
}
