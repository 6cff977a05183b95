import { detectProtocol, type FunctionTool, getProtocolInfo } from '@toolglot/parser'
import type { CallEndEvent, Trace } from '@toolglot/parser/protocol'
import { findJsonFault, type JsonFault } from '../input/json-fault.js'
import { type NamedProtocol, readProtocol } from '../protocol-option.js'
import { findChanges } from './changes.js'

/** One decision of the parser, in words. */
export interface Decision {
  readonly type: DecisionType
  readonly offset: number
  readonly message: string
  /** Code of a problem; see docs/errors.md. */
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
  | 'coerced'
  | 'undeclared'
  | 'problem'

export function describeTrace(trace: Trace, protocolName: string): Decision | undefined {
  const { offset } = trace
  switch (trace.type) {
    case 'mark':
      return { type: 'mark', offset, message: `${showMark(trace.mark)} may open a call` }
    case 'commit':
      return {
        type: 'call',
        offset,
        toolName: trace.toolName,
        message: `this is a call of ${trace.toolName}`,
      }
    case 'rollback': {
      const what =
        protocolName === 'auto' ? 'no call of a declared tool follows' : 'no call follows'
      return {
        type: 'prose',
        offset,
        message: `rolled back: ${what}, so ${showMark(trace.mark)} is text`,
      }
    }
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

const showMark = (mark: string) => JSON.stringify(mark)

/** The longest call whose format is detected: reading one in all formats takes time. */
const MAX_DETECT_CHARS = 20_000

export interface CallSettings {
  readonly named: NamedProtocol
  readonly tools: readonly FunctionTool[]
  /** No other call follows in the same markup. */
  readonly isLast: boolean
  /**
   * Detected formats, by the text before the tool's name. A cache: detection reads the call in all
   * formats.
   */
  readonly formats: Map<string, NamedProtocol | undefined>
  /** The same call, read without the types of the schema. */
  readonly plain: CallEndEvent | undefined
}

/** Describes what the parser repaired and coerced in a call. */
export function describeCall(call: CallEndEvent, settings: CallSettings): Decision[] {
  const { tools, isLast, plain } = settings
  const { toolName, offset, problem } = call
  const decisions: Decision[] = []
  if (tools.length > 0 && !tools.some(tool => tool.name === toolName)) {
    decisions.push({
      type: 'undeclared',
      offset,
      toolName,
      message: `${toolName} is not a declared tool`,
    })
  }
  if (problem) return decisions
  const format = formatOf(call, settings)
  const repairs = format ? findRepairs(call, format, isLast) : []
  decisions.push(
    ...repairs.map(
      ({ at, message }): Decision => ({ type: 'repaired', offset: at, toolName, message }),
    ),
  )
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

/** Returns `stops` for `trip.stops[0]`. */
const lastKey = (path: string) => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? path

/** Returns the format of a call; undefined if it is not known. */
function formatOf(
  { raw, toolName }: CallEndEvent,
  { named, tools, formats }: CallSettings,
): NamedProtocol | undefined {
  if (named.name !== 'auto') return named
  const begin = raw.slice(0, Math.max(0, raw.indexOf(toolName)))
  if (formats.has(begin) || raw.length > MAX_DETECT_CHARS) return formats.get(begin)
  const found = detectProtocol({ text: raw, tools })
  formats.set(begin, found && readProtocol(found.protocol))
  return formats.get(begin)
}

const lastMark = /(?:<\/[^<>\s]+>|<[|｜][^<>]*>|\[\/[A-Z_]+\]|```)\s*$/

function findRepairs(call: CallEndEvent, { name, protocol }: NamedProtocol, isLast: boolean) {
  const { raw, offset } = call
  const repairs: { at: number; message: string }[] = []
  // A call as the format itself writes it shows what is a fault: Gemma's keys, for example, have no
  // quotes.
  const sample = protocol.formatToolCall(
    { toolCallId: '', toolName: call.toolName, input: { zz: 'zz' } },
    {},
  )
  const isJson = /json/.test(getProtocolInfo(name)?.grammar ?? '') && !faultIn(sample)
  const fault = isJson ? faultIn(raw) : undefined
  if (fault) repairs.push({ at: offset + fault.at, message: `invalid JSON: ${fault.message}` })
  const close = lastMark.exec(sample)?.[0].trim()
  if (close && isLast && !raw.includes(close)) {
    repairs.push({
      at: offset + raw.trimEnd().length,
      message: `the end mark ${showMark(close)} is missing`,
    })
  }
  return repairs
}

function faultIn(text: string): JsonFault | undefined {
  const brace = text.indexOf('{')
  return brace < 0 ? undefined : findJsonFault(text, brace)
}
