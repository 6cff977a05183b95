import { asRecord, isRecord } from '../is-record.js'
import {
  isForced,
  type MiddlewareOptions,
  type ParserOptions,
  type ReceivedOptions,
  type ToolChoice,
} from '../middleware/options.js'
import { checkOptionValues } from '../options/check-options.js'
import { unwrapTools } from '../schema/unwrap-schema.js'
import type { FunctionTool, Part, ToolCall } from './parts.js'

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

/**
 * Where the middleware keeps what it needs from the request to the response, and from there to the
 * next request.
 */
export const OPTIONS_KEY = 'toolCallMiddleware'

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

/** What stands under our key among the options of a provider, or its metadata. */
export const requestState = (options: unknown) => asRecord(asRecord(options)[OPTIONS_KEY])

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

/**
 * What a call that cannot be read carries as its metadata: as it was written, and what is wrong
 * with it. The SDK hands it back with the conversation, where it has put an empty input in place of
 * the text; so the model can be shown what it wrote, and why that was no call.
 */
export const unreadMetadata = (raw: string, problem: string) => ({
  [OPTIONS_KEY]: { raw, problem },
})

/** What `asUnread` made, as it came back; unless someone has put the call right since. */
export function readUnreadMetadata(call: ToolCall & { readonly providerOptions?: unknown }) {
  const { raw, problem } = requestState(call.providerOptions)
  const isEmpty = typeof call.input === 'string' || Object.keys(asRecord(call.input)).length === 0
  return isEmpty && typeof raw === 'string' && typeof problem === 'string'
    ? { raw, problem }
    : undefined
}
