import { badRequest } from '../http/http-error.js'
import type { ModelParams, Tools } from '../model-types.js'
import type { Fields } from './fields.js'
import type { FunctionTool } from './tool-map.js'

export type ToolChoice = NonNullable<ModelParams['toolChoice']>

/** Reads a tool. The key of its schema differs between the APIs. */
export function readTool(tool: Fields, schemaKey = 'parameters'): FunctionTool {
  const name = readNewName(tool)
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

/** Reads the name that a request gives to a tool. It must not be empty. */
export function readNewName(tool: Fields): string {
  const name = tool.need('name', tool.string('name'))
  if (name === '') throw badRequest(tool.pathOf('name'), 'is empty.')
  return name
}

/** Reads the name of a tool, which must be one of the request's tools. */
export function readToolName(named: Fields, tools: Tools | undefined): string {
  const toolName = named.need('name', named.string('name'))
  if (!tools?.some(tool => tool.name === toolName))
    throw badRequest(
      named.pathOf('name'),
      `is ${JSON.stringify(toolName)}, which is not among the tools.`,
    )
  return toolName
}

/** Reads the `mode` of a tool choice `allowed_tools`: whether the model must call one of them. */
export function readAllowedMode(choice: Fields): 'auto' | 'required' {
  const mode = choice.string('mode') ?? 'auto'
  if (mode === 'auto' || mode === 'required') return mode
  throw badRequest(choice.pathOf('mode'), `is ${JSON.stringify(mode)}; expected auto or required.`)
}

/** Returns tools and tool choice for the SDK; neither if there are no tools. */
export function toolParams(
  tools: Tools | undefined,
  toolChoice: ToolChoice | undefined,
): Pick<ModelParams, 'tools' | 'toolChoice'> {
  if (!tools?.length) return {}
  return { tools, ...(toolChoice ? { toolChoice } : {}) }
}
