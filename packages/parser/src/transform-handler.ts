import { rewriteHistory } from './history.js'
import type { MiddlewareConfig } from './middleware-options.js'
import { isForced } from './parser-options.js'
import { createDynamicIfThenElseSchema, schemaOfCall } from './schema/if-then-else-schema.js'
import { type CallParams, carryOptions, isFunctionTool, type Message, readRequestOptions } from './sdk/call-params.js'
import type { FunctionTool } from './sdk/parts.js'

/** The request: tools into the system prompt, calls and results of the conversation into text. */
export function transformParams(params: CallParams, config: MiddlewareConfig): CallParams {
  if (config.mode === 'rescue') return params
  const tools = params.tools?.filter(isFunctionTool) ?? []
  const others = params.tools?.filter(tool => !isFunctionTool(tool)) ?? []
  const isOff = tools.length === 0 || params.toolChoice?.type === 'none'
  // Tools that the provider runs are no business of ours, as long as there are no others.
  if (tools.length === 0 && others.length > 0) return params

  const { protocol, toolSystemPromptTemplate, placement = 'first', mediaStrategy = 'auto' } = config
  const prompt = rewriteHistory(params.prompt, {
    protocol,
    context: { tools },
    mediaStrategy,
    joinsUsers: !isOff,
    onError: readRequestOptions(params, config).parserOptions.onError,
  })
  if (isOff) return withoutTools(params, prompt, tools)

  const forced = forcedRequest(params, tools)
  const manual = protocol.formatTools({ tools, toolSystemPromptTemplate })
  const { tools: _tools, toolChoice: _choice, ...rest } = params
  return {
    ...rest,
    ...(forced ? { responseFormat: forced.responseFormat } : {}),
    prompt: addSystemText(prompt, forced ? `${manual}\n\n${forced.instruction}` : manual, placement),
    providerOptions: carryOptions(params, tools, {
      ...(forced ? { toolChoice: params.toolChoice } : {}),
      ...(others.length ? { droppedTools: others.map(tool => tool.name) } : {}),
    }),
  }
}

/** No tools, or none to be called: nothing is shown and nothing will be parsed, but old calls must stay readable. */
function withoutTools(params: CallParams, prompt: readonly Message[], tools: readonly FunctionTool[]): CallParams {
  const isUntouched =
    prompt.length === params.prompt.length && prompt.every((message, i) => message === params.prompt[i])
  if (tools.length === 0) return isUntouched ? params : { ...params, prompt }
  const { tools: _tools, toolChoice: _choice, ...rest } = params
  return { ...rest, prompt, providerOptions: carryOptions(params, []) }
}

/** A choice that leaves the model no choice is made to happen by asking for JSON. */
function forcedRequest({ tools: all, toolChoice }: CallParams, tools: readonly FunctionTool[]) {
  if (!isForced(toolChoice)) return undefined
  const { type, toolName = '' } = toolChoice
  const tool = tools.find(each => type === 'tool' && each.name === toolName)
  if (type === 'tool' && !tool) throw new TypeError(explainMissing(toolName, all ?? [], tools))
  const what = tool ? `the function ${JSON.stringify(toolName)}` : 'one of the functions'
  const example = `{"name": ${JSON.stringify(tool?.name ?? 'function_name')}, "arguments": {…}}`
  return {
    responseFormat: {
      type: 'json',
      schema: tool ? schemaOfCall(tool) : createDynamicIfThenElseSchema(tools),
      name: 'tool_call',
      ...(tool?.description === undefined ? {} : { description: tool.description }),
    },
    instruction: `This time you must call ${what}. Answer only with one JSON object, ${example}, and nothing around it.`,
  }
}

function explainMissing(name: string, all: NonNullable<CallParams['tools']>, tools: readonly FunctionTool[]): string {
  const known = tools.map(tool => tool.name).join(', ')
  if (all.some(tool => tool.name === name)) {
    return `toolChoice names ${JSON.stringify(name)}, a tool that the provider runs itself; a text model cannot be made to call it. Choose a function tool: ${known}.`
  }
  return `toolChoice names ${JSON.stringify(name)}, which is not among the tools. Known are: ${known}.`
}

/** The text joins the system message that opens the conversation; without one it becomes one. */
function addSystemText(prompt: readonly Message[], text: string, placement: 'first' | 'last'): readonly Message[] {
  const [system] = prompt
  if (system?.role !== 'system' || typeof system.content !== 'string')
    return [{ role: 'system', content: text }, ...prompt]
  const content = placement === 'first' ? `${text}\n\n${system.content}` : `${system.content}\n\n${text}`
  return prompt.with(0, { ...system, content: system.content === '' ? text : content })
}
