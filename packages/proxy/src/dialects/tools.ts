import { badRequest, type HttpError } from '../http/http-error.js'
import type { ModelParams, Tools } from '../model-types.js'
import type { Fields } from './fields.js'

export type ToolChoice = NonNullable<ModelParams['toolChoice']>

/** Reads a tool. The key of its schema differs between the APIs. */
export function readTool(tool: Fields, schemaKey = 'parameters'): Tools[number] {
  const name = tool.need('name', tool.string('name'))
  if (name === '') throw badRequest(tool.pathOf('name'), 'is empty.')
  const schema = tool.object(schemaKey)?.value ?? { type: 'object', properties: {} }
  const description = tool.string('description')
  const strict = tool.boolean('strict')
  return {
    type: 'function',
    name,
    inputSchema: schema,
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
  }
}

/** Reads the name of a tool, which must be one of the request's tools. */
export function readToolName(named: Fields, tools: Tools | undefined): string {
  const toolName = named.need('name', named.string('name'))
  if (!tools?.some(tool => tool.name === toolName)) throw unknownTool(named, toolName)
  return toolName
}

export function unknownTool(named: Fields, toolName: string): HttpError {
  return badRequest(
    named.pathOf('name'),
    `is ${JSON.stringify(toolName)}, which is not among the tools.`,
  )
}

/** Returns tools and tool choice for the SDK; neither if there are no tools. */
export function toolParams(
  tools: Tools | undefined,
  toolChoice: ToolChoice | undefined,
): Pick<ModelParams, 'tools' | 'toolChoice'> {
  if (!tools?.length) return {}
  return { tools, ...(toolChoice ? { toolChoice } : {}) }
}
