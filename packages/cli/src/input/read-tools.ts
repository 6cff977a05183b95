import type { FunctionTool } from '@toolglot/parser'
import { isRecord } from '../is-record.js'
import { CommandError } from '../usage-error.js'
import { readJsonFile } from './read-text.js'

const forms =
  'a list of tools in the form of OpenAI, Anthropic or MCP, or of { "name", "description", "inputSchema" }; ' +
  'or an object with such a list as "tools"'

/** Reads the tools of a file, in any of the usual forms. */
export async function readTools(file: string): Promise<FunctionTool[]> {
  return toolsOf(await readJsonFile(file), file)
}

export function toolsOf(json: unknown, name: string): FunctionTool[] {
  const list = findList(json)
  if (!list) throw new CommandError(`${name} contains no tools. Expected ${forms}.`)
  const tools = list.map((each, i) => toolOf(each, `${name}: tool ${i + 1}`))
  const names = new Set<string>()
  for (const tool of tools) {
    if (names.has(tool.name))
      throw new CommandError(`${name}: two tools are named ${JSON.stringify(tool.name)}.`)
    names.add(tool.name)
  }
  return tools
}

/**
 * Finds the list of tools: the value itself, `{ tools }` of a request or of MCP, `{ result: { tools
 * } }` of JSON-RPC, or the older `{ functions }`.
 */
function findList(json: unknown): readonly unknown[] | undefined {
  if (Array.isArray(json)) return json
  if (!isRecord(json)) return undefined
  const inner =
    json.tools ?? json.functions ?? (isRecord(json.result) ? json.result.tools : undefined)
  return Array.isArray(inner) ? inner : undefined
}

function toolOf(json: unknown, place: string): FunctionTool {
  const own = isRecord(json) && isRecord(json.function) ? json.function : json
  if (!isRecord(own)) throw new CommandError(`${place} is not an object. Expected ${forms}.`)
  const { name, description } = own
  if (typeof name !== 'string' || name === '') {
    const type = typeof own.type === 'string' ? ` (its type is ${JSON.stringify(own.type)})` : ''
    throw new CommandError(`${place} has no name${type}. Expected ${forms}.`)
  }
  const schema = own.inputSchema ??
    own.input_schema ??
    own.parameters ?? { type: 'object', properties: {} }
  if (!isRecord(schema))
    throw new CommandError(`${place} (${name}) has a schema that is not an object.`)
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: schema,
  }
}
