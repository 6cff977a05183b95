import { asRecord } from '../is-record.js'
import { isForced } from '../options/parser-options.js'
import {
  isEngineProtocol,
  type ToolCallProtocol,
  type ToolSystemPromptTemplate,
} from '../protocols/protocol.js'
import type { CallParams, Message } from '../sdk/call-params.js'
import type { FunctionTool } from '../sdk/parts.js'
import { logRequest } from './debug-log.js'
import { checkForcedChoice, createForcedRequest } from './forced-choice.js'
import { rewriteHistory } from './history.js'
import type { MiddlewareConfig } from './options.js'
import { readFunctionTools, readRequestOptions, withRequestState } from './request-options.js'
import { keepSpecialTokens } from './special-tokens.js'

/** The request: tools into the system prompt, calls and results of the conversation into text. */
export function transformParams(
  params: CallParams,
  config: MiddlewareConfig,
  model: unknown,
): CallParams {
  if (config.mode === 'rescue') return params
  const { tools: allTools = [], toolChoice, ...rest } = params
  const tools = readFunctionTools(allTools)
  const droppedTools = allTools.filter(tool => tool.type !== 'function').map(tool => tool.name)
  const forced = isForced(toolChoice) ? toolChoice : undefined
  const hasOnlyProviderTools = tools.length === 0 && droppedTools.length > 0
  // The provider runs these tools itself, and may also be told which one to choose.
  if (hasOnlyProviderTools && forced?.type !== 'required') return params
  if (forced) checkForcedChoice(forced, tools)

  const { protocol, toolSystemPromptTemplate, placement } = config
  const requestOptions = readRequestOptions(params, config)
  const { onError, reasoning, forcedChoice } = requestOptions.parserOptions
  const { hasSpecialTokens = false } = isEngineProtocol(protocol) ? protocol.definition : {}
  const withTokens = (request: CallParams) =>
    (config.keepSpecialTokens ?? hasSpecialTokens) ? keepSpecialTokens(request, model) : request
  const isOff = tools.length === 0 || toolChoice?.type === 'none'
  const prompt = rewriteHistory(params.prompt, { ...config, onError, tools, joinsUsers: !isOff })
  // Nothing is shown and no call will be read, but old calls must stay readable, and thoughts may
  // be told apart.
  if (isOff) {
    const same = prompt === params.prompt ? params : { ...params, prompt }
    const request =
      tools.length === 0 ? same : { ...rest, prompt, providerOptions: withRequestState(params, []) }
    return reasoning ? withTokens(request) : request
  }

  const manual = formatTools(protocol, tools, toolSystemPromptTemplate)
  const { responseFormat, instruction } = forced
    ? createForcedRequest(forced, tools, forcedChoice)
    : freeRequest(params.responseFormat)
  const request = {
    ...rest,
    responseFormat,
    prompt: addSystemText(prompt, instruction ? `${manual}\n\n${instruction}` : manual, placement),
    providerOptions: withRequestState(params, tools, { droppedTools, toolChoice: forced }),
  }
  const report = {
    modelId: String(asRecord(model).modelId ?? ''),
    shownTools: tools.map(tool => tool.name),
    droppedTools,
    rewrittenMessages: prompt.filter(message => !params.prompt.includes(message)).length,
    forced:
      forced &&
      `${forced.toolName ?? 'any tool'}, by ${forcedChoice === 'prompt' ? 'the prompt' : 'a JSON Schema'}`,
  }
  logRequest(report, requestOptions, config)
  return withTokens(request)
}

/**
 * The prompt that shows the tools. A protocol made from data has a template of its own; any other
 * always gets one.
 */
function formatTools(
  protocol: ToolCallProtocol,
  tools: readonly FunctionTool[],
  template: ToolSystemPromptTemplate | undefined,
): string {
  if (isEngineProtocol(protocol))
    return protocol.formatTools({ tools, toolSystemPromptTemplate: template })
  const fill = template ?? (toolsText => `You can call these tools:\n\n${toolsText}`)
  return protocol.formatTools({
    tools,
    toolSystemPromptTemplate: (toolsText, shownTools = tools) => fill(toolsText, shownTools),
  })
}

/**
 * A server that is held to JSON could write no call: where one may come, the form of the answer is
 * asked for in words.
 */
function freeRequest(responseFormat: unknown) {
  const { type, schema } = asRecord(responseFormat)
  if (type !== 'json') return { responseFormat }
  const form =
    schema === undefined ? 'JSON' : `JSON that fits this schema: ${JSON.stringify(schema)}`
  return {
    instruction: `When you call no function, answer only with ${form}, and nothing around it.`,
  }
}

/** The text joins the system message that opens the conversation; without one it becomes one. */
function addSystemText(
  prompt: readonly Message[],
  text: string,
  placement = 'first',
): readonly Message[] {
  const [system] = prompt
  if (system?.role !== 'system' || typeof system.content !== 'string')
    return [{ role: 'system', content: text }, ...prompt]
  const content =
    placement === 'first' ? `${text}\n\n${system.content}` : `${system.content}\n\n${text}`
  return prompt.with(0, { ...system, content: system.content === '' ? text : content })
}
