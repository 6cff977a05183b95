import type { FunctionTool, ParserOptions } from '@toolglot/parser'
import type { CallEndEvent, EngineEvent, Trace } from '@toolglot/parser/protocol'
import { createLineIndex, type Place } from '../line-index.js'
import type { NamedProtocol } from '../protocol-option.js'
import { type Decision, describeCall, describeTrace } from './decisions.js'
import { findSpans, type Span } from './spans.js'

/** The parser's result for a text, and its reasons. */
export interface Analysis {
  readonly text: string
  readonly spans: readonly Span[]
  readonly decisions: readonly PlacedDecision[]
  readonly calls: readonly CallEndEvent[]
  readonly problemCount: number
}

export type PlacedDecision = Decision & Place

export interface AnalysisOptions {
  readonly named: NamedProtocol
  readonly tools: readonly FunctionTool[]
  readonly options: ParserOptions
  readonly isCut: boolean
}

export function analyze(text: string, settings: AnalysisOptions): Analysis {
  const { named, tools, options, isCut } = settings
  const events: EngineEvent[] = []
  const decisions: Decision[] = []
  const traces: Trace[] = []
  const addTrace = (trace: Trace) => {
    traces.push(trace)
    const decision = describeTrace(trace, named.name)
    if (decision) decisions.push(decision)
  }
  const scanner = named.protocol.createScanner({
    tools,
    options: { ...options, onTrace: addTrace },
    emit(event) {
      events.push(event)
      if (event.type === 'problem') decisions.push(problemDecision(event.problem, event.offset))
    },
  })
  if (options.startWithReasoning) {
    decisions.push({ type: 'thought', offset: 0, message: 'the text starts with reasoning' })
  }
  scanner.feed(text)
  scanner.end(isCut)
  // Calls in reasoning count only if the reasoning is never closed.
  const lastTurn = traces.findLast(trace => trace.type === 'thought')
  if (lastTurn ? lastTurn.turn === 'in' : options.startWithReasoning) {
    decisions.push({
      type: 'thought',
      offset: text.length,
      message: 'the reasoning is never closed',
    })
  }
  const calls = events.filter(event => event.type === 'call-end')
  const plainCalls = readWithoutTypes(text, settings)
  for (const [i, call] of calls.entries()) {
    if (call.problem) decisions.push(problemDecision(call.problem, call.offset))
    // Calls can be compared only if both readings found the same number.
    const plain = plainCalls.length === calls.length ? plainCalls[i] : undefined
    decisions.push(...describeCall(call, { tools, plain }))
  }
  const lines = createLineIndex()
  lines.add(text)
  // Decisions at the same place keep their order.
  const sorted = decisions.map((decision, i) => ({ decision, i })).sort(byPlace)
  return {
    text,
    spans: findSpans(text, events),
    decisions: sorted.map(({ decision }) => ({ ...decision, ...lines.placeOf(decision.offset) })),
    calls,
    problemCount: decisions.filter(({ type }) => type === 'problem').length,
  }
}

interface Ordered {
  readonly decision: Decision
  readonly i: number
}

const byPlace = (a: Ordered, b: Ordered) => a.decision.offset - b.decision.offset || a.i - b.i

function problemDecision(
  { code, message }: { code: string; message: string },
  offset: number,
): Decision {
  return { type: 'problem', offset, code, message }
}

/** Reads the calls again without the types of the schemas, to see which values were coerced. */
function readWithoutTypes(
  text: string,
  { named, tools, options, isCut }: AnalysisOptions,
): CallEndEvent[] {
  const calls: CallEndEvent[] = []
  const scanner = named.protocol.createScanner({
    tools: tools.map(({ type, name }) => ({ type, name, inputSchema: { type: 'object' } })),
    options,
    emit(event) {
      if (event.type === 'call-end') calls.push(event)
    },
  })
  scanner.feed(text)
  scanner.end(isCut)
  return calls
}
