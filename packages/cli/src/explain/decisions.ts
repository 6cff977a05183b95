import { type FunctionTool, type Repair, repairRules } from '@toolglot/parser'
import type { CallEndEvent, Trace } from '@toolglot/parser/protocol'
import { findChanges } from './changes.js'

/** One decision of the parser, in words. */
export interface Decision {
  readonly type: DecisionType
  readonly offset: number
  readonly message: string
  /** Code of a problem (docs/errors.md) or of a repair (docs/repairs.md). */
  readonly code?: string | undefined
  readonly toolName?: string | undefined
}

export type DecisionType =
  | 'mark'
  | 'call'
  | 'prose'
  | 'quote'
  | 'thought'
  | 'held'
  | 'repaired'
  | 'guessed'
  | 'coerced'
  | 'undeclared'
  | 'problem'

export function describeTrace(trace: Trace, protocolName: string): Decision | undefined {
  const { offset } = trace
  switch (trace.type) {
    case 'mark':
      return { type: 'mark', offset, message: describeMark(trace) }
    case 'commit':
      return {
        type: 'call',
        offset,
        toolName: trace.toolName,
        message: `this is a call of ${trace.toolName}`,
      }
    case 'rollback':
      return { type: 'prose', offset, message: describeRollback(trace, protocolName) }
    case 'leave':
      return trace.isQuote
        ? { type: 'quote', offset, message: 'this is a quotation: its calls are ignored' }
        : undefined
    case 'thought':
      return {
        type: 'thought',
        offset,
        message: `${showMark(trace.mark)} ${trace.turn === 'in' ? 'starts' : 'ends'} reasoning`,
      }
    case 'hold':
      return {
        type: 'held',
        offset,
        message: `${showMark(trace.mark)} in reasoning: a call only if the reasoning is never closed`,
      }
  }
}

type MarkTrace = Extract<Trace, { opensNoCall?: unknown }>

/** `</tool_call>`, but not `</s>`, which ends a turn. */
const isCloseTag = (mark: string) => /^<\/\w{2}/.test(mark)

/** `|<tool_call>` `|</tool_call>` */
function describeMark({ mark, opensNoCall }: MarkTrace): string {
  if (!opensNoCall) return `${showMark(mark)} may open a call`
  if (isCloseTag(mark)) return `${showMark(mark)} is a close mark without a call`
  return `${showMark(mark)} is a mark that opens no call`
}

/** `The |<tool_call> tag` `The |</tool_call> tag` */
function describeRollback({ mark, opensNoCall }: MarkTrace, protocolName: string): string {
  // `For example:⏎get_weather(…)`
  if (mark === '') return 'rolled back: it is no whole call, or only shown, so the line is text'
  if (opensNoCall) return `rolled back: it ends nothing here, so ${showMark(mark)} is text`
  const what = protocolName === 'auto' ? 'no call of a declared tool follows' : 'no call follows'
  return `rolled back: ${what}, so ${showMark(mark)} is text`
}

/** A call in another shape has no mark: its line begins like one. */
const showMark = (mark: string) => (mark === '' ? 'the line' : JSON.stringify(mark))

export interface CallSettings {
  readonly tools: readonly FunctionTool[]
  /** The same call, read without the types of the schema. */
  readonly plain: CallEndEvent | undefined
}

/** Describes what the parser repaired and coerced in a call. */
export function describeCall(call: CallEndEvent, { tools, plain }: CallSettings): Decision[] {
  const { toolName, offset, problem, repairs } = call
  const decisions: Decision[] = []
  if (tools.length > 0 && !tools.some(tool => tool.name === toolName)) {
    decisions.push({
      type: 'undeclared',
      offset,
      toolName,
      message: `${toolName} is not a declared tool`,
    })
  }
  decisions.push(...repairs.map(repair => describeRepair(repair, toolName)))
  if (problem) return decisions
  const changes =
    plain?.toolName === toolName && !plain.problem ? findChanges(plain.input, call.input) : []
  decisions.push(
    ...changes.map(
      ({ path, from, to }): Decision => ({
        type: 'coerced',
        offset: offset + Math.max(0, call.raw.indexOf(lastKey(path))),
        toolName,
        message: `${path}: ${from} -> ${to}, as the schema requires`,
      }),
    ),
  )
  return decisions
}

function describeRepair({ code, message, offset, path }: Repair, toolName: string): Decision {
  const type = repairRules[code].kind === 'guess' ? 'guessed' : 'repaired'
  const where = path === undefined ? '' : `in ${path}: `
  return { type, offset, code, toolName, message: where + message }
}

/** Returns `stops` for `trip.stops[0]`. */
const lastKey = (path: string) => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? path
