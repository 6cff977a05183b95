import { debugLevel } from './debug.js'
import { rewriteHistory } from './history.js'
import { isForced, type MiddlewareConfig, type ToolChoice } from './options.js'
import { isEngineProtocol } from './protocols/tool-call-protocol.js'
import { createDynamicIfThenElseSchema, schemaOfCall } from './schema/if-then-else-schema.js'
import { asRecord } from './schema/is-record.js'
import { type CallParams, carryOptions, isFunctionTool, type Message, readRequestOptions } from './sdk/call-params.js'
import type { FunctionTool } from './sdk/parts.js'
import { keepSpecialTokens } from './sdk/special-tokens.js'

/** The request: tools into the system prompt, calls and results of the conversation into text. */
export function transformParams(params: CallParams, config: MiddlewareConfig, model: unknown): CallParams {
  if (config.mode === 'rescue') return params
  const { tools: allTools = [], toolChoice, ...rest } = params
  const tools = allTools.filter(isFunctionTool)
  const droppedTools = allTools.filter(tool => !isFunctionTool(tool)).map(tool => tool.name)
  // Tools that the provider runs are no business of ours, as long as there are no others.
  if (tools.length === 0 && droppedTools.length > 0) return params

  const { protocol, toolSystemPromptTemplate, placement, formatName } = config
  const { onError, reasoning } = readRequestOptions(params, config).parserOptions
  const { hasSpecialTokens = false } = isEngineProtocol(protocol) ? protocol.definition : {}
  const withTokens = (request: CallParams) =>
    (config.keepSpecialTokens ?? hasSpecialTokens) ? keepSpecialTokens(request, model) : request
  const isOff = tools.length === 0 || toolChoice?.type === 'none'
  const prompt = rewriteHistory(params.prompt, { ...config, onError, tools, joinsUsers: !isOff })
  // Nothing is shown and no call will be read, but old calls must stay readable, and thoughts may be told apart.
  if (isOff) {
    const same = prompt === params.prompt ? params : { ...params, prompt }
    const request = tools.length === 0 ? same : { ...rest, prompt, providerOptions: carryOptions(params, []) }
    return reasoning ? withTokens(request) : request
  }

  const manual = protocol.formatTools({ tools, toolSystemPromptTemplate })
  const forced = isForced(toolChoice) ? toolChoice : undefined
  const { responseFormat, instruction } = forced ? forcedRequest(forced, tools) : freeRequest(params.responseFormat)
  const request = {
    ...rest,
    responseFormat,
    prompt: addSystemText(prompt, instruction ? `${manual}\n\n${instruction}` : manual, placement),
    providerOptions: carryOptions(params, tools, { droppedTools, toolChoice: forced }),
  }
  if (formatName !== undefined && debugLevel(config.debug) !== 'off') {
    console.log(`[toolglot] asking ${asRecord(model).modelId || 'the model'} in ${formatName}`)
  }
  return withTokens(request)
}

/** A server that is held to JSON could write no call: where one may come, the form of the answer is asked for in words. */
function freeRequest(responseFormat: unknown) {
  const { type, schema } = asRecord(responseFormat)
  if (type !== 'json') return { responseFormat }
  const form = schema === undefined ? 'JSON' : `JSON that fits this schema: ${JSON.stringify(schema)}`
  return { instruction: `When you call no function, answer only with ${form}, and nothing around it.` }
}

/** A choice that leaves the model no choice is made to happen by asking for JSON. */
function forcedRequest({ type, toolName = '' }: ToolChoice, tools: readonly FunctionTool[]) {
  const name = JSON.stringify(toolName)
  const tool = tools.find(each => type === 'tool' && each.name === toolName)
  if (type === 'tool' && !tool) {
    const known = tools.map(each => each.name).join(', ')
    throw new TypeError(
      `toolChoice names ${name}, which is no function tool of this request. Tools that the provider runs itself cannot be chosen for a text model. Known are: ${known}.`,
    )
  }
  const what = tool ? `the function ${name}` : 'one of the functions'
  const example = `{"name": ${tool ? name : '"function_name"'}, "arguments": {…}}`
  return {
    responseFormat: {
      type: 'json',
      schema: tool ? schemaOfCall(tool) : createDynamicIfThenElseSchema(tools),
      name: 'tool_call',
      description: tool?.description,
    },
    instruction: `This time you must call ${what}. Answer only with one JSON object, ${example}, and nothing around it.`,
  }
}

/** The text joins the system message that opens the conversation; without one it becomes one. */
function addSystemText(prompt: readonly Message[], text: string, placement = 'first'): readonly Message[] {
  const [system] = prompt
  if (system?.role !== 'system' || typeof system.content !== 'string')
    return [{ role: 'system', content: text }, ...prompt]
  const content = placement === 'first' ? `${text}\n\n${system.content}` : `${system.content}\n\n${text}`
  return prompt.with(0, { ...system, content: system.content === '' ? text : content })
}
