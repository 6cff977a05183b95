/** What went wrong with a call. The codes are stable and explained in docs/errors.md. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: string
}

export type ProblemCode =
  /** The arguments cannot be read, however tolerantly: `input` contains the raw text. */
  | 'malformed-arguments'
  /** The text ended inside the arguments: `input` contains what came, and is never executed. */
  | 'cut-call'
  /**
   * More text than `maxHeldChars` would have had to be held back to decide what it is; it was given
   * out as text.
   */
  | 'held-limit'
  /**
   * A forced tool choice was answered with another tool's name; the call carries the forced one.
   */
  | 'forced-name'
  /**
   * A forced tool choice was answered with the name of a tool that does not exist; the call carries
   * that name.
   */
  | 'unknown-tool'

export const CUT: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }
export const malformed = (message: string): Problem => ({ code: 'malformed-arguments', message })

/**
 * What the engine makes of a text. Neighbouring `text`, `reasoning` and `call-delta` events may be
 * split differently by other chunks.
 */
export type EngineEvent =
  /** Text for the user, and reasoning if that is emitted as such. */
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'call-start'; readonly toolName: string }
  /** More of the call's arguments, as JSON text. */
  | { readonly type: 'call-delta'; readonly delta: string }
  /**
   * `input` is all deltas together; `raw` the call as the model wrote it, `offset` where that
   * began.
   */
  | CallEndEvent
  /** Markup without meaning, such as a section without a call. */
  | { readonly type: 'markup'; readonly raw: string; readonly offset: number }
  | ProblemEvent

/** Something worth a report that does not stop a call. */
export interface ProblemEvent {
  readonly type: 'problem'
  readonly problem: Problem
  /** The tool of the open call, if it is about that call; otherwise `raw` was emitted as text. */
  readonly toolName?: string | undefined
  readonly raw: string
  readonly offset: number
}

export interface CallEndEvent {
  readonly type: 'call-end'
  readonly toolName: string
  readonly input: string
  readonly raw: string
  readonly offset: number
  readonly problem: Problem | undefined
}

/**
 * What the scanner decides on the way to its events, for someone who wants to know why. Offsets as
 * in the events.
 */
export type Trace =
  /**
   * `mark`: a call may begin there. `rollback`: it was prose, and the text after it is read again.
   * `hold`: it is inside reasoning, and counts only if that is never closed.
   */
  | { readonly type: 'mark' | 'rollback' | 'hold'; readonly mark: string; readonly offset: number }
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

export type OnTrace = (trace: Trace) => void

export type EmitEvent = (event: EngineEvent) => void
