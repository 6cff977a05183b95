import { badRequest } from '../http/http-error.js'
import { customArguments, readCustomTool } from './custom-input.js'
import type { ReadOptions } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { leaveOutUnknownTool, refuseChoice } from './server-tools.js'
import { createToolMap, type ToolMap, type ToolMapBuilder } from './tool-map.js'
import { readTool } from './tools.js'
import type { Warnings } from './warnings.js'

/**
 * Reads the tools of a chat: `tools`, or the older `functions`. A custom tool has its fields inside:
 * `{ type: "custom", custom: { name, description, format } }`.
 */
export function readChatTools(body: Fields, options: ReadOptions, warnings: Warnings): ToolMap {
  const map = createToolMap()
  const tools = body.list('tools')
  const functions = body.list('functions')
  if (tools || functions) map.begin()
  tools?.forEach((item, i) => {
    const tool = fieldsOf(item, `tools[${i}]`)
    const type = tool.need('type', tool.string('type'))
    if (type === 'function') addFunction(map, tool.need('function', tool.object('function')))
    else if (type === 'custom') addCustom(map, tool.need('custom', tool.object('custom')))
    else leaveOutUnknownTool(tool, type, { expected: 'function or custom', options, warnings })
  })
  if (!tools)
    functions?.forEach((item, i) => {
      addFunction(map, fieldsOf(item, `functions[${i}]`))
    })
  return map
}

function addFunction(map: ToolMapBuilder, tool: Fields): void {
  const { name, ...shown } = readTool(tool)
  map.add({ kind: 'function', name }, shown)
}

function addCustom(map: ToolMapBuilder, custom: Fields): void {
  const name = custom.need('name', custom.string('name'))
  map.add({ kind: 'custom', name }, readCustomTool(custom))
}

/**
 * Reads an object that names a tool, and returns the name that the model sees:
 * `{ type: "custom", custom: { name } }`, `{ type: "function", function: { name } }`, `{ name }`.
 */
export function readChosenChatTool(choice: Fields, map: ToolMap, warnings: Warnings): string {
  const type = choice.string('type') ?? 'function'
  if (warnings.hasTool(type)) refuseChoice(choice, 'type', type)
  const kind = type === 'custom' ? 'custom' : 'function'
  const named = choice.object(kind) ?? choice
  const name = named.need('name', named.string('name'))
  if (map.has({ kind, name })) return map.shownName({ kind, name })
  throw badRequest(
    named.pathOf('name'),
    `is ${JSON.stringify(name)}, which is not among the tools.`,
  )
}

/** Reads a custom call of the conversation: `{ id, type: "custom", custom: { name, input } }`. */
export function readCustomChatCall(
  call: Fields,
  map: ToolMap,
): { readonly name: string; readonly args: unknown } | undefined {
  if (call.value.type !== 'custom') return undefined
  const custom = call.need('custom', call.object('custom'))
  const name = custom.need('name', custom.string('name'))
  const input = custom.need('input', custom.string('input'))
  return { name: map.shownName({ kind: 'custom', name }), args: customArguments(input) }
}
