import { isRecord } from '../is-record.js'
import { checkOptionValues } from '../options/check-options.js'
import { isForced, type ParserOptions, type ReceivedOptions } from '../options/parser-options.js'
import { unwrapTools } from '../schema/unwrap-schema.js'
import type { CallParams } from '../sdk/call-params.js'
import { OPTIONS_KEY, requestState } from '../sdk/own-metadata.js'
import type { FunctionTool } from '../sdk/parts.js'
import type { MiddlewareOptions } from './options.js'

/**
 * The options of a single request, under `providerOptions.toolCallMiddleware`. Other options are
 * handed to the protocol.
 */
export interface ToolCallOptions extends ParserOptions {
  /** An object that is filled with the calls of the answer when the answer ends. */
  readonly debugSummary?: DebugSummary | undefined
}

/**
 * The calls of an answer. `originalText`: as the model wrote them, separated by blank lines.
 * `toolCalls`: the JSON of `{ toolName, input }[]`.
 */
export type DebugSummary = Partial<Record<'originalText' | 'toolCalls', string>>

const isFunctionTool = (tool: unknown): tool is FunctionTool =>
  isRecord(tool) && tool.type === 'function' && typeof tool.name === 'string'

/**
 * Returns the function tools of a request, with plain JSON Schemas. The provider runs other tools
 * itself.
 */
export const readFunctionTools = (tools: readonly unknown[] = []) =>
  unwrapTools(tools.filter(isFunctionTool))

/** Reads the options of one request, and what `withRequestState` left there for the response. */
export function readRequestOptions(params: CallParams, defaults: MiddlewareOptions) {
  const {
    originalTools,
    toolNames: _,
    droppedTools,
    toolChoice,
    wantsJson,
    debugSummary,
    onError,
    onRepair,
    ...own
  } = requestState(params.providerOptions)
  checkOptionValues(own)
  const parserOptions: ReceivedOptions = {
    ...defaults,
    reasoning: defaults.reasoning ?? false,
    ...own,
    toolChoice: isForced(toolChoice) ? toolChoice : undefined,
    wantsJson: wantsJson === true,
    onError(message, metadata) {
      for (const listener of listeners(defaults.onError, onError))
        callListener('onError', () => listener(message, { code: 'protocol', ...metadata }))
    },
    onRepair(repair, call) {
      for (const listener of listeners(defaults.onRepair, onRepair))
        callListener('onRepair', () => listener(repair, call))
    },
  }
  return {
    tools: readFunctionTools(Array.isArray(originalTools) ? originalTools : params.tools),
    /** Names of tools that the provider would have run itself. */
    droppedTools: Array.isArray(droppedTools) ? droppedTools.map(String) : [],
    debugSummary: isRecord(debugSummary) ? debugSummary : undefined,
    parserOptions,
  }
}

type Listener = (...args: unknown[]) => unknown

/** The listeners of the middleware and of the request. */
const listeners = (...all: readonly unknown[]) => all.filter(isListener)

const isListener = (value: unknown): value is Listener => typeof value === 'function'

/** A listener that throws must not break the answer. */
function callListener(name: string, call: () => unknown): void {
  try {
    call()
  } catch (error) {
    console.error(`toolglot: ${name} threw`, error)
  }
}

export type RequestOptions = ReturnType<typeof readRequestOptions>

/** Returns the provider options of the user, with what the response needs added. */
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
 * Returns true if the tool choice of a request is forced: the model must call a certain tool, or any
 * tool. Reads the request before and after the middleware.
 */
export function isToolChoiceActive(
  params: Partial<Record<'providerOptions' | 'toolChoice', unknown>>,
): boolean {
  return isForced(requestState(params.providerOptions).toolChoice ?? params.toolChoice)
}
