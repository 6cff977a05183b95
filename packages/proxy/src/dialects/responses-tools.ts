import { badRequest } from '../http/http-error.js'
import { isRecord } from '../is-record.js'
import { isResponsesClientTool, responsesClientTools } from './client-tools.js'
import { readCustomTool } from './custom-input.js'
import type { ReadOptions } from './dialect.js'
import { type Fields, fieldsOf } from './fields.js'
import {
  leaveOutTool,
  leaveOutUnknownTool,
  refuseChoice,
  refuseEmptyChoice,
} from './server-tools.js'
import {
  type ClientTool,
  createToolMap,
  realNamespace,
  type ToolMap,
  type ToolMapBuilder,
} from './tool-map.js'
import { readAllowedMode, readNewName, readTool, type ToolChoice, toolParams } from './tools.js'
import type { Warnings } from './warnings.js'

// The tools of OpenAI's Responses API. They are in `tools`, and in two items of the input:
// `additional_tools`, and `tool_search_output`, which has the tools that the client has found.

const EXPECTED = 'function, custom, namespace, tool_search, local_shell, shell or apply_patch'

interface Reader {
  readonly map: ToolMapBuilder
  readonly options: ReadOptions
  readonly warnings: Warnings
}

/** Lists of items in which tools may be, by their path in the request. */
type ItemLists = Readonly<Record<string, unknown>>

/** Reads all tools of a request: those of its body, and those that come with its items. */
export function readResponsesTools(
  body: Fields,
  itemLists: ItemLists,
  options: ReadOptions,
  warnings: Warnings,
): ToolMap {
  const reader: Reader = { map: createToolMap(), options, warnings }
  const tools = body.list('tools')
  if (tools) reader.map.begin()
  readList(reader, tools, 'tools')
  for (const [key, items] of Object.entries(itemLists)) readItemTools(reader, items, key)
  return reader.map
}

function readItemTools(reader: Reader, items: unknown, key: string): void {
  if (!Array.isArray(items)) return
  items.forEach((item: unknown, i) => {
    const path = `${key}[${i}]`
    if (!isRecord(item) || !isToolItem(item.type)) return
    readList(reader, fieldsOf(item, path).list('tools'), `${path}.tools`)
  })
}

function isToolItem(type: unknown): boolean {
  return type === 'additional_tools' || type === 'tool_search_output'
}

function readList(reader: Reader, tools: readonly unknown[] | undefined, path: string): void {
  tools?.forEach((tool, i) => {
    readEntry(reader, fieldsOf(tool, `${path}[${i}]`))
  })
}

function readEntry(reader: Reader, tool: Fields, namespace?: string): void {
  const type = tool.need('type', tool.string('type'))
  const { map } = reader
  if (type === 'function') {
    const { name, ...shown } = readTool(tool)
    map.add({ kind: 'function', name, namespace }, shown)
  } else if (type === 'custom') {
    const name = readNewName(tool)
    map.add({ kind: 'custom', name, namespace }, readCustomTool(tool))
  } else if (namespace !== undefined && type === 'namespace')
    throw badRequest(tool.pathOf('type'), 'is "namespace" inside of another one.')
  else if (namespace !== undefined)
    leaveOutUnknownTool(tool, type, { expected: 'function or custom', ...reader })
  else if (type === 'namespace') readNamespace(reader, tool)
  else if (isResponsesClientTool(type)) readClientTool(reader, tool, type)
  else leaveOutUnknownTool(tool, type, { expected: EXPECTED, ...reader })
}

function readClientTool(
  reader: Reader,
  tool: Fields,
  type: keyof typeof responsesClientTools,
): void {
  if (!isRunByClient(type, tool)) {
    leaveOutTool(tool, type, reader)
    return
  }
  const own = responsesClientTools[type]
  const description = tool.string('description') ?? own.description ?? ''
  const inputSchema = tool.object('parameters')?.value ?? own.inputSchema
  reader.map.add({ kind: type, name: type }, { description, inputSchema })
}

/** `tool_search` and `shell` can be run by the server of the vendor too. */
function isRunByClient(type: string, tool: Fields): boolean {
  if (type === 'tool_search') return tool.string('execution') === 'client'
  const place = tool.object('environment')?.string('type') ?? 'local'
  return type !== 'shell' || place === 'local'
}

/** `{ type: "namespace", name, description, tools }`. Its description goes to its first tool. */
function readNamespace(reader: Reader, tool: Fields): void {
  const name = tool.need('name', tool.string('name'))
  const about = tool.string('description')
  tool.need('tools', tool.list('tools')).forEach((item, i) => {
    const entry = fieldsOf(item, `${tool.pathOf('tools')}[${i}]`)
    const namespace = realNamespace(name)
    const isFirst = i === 0 && namespace !== undefined
    const described = isFirst && about ? withNamespaceText(entry, name, about) : entry
    readEntry(reader, described, namespace)
  })
}

function withNamespaceText(tool: Fields, namespace: string, about: string): Fields {
  const own = tool.string('description')
  const text = `About all tools of ${namespace}: ${about}`
  return fieldsOf({ ...tool.value, description: own ? `${own}\n\n${text}` : text }, tool.path)
}

/** Returns the names that the model sees for the tools of a `tool_search_output`. */
export function namesOfTools(item: Fields, map: ToolMap, namespace?: string): string[] {
  const tools = item.list('tools') ?? []
  return tools.flatMap((entry, i) => {
    const tool = fieldsOf(entry, `${item.pathOf('tools')}[${i}]`)
    const type = tool.string('type')
    const name = tool.string('name') ?? ''
    if (type === 'namespace') return namesOfTools(tool, map, realNamespace(name))
    if (type !== 'function' && type !== 'custom') return []
    return [map.shownName({ kind: type, name, namespace })]
  })
}

/** Reads the tool choice. `allowed_tools` also reduces the list of tools. */
export function readResponsesToolChoice(
  body: Fields,
  map: ToolMap,
  warnings: Warnings,
): ReturnType<typeof toolParams> {
  const { tools } = map
  const choice = body.value.tool_choice
  if (choice === undefined || choice === null) return toolParams(tools, undefined)
  if (choice === 'none' || choice === 'auto' || choice === 'required') {
    refuseEmptyChoice(!!tools?.length, choice === 'required', warnings)
    return toolParams(tools, { type: choice })
  }
  if (!isRecord(choice))
    throw badRequest(
      'tool_choice',
      'must be "none", "auto", "required" or an object that names a function.',
    )
  const fields = fieldsOf(choice, 'tool_choice')
  if (fields.need('type', fields.string('type')) === 'allowed_tools')
    return readAllowedTools(fields, map, warnings)
  const toolName = readChosenTool(fields, map, warnings)
  if (toolName === undefined) refuseChoice(fields, 'type', fields.string('type') ?? '')
  return toolParams(tools, { type: 'tool', toolName })
}

function readAllowedTools(
  choice: Fields,
  map: ToolMap,
  warnings: Warnings,
): ReturnType<typeof toolParams> {
  const allowed = new Set(
    choice
      .need('tools', choice.list('tools'))
      .map((item, i) => readChosenTool(fieldsOf(item, `tool_choice.tools[${i}]`), map, warnings)),
  )
  const tools = map.tools?.filter(tool => allowed.has(tool.name))
  const toolChoice: ToolChoice = { type: readAllowedMode(choice) }
  refuseEmptyChoice(!!tools?.length, toolChoice.type === 'required', warnings)
  return toolParams(tools, toolChoice)
}

/**
 * Reads an object that names a tool: `{ type: "function", name, namespace }`, `{ type: "shell" }`.
 * Undefined for a tool that was left out.
 */
function readChosenTool(choice: Fields, map: ToolMap, warnings: Warnings): string | undefined {
  const type = choice.need('type', choice.string('type'))
  const tool = chosenTool(choice, type)
  if (tool && map.has(tool)) return map.shownName(tool)
  if (tool && 'name' in choice.value)
    throw badRequest(
      choice.pathOf('name'),
      `is ${JSON.stringify(tool.name)}, which is not among the tools.`,
    )
  if (warnings.hasTool(type)) return undefined
  throw badRequest(
    choice.pathOf('type'),
    `is ${JSON.stringify(type)}; expected function, custom, allowed_tools or the type of one of the tools.`,
  )
}

function chosenTool(choice: Fields, type: string): ClientTool | undefined {
  if (isResponsesClientTool(type)) return { kind: type, name: type }
  if (type !== 'function' && type !== 'custom') return undefined
  const name = choice.need('name', choice.string('name'))
  return { kind: type, name, namespace: realNamespace(choice.string('namespace')) }
}
