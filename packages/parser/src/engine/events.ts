/** What went wrong with a call. The codes are stable and explained in docs/errors.md. */
export interface Problem {
  readonly code: ProblemCode
  readonly message: string
}

export type ProblemCode =
  /** The arguments cannot be read, however tolerantly: `input` holds the raw text. */
  | 'malformed-arguments'
  /** The text ended inside the arguments: `input` holds what came, and is never executed. */
  | 'cut-call'
  /** More text than `maxHeldChars` would have had to be held back to decide what it is; it was given out as text. */
  | 'held-limit'
  /** A forced tool choice was answered with another tool's name; the call carries the forced one. */
  | 'forced-name'

/** What the engine makes of a text. Neighbouring `text`, `reasoning` and `call-delta` events may be split differently by other chunks. */
export type EngineEvent =
  | { readonly type: 'text'; readonly text: string }
  /** What the model thinks, where that is told apart from what it says. */
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call-start'; readonly toolName: string }
  /** More of the call's arguments, as JSON text. */
  | { readonly type: 'call-delta'; readonly delta: string }
  /** `input` is all deltas together; `raw` the call as the model wrote it, `offset` where that began. */
  | CallEndEvent
  /** Markup that stands for nothing, such as a section without a call. */
  | { readonly type: 'markup'; readonly raw: string; readonly offset: number }
  /** Something worth a report that is not tied to a call; `raw` was given out as text. */
  | { readonly type: 'problem'; readonly problem: Problem; readonly raw: string; readonly offset: number }

export interface CallEndEvent {
  readonly type: 'call-end'
  readonly toolName: string
  readonly input: string
  readonly raw: string
  readonly offset: number
  readonly problem: Problem | undefined
}

export type EmitEvent = (event: EngineEvent) => void
