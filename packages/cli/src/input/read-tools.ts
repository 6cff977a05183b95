import type { FunctionTool } from '@toolglot/parser'
import { isRecord } from '../is-record.js'
import { CommandError } from '../usage-error.js'
import { readJsonFile } from './read-text.js'

const forms =
  'a list of tools as OpenAI, Anthropic or MCP write them, or of { "name", "description", "inputSchema" }; ' +
  'or an object that holds such a list as "tools"'

/** The tools of a file, in any of the usual forms. */
export async function readTools(file: string): Promise<FunctionTool[]> {
  return toolsOf(await readJsonFile(file), file)
}

export function toolsOf(json: unknown, name: string): FunctionTool[] {
  const list = findList(json)
  if (!list) throw new CommandError(`${name} holds no tools. It must be ${forms}.`)
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
 * The list itself, `{ tools }` of a request or of MCP, `{ result: { tools } }` of JSON-RPC, `{
 * functions }` of old.
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
  if (!isRecord(own)) throw new CommandError(`${place} is no object. The file must hold ${forms}.`)
  const { name, description } = own
  if (typeof name !== 'string' || name === '') {
    const type = typeof own.type === 'string' ? ` (its type is ${JSON.stringify(own.type)})` : ''
    throw new CommandError(`${place} has no name${type}. The file must hold ${forms}.`)
  }
  const schema = own.inputSchema ??
    own.input_schema ??
    own.parameters ?? { type: 'object', properties: {} }
  if (!isRecord(schema))
    throw new CommandError(`${place} (${name}) has a schema that is no object.`)
  return {
    type: 'function',
    name,
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: schema,
  }
}
