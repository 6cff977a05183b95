import type { MiddlewareOptions } from '../middleware-options.js'
import type { OnError, ParserOptions, ToolChoice } from '../parser-options.js'
import { isForced, isToolChoice } from '../parser-options.js'
import { isRecord } from '../schema/is-record.js'
import type { FunctionTool, Part } from './parts.js'

/** The call options of a language model, as far as we look at them. */
export interface CallParams {
  readonly prompt: readonly Message[]
  readonly tools?: readonly { readonly type: string; readonly name: string }[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
  readonly [option: string]: unknown
}

export interface Message {
  readonly role: string
  readonly content: string | readonly Part[]
  readonly providerOptions?: unknown
}

/** Where the middleware keeps what it needs from the request to the response. */
export const OPTIONS_KEY = 'toolCallMiddleware'

/** What a user may set for a single call, under `providerOptions.toolCallMiddleware`. The rest reaches the protocol. */
export interface ToolCallOptions
  extends Pick<ParserOptions, 'onError' | 'emitRawToolCallTextOnError' | 'maxHeldChars'> {
  /** Filled with the text that the model wrote and the calls that were found in it, as JSON. */
  readonly debugSummary?: DebugSummary | undefined
  readonly [option: string]: unknown
}

export interface DebugSummary {
  originalText?: string
  toolCalls?: string
}

export function isFunctionTool(tool: unknown): tool is FunctionTool {
  return isRecord(tool) && tool.type === 'function' && typeof tool.name === 'string'
}

/** What stands under our key among the provider options. */
function givenOptions({ providerOptions }: { readonly providerOptions?: unknown }): Record<string, unknown> {
  const given = isRecord(providerOptions) ? providerOptions[OPTIONS_KEY] : undefined
  return isRecord(given) ? given : {}
}

/** The options of one call, with everything that the request left for the response. */
export function readRequestOptions(params: CallParams, defaults: MiddlewareOptions) {
  const { originalTools, toolNames: _, droppedTools, toolChoice, debugSummary, onError, ...own } = givenOptions(params)
  const parserOptions: ParserOptions = {
    ...defaults,
    reasoning: defaults.reasoning ?? false,
    ...own,
    toolChoice: isToolChoice(toolChoice) ? toolChoice : undefined,
    onError: both(defaults.onError, onError),
  }
  return {
    tools: (Array.isArray(originalTools) ? originalTools : (params.tools ?? [])).filter(isFunctionTool),
    /** Tools that the provider would have run itself; a text model cannot. */
    droppedTools: Array.isArray(droppedTools) ? droppedTools.map(String) : [],
    debugSummary: isRecord(debugSummary) ? debugSummary : undefined,
    parserOptions,
  }
}

export type RequestOptions = ReturnType<typeof readRequestOptions>

/** Calls the listener of the middleware and the one of the call. A listener that throws must not break the answer. */
function both(first: unknown, second: unknown): OnError | undefined {
  const listeners = [first, second].filter(each => typeof each === 'function')
  if (listeners.length === 0) return undefined
  return (message, metadata) => {
    for (const listener of listeners) {
      try {
        listener(message, metadata)
      } catch (error) {
        console.error('toolglot: onError threw', error)
      }
    }
  }
}

/** The provider options with what the response needs added to the user's own. */
export function carryOptions(
  params: CallParams,
  tools: readonly FunctionTool[],
  more: { readonly toolChoice?: ToolChoice | undefined; readonly droppedTools?: readonly string[] } = {},
): Readonly<Record<string, unknown>> {
  const carried = {
    originalTools: tools.map(({ type, name, inputSchema }) => ({ type, name, inputSchema })),
    toolNames: tools.map(tool => tool.name),
    ...more,
  }
  return { ...params.providerOptions, [OPTIONS_KEY]: { ...givenOptions(params), ...carried } }
}

/** True where the model was told to call a certain tool, or any: the answer is then asked for as JSON. */
export function isToolChoiceActive(params: Partial<Record<'providerOptions' | 'toolChoice', unknown>>): boolean {
  return isForced(givenOptions(params).toolChoice ?? params.toolChoice)
}
