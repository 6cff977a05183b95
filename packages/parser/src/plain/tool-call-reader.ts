import type { CallEndEvent, EngineEvent, Problem, ProblemEvent } from '../engine/events.js'
import type { Repair } from '../engine/repairs.js'
import { createToolCallId } from '../response/tool-call-id.js'
import type { ToolCall } from '../sdk/parts.js'
import { readOptions, type ToolReadingOptions } from './options.js'

/** A call that a model wrote as text. */
export interface ParsedToolCall extends ToolCall {
  /** The arguments as JSON text. It is not JSON if the call has a problem. */
  readonly input: string
  /** Why the call must not be executed; missing if it may be. */
  readonly problem?: Problem | undefined
  /** What was done to read the call beyond the letter of the format, in the order of the text. */
  readonly repairs: readonly Repair[]
  /** The call as the model wrote it. */
  readonly raw: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset: number
}

/** Something that is wrong with a call, or with text that looks like one. */
export interface ToolCallProblem extends Problem {
  /** The tool of the call; missing if the text became no call. */
  readonly toolName?: string
  /** The id of the call; missing if the text became no call. */
  readonly toolCallId?: string
  /** The text that the problem is about, as the model wrote it. */
  readonly raw: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset: number
}

/**
 * An event of a reader. If the text arrives in other chunks, neighbouring `text`, `reasoning` and
 * `call-delta` events may be split at other places.
 */
export type ToolCallEvent =
  /** Text for the user, or reasoning. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call-start'; readonly toolCallId: string; readonly toolName: string }
  /** More of the call's arguments, as JSON text. All of them together are its `input`. */
  | { readonly type: 'call-delta'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'call-end'; readonly call: ParsedToolCall }
  /** That of a call comes right before its `call-end`, which has it too. */
  | { readonly type: 'problem'; readonly problem: ToolCallProblem }

/** Reads an answer piece by piece. */
export interface ToolCallReader {
  /** Reads the next piece of the answer. Returns what it shows. */
  feed(text: string): ToolCallEvent[]
  /**
   * Ends the answer. `isCut`: a limit or an error stopped the model, so arguments without their end
   * are cut, not repaired.
   *
   * @default false
   */
  end(isCut?: boolean): ToolCallEvent[]
}

/**
 * Creates a reader of one answer: pieces of text in, events out, without streams.
 *
 * @example
 * ```ts
 * import { createToolCallReader } from '@toolglot/parser'
 *
 * const tools = { get_weather: { type: 'object', properties: { city: { type: 'string' } } } }
 * const reader = createToolCallReader({ tools, protocol: 'hermes' })
 *
 * const text = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
 * const events = [...reader.feed(text.slice(0, 30)), ...reader.feed(text.slice(30)), ...reader.end()]
 * for (const event of events) if (event.type === 'call-end') console.log(event.call.input)
 * ```
 */
export function createToolCallReader(options: ToolReadingOptions): ToolCallReader {
  return startToolCallReader('createToolCallReader', options)
}

/** Creates a reader. Messages about the options name the function that was called. */
export function startToolCallReader(
  factory: string,
  options: ToolReadingOptions,
  more?: Readonly<Record<string, true>>,
): ToolCallReader {
  const { protocol, tools } = readOptions(factory, options, more)
  const { tolerance, startWithReasoning, callsInReasoning, maxHeldChars } = options
  const { reasoning = true, generateId = createToolCallId } = options
  let events: ToolCallEvent[] = []
  let hasEnded = false
  const toEvents = createEventWriter(generateId)
  const scanner = protocol.createScanner({
    tools,
    options: { tolerance, reasoning, startWithReasoning, callsInReasoning, maxHeldChars },
    emit: event => events.push(...toEvents(event)),
  })
  const take = () => {
    const taken = events
    events = []
    return taken
  }
  return {
    feed(text) {
      if (typeof text !== 'string')
        throw new TypeError(
          `${factory} reads text. Bytes go through new TextDecoderStream() first, and null is no piece of an answer.`,
        )
      if (hasEnded) throw new TypeError(`${factory}: the answer has ended. Create another reader.`)
      scanner.feed(text)
      return take()
    },
    end(isCut = false) {
      if (!hasEnded) scanner.end(isCut)
      hasEnded = true
      return take()
    },
  }
}

/** Returns a function that turns an event of the engine into events with the ids of calls. */
function createEventWriter(generateId: () => string) {
  let toolCallId = ''
  return (event: EngineEvent): ToolCallEvent[] => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return [event]
      case 'call-start':
        toolCallId = generateId()
        return [{ type: 'call-start', toolCallId, toolName: event.toolName }]
      case 'call-delta':
        return [{ type: 'call-delta', toolCallId, delta: event.delta }]
      case 'call-end':
        return endCall(event, toolCallId)
      case 'problem':
        return [toProblem(event, event.problem, toolCallId)]
      case 'markup':
        return []
    }
  }
}

function endCall(event: CallEndEvent, toolCallId: string): ToolCallEvent[] {
  const { toolName, input, raw, offset, problem, repairs } = event
  const call = { toolCallId, toolName, input, repairs, raw, offset, ...(problem && { problem }) }
  const end: ToolCallEvent = { type: 'call-end', call }
  return problem ? [toProblem(event, problem, toolCallId), end] : [end]
}

function toProblem(
  { toolName, raw, offset }: CallEndEvent | ProblemEvent,
  problem: Problem,
  toolCallId: string,
): ToolCallEvent {
  const call = toolName === undefined ? {} : { toolName, toolCallId }
  return { type: 'problem', problem: { ...problem, ...call, raw, offset } }
}
