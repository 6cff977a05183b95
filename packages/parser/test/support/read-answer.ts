import type { FunctionTool, ParserOptions } from '@toolglot/parser'
import type { EmitEvent, EngineEvent } from '../../src/engine/events.js'
import type { Mark } from '../../src/engine/grammar.js'
import { createMarkFinders } from '../../src/engine/mark-finders.js'
import type { ReasoningOptions } from '../../src/engine/reasoning-marks.js'
import { createScanner, type Scanner, type ScannerOptions } from '../../src/engine/scanner.js'
import type { EngineProtocol } from '../../src/protocols/protocol.js'

/** The one way in which tests feed an answer to a scanner and collect what it emits. */

export interface ReadRequest {
  readonly protocol: EngineProtocol
  readonly tools: readonly FunctionTool[]
  readonly chunks: readonly string[]
  /** The model was stopped by a limit. */
  readonly isCut?: boolean | undefined
  readonly options?: ParserOptions | undefined
}

/** What the scanner did with an answer. */
export interface ReadAnswer {
  readonly events: readonly EngineEvent[]
  /** How many events had been emitted after each chunk. */
  readonly emittedAfter: readonly number[]
  /** A call was open when the last chunk had been read, before the end was announced. */
  readonly endsInsideCall: boolean
}

export function readAnswer({
  protocol,
  tools,
  chunks,
  isCut = false,
  options = {},
}: ReadRequest): ReadAnswer {
  return feedScanner(emit => protocol.createScanner({ tools, options, emit }), chunks, isCut)
}

/** Feeds a scanner that is not one of a protocol. */
export function feedScanner(
  create: (emit: EmitEvent) => Scanner,
  chunks: readonly string[],
  isCut = false,
): ReadAnswer {
  const events: EngineEvent[] = []
  const emittedAfter: number[] = []
  const scanner = create(event => events.push(event))
  for (const chunk of chunks) {
    scanner.feed(chunk)
    emittedAfter.push(events.length)
  }
  const endsInsideCall = scanner.isInsideCall()
  scanner.end(isCut)
  return { events, emittedAfter, endsInsideCall }
}

/** The events as they were emitted. */
export function readEvents(request: ReadRequest): readonly EngineEvent[] {
  return readAnswer(request).events
}

/** The events that must be the same for any chunks: neighbouring texts and deltas are joined. */
export function readMerged(request: ReadRequest): EngineEvent[] {
  return mergeEvents(readEvents(request))
}

export function mergeEvents(events: readonly EngineEvent[]): EngineEvent[] {
  const merged: EngineEvent[] = []
  for (const event of events) {
    const last = merged.at(-1)
    const joined = last && joinEvents(last, event)
    if (joined) merged[merged.length - 1] = joined
    else merged.push(event)
  }
  return merged
}

/** One event in place of two; undefined if they cannot be joined. */
function joinEvents(left: EngineEvent, right: EngineEvent): EngineEvent | undefined {
  if (left.type === 'text' && right.type === 'text')
    return { type: 'text', text: left.text + right.text }
  if (left.type === 'reasoning' && right.type === 'reasoning')
    return { type: 'reasoning', text: left.text + right.text }
  if (left.type === 'call-delta' && right.type === 'call-delta')
    return { type: 'call-delta', delta: left.delta + right.delta }
  return undefined
}

/**
 * A part of an answer as a vector writes it: text, reasoning, or a call with its input
 * as a value (`raw` if that is not JSON).
 */
export type Piece =
  | string
  | { readonly reasoning: string }
  | { readonly tool: string; readonly input: unknown }
  | { readonly tool: string; readonly raw: string }

export interface ReadPieces {
  readonly pieces: Piece[]
  /** The codes of the reported problems, and what was wrong with the order of the events. */
  readonly problems: string[]
}

/** Reads an answer as a vector describes it. */
export function readPieces(request: ReadRequest): ReadPieces {
  return piecesOf(readEvents(request))
}

/** Reads an answer with marks that belong to no protocol, as a vector describes it. */
export function scanPieces(
  { marks, tools, thinking = asText }: ScanOptions,
  chunks: readonly string[],
  isCut = false,
): ReadPieces {
  const finders = createMarkFinders(marks, thinking)
  const create = (emit: EmitEvent) => createScanner({ finders, tools, thinking, emit })
  return piecesOf(feedScanner(create, chunks, isCut).events)
}

/** Reasoning is text, by default. */
export type ScanOptions = Pick<ScannerOptions, 'tools'> & {
  readonly marks: readonly Mark[]
  readonly thinking?: ReasoningOptions
}

const asText: ReasoningOptions = {
  marks: [],
  mode: 'text',
  startsInReasoning: false,
  callsInReasoningCount: false,
}

function piecesOf(events: readonly EngineEvent[]): ReadPieces {
  const pieces: Piece[] = []
  for (const event of events) addPiece(pieces, event)
  return { pieces, problems: [...problemsOf(events), ...disorderOf(events)] }
}

/** Adds what an event says to the pieces. A report between two texts does not part them. */
function addPiece(pieces: Piece[], event: EngineEvent): void {
  const last = pieces.at(-1)
  if (event.type === 'text') {
    if (typeof last === 'string') pieces[pieces.length - 1] = last + event.text
    else pieces.push(event.text)
  } else if (event.type === 'reasoning') {
    if (typeof last === 'object' && 'reasoning' in last)
      pieces[pieces.length - 1] = { reasoning: last.reasoning + event.text }
    else pieces.push({ reasoning: event.text })
  } else if (event.type === 'call-end') pieces.push(callPiece(event.toolName, event.input))
}

function callPiece(tool: string, input: string): Piece {
  try {
    return { tool, input: JSON.parse(input) }
  } catch {
    return { tool, raw: input }
  }
}

function problemsOf(events: readonly EngineEvent[]): string[] {
  return events.flatMap(event => {
    const isReport = event.type === 'call-end' || event.type === 'problem'
    return isReport && event.problem ? [event.problem.code] : []
  })
}

/**
 * What is wrong with the order of the events: each call starts, gets its input and ends, and no
 * text comes in between.
 */
export function disorderOf(events: readonly EngineEvent[]): string[] {
  const wrong: string[] = []
  let open: { readonly toolName: string; input: string } | undefined
  for (const event of events) {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        if (open) wrong.push(`${event.type} inside a call: ${event.text}`)
        if (event.text === '') wrong.push(`an empty ${event.type}`)
        break
      case 'call-start':
        if (open) wrong.push(`a call of ${event.toolName} inside a call of ${open.toolName}`)
        open = { toolName: event.toolName, input: '' }
        break
      case 'call-delta':
        if (!open) wrong.push(`a delta outside a call: ${event.delta}`)
        if (event.delta === '') wrong.push('an empty delta')
        if (open) open.input += event.delta
        break
      case 'call-end':
        if (open?.toolName !== event.toolName)
          wrong.push(`the end of ${event.toolName} without a start`)
        else if (open.input !== event.input)
          wrong.push(`the deltas are not the input: ${open.input}`)
        open = undefined
    }
  }
  if (open) wrong.push(`a call of ${open.toolName} that did not end`)
  return wrong
}

/** What `read` returns, or what it throws, so that a test can say for which chunks it threw. */
export function tryTo(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}
