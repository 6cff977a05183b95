import type { ToolReadingOptions } from './options.js'
import {
  type ParsedToolCall,
  startToolCallReader,
  type ToolCallEvent,
  type ToolCallProblem,
} from './tool-call-reader.js'

/** The options of `parseToolCalls`. */
export interface ParseToolCallsOptions extends ToolReadingOptions {
  /**
   * A limit stopped the model (`finish_reason` is `length`), so arguments without their end are cut,
   * not repaired.
   *
   * @default false
   */
  readonly isCut?: boolean | undefined
}

/** What an answer contains. */
export interface ParsedAnswer {
  /** The text for the user, without calls and reasoning. */
  readonly text: string
  /** The reasoning. A blank line separates what text or a call is between. */
  readonly reasoning: string
  /** The calls, in order. One with a `problem` must not be executed. */
  readonly calls: readonly ParsedToolCall[]
  /** All problems, in order: those of calls, and of text that looks like a call. */
  readonly problems: readonly ToolCallProblem[]
}

/**
 * Reads the calls of a whole answer.
 *
 * @example
 * ```ts
 * import { parseToolCalls } from '@toolglot/parser'
 *
 * const tools = { get_weather: { type: 'object', properties: { city: { type: 'string' } } } }
 * const answer = `Let me look.
 * <tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>`
 *
 * const { text, calls } = parseToolCalls(answer, { tools, protocol: 'hermes' })
 * console.log(text.trim()) // Let me look.
 * console.log(calls[0]?.input) // {"city":"Paris"}
 * ```
 */
export function parseToolCalls(text: string, options: ParseToolCallsOptions): ParsedAnswer {
  const reader = startToolCallReader('parseToolCalls', options, { isCut: true })
  return collectEvents([...reader.feed(text), ...reader.end(options.isCut)])
}

function collectEvents(events: readonly ToolCallEvent[]): ParsedAnswer {
  const texts: string[] = []
  const thoughts: string[] = []
  const calls: ParsedToolCall[] = []
  const problems: ToolCallProblem[] = []
  events.forEach((event, i) => {
    if (event.type === 'text') texts.push(event.text)
    if (event.type === 'call-end') calls.push(event.call)
    if (event.type === 'problem') problems.push(event.problem)
    if (event.type !== 'reasoning') return
    const isContinued = thoughts.length === 0 || events[i - 1]?.type === 'reasoning'
    thoughts.push(isContinued ? event.text : `\n\n${event.text}`)
  })
  return { text: texts.join(''), reasoning: thoughts.join(''), calls, problems }
}
