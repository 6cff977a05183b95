import type { Repair } from './repairs.js'

/** What went wrong with a call. The codes are stable and explained in docs/errors.md. */
export interface Problem {
  /** The kind of problem. */
  readonly code: ProblemCode
  /** What was found and what was expected. The model gets this text too. */
  readonly message: string
}

/** The kind of a problem. The codes are stable and explained in docs/errors.md. */
export type ProblemCode =
  /** The arguments cannot be read, however tolerantly: `input` contains the raw text. */
  | 'malformed-arguments'
  /** The text ended inside the arguments: `input` contains what came, and is never executed. */
  | 'cut-call'
  /**
   * More text than `maxHeldChars` would have had to be held back to decide what it is; it was
   * emitted as text.
   */
  | 'held-limit'
  /**
   * A forced tool choice was answered with another tool's name; the call has the forced name.
   */
  | 'forced-name'
  /**
   * A forced tool choice was answered with the name of a tool that does not exist; the call has
   * that name.
   */
  | 'unknown-tool'
  /**
   * The arguments can be read in several ways, or were repaired although `tolerance` is `exact`:
   * `input` contains what was read and then the raw text, and is never executed.
   */
  | 'doubtful-call'
  /** Text between the marks of a call, or a whole answer, looks like a call and names no tool. */
  | 'suspected-call'

export const CUT: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }
export const malformed = (message: string): Problem => ({ code: 'malformed-arguments', message })

/**
 * An event of the engine. If the text arrives in other chunks, neighbouring `text`, `reasoning` and
 * `call-delta` events may be split at other places.
 */
export type EngineEvent =
  /** Text for the user, and reasoning if that is emitted as such. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call-start'; readonly toolName: string }
  /** More of the call's arguments, as JSON text. */
  | { readonly type: 'call-delta'; readonly delta: string }
  | CallEndEvent
  /** Markup without meaning, such as a section without a call. */
  | { readonly type: 'markup'; readonly raw: string; readonly offset: number }
  | ProblemEvent

/** A problem that does not stop a call. */
export interface ProblemEvent {
  /** Always `problem`. */
  readonly type: 'problem'
  /** The kind of problem, and its description. */
  readonly problem: Problem
  /** The tool of the open call, if it is about that call; otherwise `raw` was emitted as text. */
  readonly toolName?: string | undefined
  /** The text that the problem is about, as the model wrote it. */
  readonly raw: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset: number
}

/** The end of a call. It carries the problem of the call, if there is one (decision 2). */
export interface CallEndEvent {
  /** Always `call-end`. */
  readonly type: 'call-end'
  /** The name of the tool. */
  readonly toolName: string
  /** The arguments as JSON text: all `call-delta` events together. */
  readonly input: string
  /** The call as the model wrote it. */
  readonly raw: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset: number
  /** Why the call cannot be read or is incomplete; undefined for a call that can be executed. */
  readonly problem: Problem | undefined
  /** What was done to read it beyond the letter of the format, in the order of the text. */
  readonly repairs: readonly Repair[]
}

/**
 * A decision of the scanner. A trace shows why the events are what they are. Offsets are those of
 * the events.
 */
export type Trace =
  /**
   * `mark`: a call may begin there. `rollback`: it was prose, and the text after it is read again.
   * `hold`: it is inside reasoning, and counts only if that is never closed.
   */
  | {
      readonly type: 'mark' | 'rollback' | 'hold'
      readonly mark: string
      readonly offset: number
      /** `|</tool_call>` It is a close mark without a call, or a mark without meaning. */
      readonly opensNoCall?: true | undefined
    }
  /** It is a call of that tool. */
  | { readonly type: 'commit'; readonly toolName: string; readonly offset: number }
  /** What the mark opened has ended. `isQuote`: it contained text. */
  | { readonly type: 'leave'; readonly offset: number; readonly isQuote: boolean }
  | {
      readonly type: 'thought'
      readonly turn: 'in' | 'out'
      readonly mark: string
      readonly offset: number
    }

/** Takes the decisions of a scanner: the option `onTrace`. */
export type OnTrace = (trace: Trace) => void

/** Takes the events of a scanner. */
export type EmitEvent = (event: EngineEvent) => void
