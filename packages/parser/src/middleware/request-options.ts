import { isRecord } from '../is-record.js'
import { checkOptionValues } from '../options/check-options.js'
import { isForced, type ParserOptions, type ReceivedOptions } from '../options/parser-options.js'
import { unwrapTools } from '../schema/unwrap-schema.js'
import type { CallParams } from '../sdk/call-params.js'
import { OPTIONS_KEY, requestState } from '../sdk/own-metadata.js'
import type { FunctionTool } from '../sdk/parts.js'
import type { MiddlewareOptions } from './options.js'

/**
 * What a user may set for a single call, under `providerOptions.toolCallMiddleware`. The rest
 * reaches the protocol.
 */
export interface ToolCallOptions extends ParserOptions {
  /**
   * Filled with the calls as the model wrote them, joined by blank lines, and with the JSON of `{
   * toolName, input }[]`.
   */
  readonly debugSummary?: DebugSummary | undefined
}

export type DebugSummary = Partial<Record<'originalText' | 'toolCalls', string>>

const isFunctionTool = (tool: unknown): tool is FunctionTool =>
  isRecord(tool) && tool.type === 'function' && typeof tool.name === 'string'

/**
 * The function tools of a request, with plain JSON Schemas. Other tools are run by the provider.
 */
export const readFunctionTools = (tools: readonly unknown[] = []) =>
  unwrapTools(tools.filter(isFunctionTool))

/** The options of one call, with everything that the request left for the response. */
export function readRequestOptions(params: CallParams, defaults: MiddlewareOptions) {
  const {
    originalTools,
    toolNames: _,
    droppedTools,
    toolChoice,
    debugSummary,
    onError,
    ...own
  } = requestState(params.providerOptions)
  checkOptionValues(own)
  const listeners = [defaults.onError, onError].filter(each => typeof each === 'function')
  const parserOptions: ReceivedOptions = {
    ...defaults,
    reasoning: defaults.reasoning ?? false,
    ...own,
    toolChoice: isForced(toolChoice) ? toolChoice : undefined,
    onError(message, metadata) {
      for (const listener of listeners) {
        // A listener that throws must not break the answer.
        try {
          listener(message, { code: 'protocol', ...metadata })
        } catch (error) {
          console.error('toolglot: onError threw', error)
        }
      }
    },
  }
  return {
    tools: readFunctionTools(Array.isArray(originalTools) ? originalTools : params.tools),
    /** Tools that the provider would have run itself; a text model cannot. */
    droppedTools: Array.isArray(droppedTools) ? droppedTools.map(String) : [],
    debugSummary: isRecord(debugSummary) ? debugSummary : undefined,
    parserOptions,
  }
}

export type RequestOptions = ReturnType<typeof readRequestOptions>

/** The provider options with what the response needs added to the user's own. */
export function withRequestState(
  params: CallParams,
  tools: readonly FunctionTool[],
  more: object = {},
) {
  const carried = {
    originalTools: tools.map(({ type, name, inputSchema }) => ({ type, name, inputSchema })),
    toolNames: tools.map(tool => tool.name),
    ...more,
  }
  return {
    ...params.providerOptions,
    [OPTIONS_KEY]: { ...requestState(params.providerOptions), ...carried },
  }
}

/**
 * True where the model was told to call a certain tool, or any: the answer is then asked for as
 * JSON.
 */
export function isToolChoiceActive(
  params: Partial<Record<'providerOptions' | 'toolChoice', unknown>>,
): boolean {
  return isForced(requestState(params.providerOptions).toolChoice ?? params.toolChoice)
}
