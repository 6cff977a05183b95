// Writes the prompt side of a conversation: the tools, and then calls and their results as the model
// would see them in its own format.
import type { Problem } from '../engine/events.js'
import { type WritingContext, writeCalls, writeResults } from '../middleware/history.js'
import { groupRuns } from '../middleware/join-messages.js'
import type { ToolCall, ToolResult } from '../sdk/parts.js'
import { unreadCallOutput } from '../sdk/tool-result.js'
import { readCallInput } from '../writing/json-text.js'
import { readOptions, type ToolTextOptions } from './options.js'

/** A call that is written as text: one of `parseToolCalls`, or any other. */
export interface RenderedToolCall extends ToolCall {
  /** The arguments: JSON text or a value. */
  readonly input: unknown
  /** Why the call could not be read. It is written as the model wrote it. */
  readonly problem?: Problem | undefined
  /** The call as the model wrote it. */
  readonly raw?: string | undefined
}

/** The result of a call: `{ ...call, output }`. */
export interface RenderedToolResult extends Omit<ToolCall, 'input'> {
  /** What the tool returned: a text, or a value that is written as JSON. */
  readonly output?: unknown
  /**
   * The tool failed, and `output` says why.
   *
   * @default false
   */
  readonly isError?: boolean | undefined
  /** The call could not be read. The model is told so, and `output` is ignored. */
  readonly problem?: Problem | undefined
}

/** The options of `renderCalls` and `renderResults`. */
export interface RenderOptions extends ToolTextOptions {
  /**
   * How many calls the conversation contains before these. Formats such as Kimi's number them.
   *
   * @default 0
   */
  readonly callsBefore?: number | undefined
}

/**
 * Writes the tools and how to call them, for the system prompt. Returns '' if there are no tools.
 *
 * @example
 * ```ts
 * import { renderTools } from '@toolglot/parser'
 *
 * const tools = { get_weather: { type: 'object', properties: { city: { type: 'string' } } } }
 * console.log(renderTools({ tools, protocol: 'hermes' }).includes('<tool_call>')) // true
 * ```
 */
export function renderTools(options: ToolTextOptions): string {
  const { protocol, tools } = readOptions('renderTools', options)
  return tools.length === 0 ? '' : protocol.formatTools({ tools })
}

/**
 * Writes the calls of one message as the model writes them, for the conversation.
 *
 * @example
 * ```ts
 * import { renderCalls } from '@toolglot/parser'
 *
 * const tools = { get_weather: { type: 'object', properties: { city: { type: 'string' } } } }
 * const call = { toolCallId: '1', toolName: 'get_weather', input: { city: 'Paris' } }
 * console.log(renderCalls([call], { tools, protocol: 'line' })) // @get_weather city=Paris
 * ```
 */
export function renderCalls(calls: readonly RenderedToolCall[], options: RenderOptions): string {
  const context = createContext('renderCalls', options, calls)
  const runs = groupRuns(calls, call => unreadText(call) === undefined)
  const written = runs.map(run => {
    const unread = run[0] && unreadText(run[0])
    return unread ?? writeCalls(context, run.map(withValue))
  })
  return written.join('\n')
}

/**
 * Writes the results of the calls of one message, for a message of the user. They come in the order
 * of their calls, since most formats show only by the order which call a result belongs to.
 *
 * @example
 * ```ts
 * import { renderResults } from '@toolglot/parser'
 *
 * const tools = { get_weather: { type: 'object', properties: { city: { type: 'string' } } } }
 * const result = { toolCallId: '1', toolName: 'get_weather', output: { sky: 'clear' } }
 * console.log(renderResults([result], { tools, protocol: 'line' }))
 * ```
 */
export function renderResults(
  results: readonly RenderedToolResult[],
  options: RenderOptions,
): string {
  const context = createContext('renderResults', options, results)
  return results.length === 0 ? '' : writeResults(context, results.map(toToolResult))
}

/** The protocol and the tools, and the position of each call in the conversation. */
function createContext(
  factory: string,
  options: RenderOptions,
  calls: readonly Pick<ToolCall, 'toolCallId'>[],
): WritingContext {
  const { callsBefore = 0 } = options
  const positions = calls.map(
    ({ toolCallId }, index) => [toolCallId, { index, ordinal: callsBefore + index }] as const,
  )
  const read = readOptions(factory, options, { callsBefore: true })
  return { ...read, callPositions: new Map(positions) }
}

/** `<tool_call>{"name": …` A call that could not be read, as the model wrote it. */
const unreadText = ({ problem, raw }: RenderedToolCall) => (problem ? raw : undefined)

/** `{"city":"Paris"}`: arguments that are JSON text are written as a value, with spaces. */
function withValue(call: ToolCall): ToolCall {
  const { args } = readCallInput(call)
  return args ? { ...call, input: args } : call
}

function toToolResult({
  toolCallId,
  toolName,
  output,
  isError = false,
  problem,
}: RenderedToolResult): ToolResult {
  if (problem) return { toolCallId, toolName, output: unreadCallOutput(problem.message) }
  const kind = typeof output === 'string' ? 'text' : 'json'
  const type = isError ? `error-${kind}` : kind
  return { toolCallId, toolName, output: { type, value: output ?? null } }
}
