import type { OnTrace, ProblemCode } from './engine/events.js'
import { isRecord } from './schema/is-record.js'

/** What `onError` is told beside the message. */
export interface ErrorMetadata {
  /** Stable; see docs/errors.md. */
  readonly code: ErrorCode
  readonly toolName?: string
  readonly toolCallId?: string
  /** The text as the model wrote it. */
  readonly raw?: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset?: number
}

export type ErrorCode =
  | ProblemCode
  /** A part of the conversation that has no form in text; it was written out as JSON. */
  | 'unknown-part'

export type OnError = (message: string, metadata: ErrorMetadata) => void

/** How an answer is read. */
export interface ReadingOptions {
  /** Called for everything that is wrong with a call, or with a conversation that is rewritten. */
  readonly onError?: OnError | undefined
  /** Gives a call that cannot be read as text instead of as an invalid call. Its input is then not streamed. */
  readonly emitRawToolCallTextOnError?: boolean | undefined
  /** Drops the text of an answer that holds a call. The text before the first call is held until one comes, or the end. */
  readonly stripPreamble?: boolean | undefined
  /** How many characters may be held back while it is not clear what they are. Default: 1,048,576. */
  readonly maxHeldChars?: number | undefined
  /** The prompt has opened a thought, so that the text begins inside of it. */
  readonly startWithReasoning?: boolean | undefined
  /** Calls inside of thoughts are calls. Default: no, but for models that are known to write them there. */
  readonly callsInReasoning?: boolean | undefined
}

/** What a protocol is told about a request, besides its tools. */
export interface ParserOptions extends ReadingOptions {
  /** The choice that the request was made with; a forced one changes how the answer is read. */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * `true`: what the model thinks becomes reasoning. `false`: thinking tags are left as they are. Not given: thinking is
   * text, but an empty thought before any text is left out.
   */
  readonly reasoning?: boolean | undefined
  /** For `parseGeneratedText`: the model was stopped by a limit, so a call that lacks its end is not made whole. */
  readonly isCut?: boolean | undefined
  /** Called for each decision on the way: marks found, calls begun, marks that were prose. */
  readonly onTrace?: OnTrace | undefined
  readonly [option: string]: unknown
}

export interface ToolChoice {
  readonly type: string
  readonly toolName?: string | undefined
}

export function isToolChoice(value: unknown): value is ToolChoice {
  return isRecord(value) && typeof value.type === 'string'
}

/** True where the model was told that it must call a tool. */
export function isForced(toolChoice: unknown): toolChoice is ToolChoice {
  return isToolChoice(toolChoice) && (toolChoice.type === 'required' || toolChoice.type === 'tool')
}
