import { asRecord } from '../is-record.js'
import { isForced } from '../options/parser-options.js'
import {
  isEngineProtocol,
  type ToolCallProtocol,
  type ToolSystemPromptTemplate,
} from '../protocols/protocol.js'
import type { CallParams, Message, ToolChoice } from '../sdk/call-params.js'
import type { FunctionTool } from '../sdk/parts.js'
import { logRequest, type RequestReport } from './debug-log.js'
import { checkForcedChoice, createForcedRequest } from './forced-choice.js'
import { rewriteHistory, withoutOwnMetadata } from './history.js'
import type { MiddlewareConfig } from './options.js'
import {
  type RequestOptions,
  readFunctionTools,
  readRequestOptions,
  withRequestState,
} from './request-options.js'
import { keepSpecialTokens } from './special-tokens.js'

/** What a request offers to the model, and how the conversation looks as text. */
interface Offer {
  readonly tools: readonly FunctionTool[]
  /** Names of tools that the provider would have run itself. */
  readonly droppedTools: readonly string[]
  /** The tool choice, if the model must call a tool. */
  readonly forced: ToolChoice | undefined
  readonly prompt: readonly Message[]
}

/**
 * Rewrites a request for a model that only writes text: puts the tools into the system prompt, and
 * writes the calls and results of the conversation as text.
 */
export function transformParams(
  params: CallParams,
  config: MiddlewareConfig,
  model: unknown,
): CallParams {
  if (config.mode === 'rescue') return withoutOwnMetadata(params)
  const { tools: allTools = [], toolChoice } = params
  const tools = readFunctionTools(allTools)
  const droppedTools = allTools.filter(tool => tool.type !== 'function').map(tool => tool.name)
  const forced = isForced(toolChoice) ? toolChoice : undefined
  const hasOnlyProviderTools = tools.length === 0 && droppedTools.length > 0
  // `tools: [webSearch]`: the provider runs these tools itself, and may be told which one to choose.
  if (hasOnlyProviderTools && forced?.type !== 'required') return params
  if (forced) checkForcedChoice(forced, tools)

  const requestOptions = readRequestOptions(params, config)
  const { onError, reasoning } = requestOptions.parserOptions
  const mayCall = tools.length > 0 && toolChoice?.type !== 'none'
  const prompt = rewriteHistory(params.prompt, { ...config, onError, tools, joinsUsers: mayCall })
  if (!mayCall) {
    const request = withoutTools(params, tools, prompt)
    // Special tokens are needed only if they mark reasoning.
    return reasoning ? withSpecialTokens(request, config, model) : request
  }
  const offer = { tools, droppedTools, forced, prompt }
  const request = withTools(params, offer, config, requestOptions)
  logRequest(describeRequest(params, offer, model, requestOptions), requestOptions, config)
  return withSpecialTokens(request, config, model)
}

/** The request in which no tool may be called. Calls of earlier turns are text all the same. */
function withoutTools(
  params: CallParams,
  tools: readonly FunctionTool[],
  prompt: readonly Message[],
): CallParams {
  if (tools.length === 0) return prompt === params.prompt ? params : { ...params, prompt }
  const { tools: _tools, toolChoice: _toolChoice, ...rest } = params
  return { ...rest, prompt, providerOptions: withRequestState(params, []) }
}

/** The request with the tools in its system prompt. */
function withTools(
  params: CallParams,
  { tools, droppedTools, forced, prompt }: Offer,
  { protocol, toolSystemPromptTemplate, placement }: MiddlewareConfig,
  { parserOptions }: RequestOptions,
): CallParams {
  const { tools: _tools, toolChoice: _toolChoice, ...rest } = params
  const manual = formatTools(protocol, tools, toolSystemPromptTemplate)
  const { responseFormat, instruction } = forced
    ? createForcedRequest(forced, tools, parserOptions.forcedChoice)
    : freeRequest(params.responseFormat)
  // Without a call the answer must be JSON, which models put into a fence.
  const wantsJson = !forced && asRecord(params.responseFormat).type === 'json'
  return {
    ...rest,
    responseFormat,
    prompt: addSystemText(prompt, instruction ? `${manual}\n\n${instruction}` : manual, placement),
    providerOptions: withRequestState(params, tools, {
      droppedTools,
      toolChoice: forced,
      ...(wantsJson ? { wantsJson } : {}),
    }),
  }
}

/** Asks the server to keep special tokens, if the option says so or the format consists of them. */
function withSpecialTokens(
  request: CallParams,
  config: MiddlewareConfig,
  model: unknown,
): CallParams {
  const { protocol } = config
  const hasSpecialTokens = isEngineProtocol(protocol) && protocol.definition.hasSpecialTokens
  const isAsked = config.keepSpecialTokens ?? hasSpecialTokens ?? false
  return isAsked ? keepSpecialTokens(request, model) : request
}

/** What was done to the request, for the debug output. */
function describeRequest(
  params: CallParams,
  { tools, droppedTools, forced, prompt }: Offer,
  model: unknown,
  { parserOptions }: RequestOptions,
): RequestReport {
  const kept = new Set(params.prompt)
  const means = parserOptions.forcedChoice === 'prompt' ? 'the prompt' : 'a JSON Schema'
  return {
    modelId: String(asRecord(model).modelId ?? ''),
    shownTools: tools.map(tool => tool.name),
    droppedTools,
    rewrittenMessages: prompt.filter(message => !kept.has(message)).length,
    forced: forced && `${forced.toolName ?? 'any tool'}, by ${means}`,
  }
}

/**
 * Writes the prompt that shows the tools. A protocol made by `defineProtocol` has its own template;
 * any other protocol gets a default.
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
 * The response format of a request in which the model may call a tool. A server that must answer
 * with JSON could not write a call, so the prompt asks for the JSON instead.
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

/** Adds the text to the first message if that is a system message, else as a new system message. */
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
