import { badRequest } from '../http/http-error.js'
import { isRecord } from '../is-record.js'
import type { Tools } from '../model-types.js'
import { customArguments, readCustomTool } from './custom-input.js'
import type { ReadOptions } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import { leaveOutUnknownTool, refuseChoice, refuseEmptyChoice } from './server-tools.js'
import { createToolMap, type ToolMap, type ToolMapBuilder } from './tool-map.js'
import { readAllowedMode, readNewName, readTool, type ToolChoice } from './tools.js'
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
  const name = readNewName(custom)
  map.add({ kind: 'custom', name }, readCustomTool(custom))
}

/** The tools that the model may call, and which of them it must. */
interface ChatToolChoice {
  readonly toolChoice?: ToolChoice
  readonly tools: Tools | undefined
}

/** Reads the tool choice. `allowed_tools` also reduces the list of tools. */
export function readChatToolChoice(body: Fields, map: ToolMap, warnings: Warnings): ChatToolChoice {
  const { tools } = map
  const key = body.value.tool_choice === undefined ? 'function_call' : 'tool_choice'
  const choice = body.value[key]
  if (choice === undefined || choice === null) return { tools }
  if (choice === 'none' || choice === 'auto' || choice === 'required') {
    refuseEmptyChoice(!!tools?.length, choice === 'required', warnings)
    return { toolChoice: { type: choice }, tools }
  }
  if (!isRecord(choice))
    throw badRequest(key, 'must be "none", "auto", "required" or an object that names a function.')
  const fields = fieldsOf(choice, key)
  if (fields.value.type === 'allowed_tools') {
    const allowed = fields.need('allowed_tools', fields.object('allowed_tools'))
    return readAllowedTools(allowed, map, warnings)
  }
  const toolName = readChosenTool(fields, map, warnings)
  if (toolName === undefined) refuseChoice(fields, 'type', fields.string('type') ?? '')
  return { toolChoice: { type: 'tool', toolName }, tools }
}

/** `{"mode": "auto", "tools": [{"type": "function", "function": {"name": "get_weather"}}]}` */
function readAllowedTools(allowed: Fields, map: ToolMap, warnings: Warnings): ChatToolChoice {
  const type = readAllowedMode(allowed)
  const path = allowed.pathOf('tools')
  const names = new Set(
    allowed
      .need('tools', allowed.list('tools'))
      .map((item, i) => readChosenTool(fieldsOf(item, `${path}[${i}]`), map, warnings)),
  )
  const tools = map.tools?.filter(tool => names.has(tool.name))
  refuseEmptyChoice(!!tools?.length, type === 'required', warnings)
  return { toolChoice: { type }, tools }
}

/**
 * Reads an object that names a tool, and returns the name that the model sees; undefined for a tool
 * that was left out: `{ type: "custom", custom: { name } }`, `{ type: "function", function: { name } }`,
 * `{ name }`.
 */
function readChosenTool(choice: Fields, map: ToolMap, warnings: Warnings): string | undefined {
  const type = choice.string('type') ?? 'function'
  if (warnings.hasTool(type)) return undefined
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
