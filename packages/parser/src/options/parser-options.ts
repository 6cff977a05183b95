import type { EmitEvent, OnTrace, ProblemCode } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import { isRecord } from '../is-record.js'
import type { ToolChoice } from '../sdk/call-params.js'
import type { FunctionTool } from '../sdk/parts.js'

/** What `onError` is told besides the message. */
export interface ErrorMetadata {
  /** Stable; see docs/errors.md. A protocol of one's own may have codes of its own. */
  readonly code: ErrorCode | (string & Record<never, never>)
  readonly toolName?: string
  readonly toolCallId?: string
  /** The text as the model wrote it. */
  readonly raw?: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset?: number
  /** Whatever else a protocol of one's own tells. */
  readonly [key: string]: unknown
}

export type ErrorCode =
  | ProblemCode
  /** A forced tool choice was answered without any call. */
  | 'forced-missing'
  /** A part of the conversation that has no form in text; it was written out as JSON. */
  | 'unknown-part'
  /** Reported by a protocol of one's own, without a code. */
  | 'protocol'

export type ForcedChoice = 'json' | 'prompt'

/** The listener that an application gives. */
export type OnError = (message: string, metadata: ErrorMetadata) => void

/** `onError` as the author of a protocol gets it: the metadata may be left out, or be anything. */
export type ReportError = (message: string, metadata?: Readonly<Record<string, unknown>>) => void

/** How an answer is read. */
export interface ReadingOptions {
  /**
   * Gives a call that cannot be read as text instead of as an invalid call. Its input is then not
   * streamed.
   */
  readonly emitRawToolCallTextOnError?: boolean | undefined
  /**
   * Drops the text of an answer that holds a call. The text before the first call is held until one
   * comes, or the end.
   */
  readonly stripPreamble?: boolean | undefined
  /**
   * How many characters may be held back while it is not clear what they are. Default: 1,048,576.
   */
  readonly maxHeldChars?: number | undefined
  /**
   * `true`: what the model thinks (`<think>` and the format's own marks) becomes reasoning.
   * `false`, the default of every middleware: thinking tags are left as they are. Not given:
   * thinking is text, but an empty thought before any text is left out.
   */
  readonly reasoning?: boolean | undefined
  /** The prompt has opened a thought, so that the text begins inside of it. */
  readonly startWithReasoning?: boolean | undefined
  /**
   * How a forced tool choice is made to happen. `json`, the default: the server gets a JSON Schema
   * of the call as `responseFormat`, and the answer is read as JSON. `prompt`: no response format
   * is sent; the model is told to call, and the answer is read in the protocol's own format.
   */
  readonly forcedChoice?: ForcedChoice | undefined
  /**
   * Calls inside of thoughts are calls. Default: no, but for models that are known to write them
   * there.
   */
  readonly callsInReasoning?: boolean | undefined
}

/** What every protocol is told about a request, besides its tools. */
interface SharedParserOptions extends ReadingOptions {
  /** The choice that the request was made with; a forced one changes how the answer is read. */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * For `parseGeneratedText`: the model was stopped by a limit, so a call that lacks its end is not
   * made whole.
   */
  readonly isCut?: boolean | undefined
  /** Called for each decision on the way: marks found, calls begun, marks that were prose. */
  readonly onTrace?: OnTrace | undefined
  /**
   * JSON Schemas by the names of tools: arguments are typed by these, in place of the tools' own.
   */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
  readonly [option: string]: unknown
}

/** The options of the built-in protocols, where they are used without a middleware. */
export interface ParserOptions extends SharedParserOptions {
  /** Called for everything that is wrong with a call. */
  readonly onError?: OnError | undefined
}

/** The options that the middleware hands to a protocol. */
export interface ReceivedOptions extends SharedParserOptions {
  /** Reports something to the application. It never throws. */
  readonly onError: ReportError
}

/** True where the model was told that it must call a tool. */
export function isForced(toolChoice: unknown): toolChoice is ToolChoice {
  return isRecord(toolChoice) && (toolChoice.type === 'required' || toolChoice.type === 'tool')
}

/** What must be known of a request to read the answer. */
export interface RequestContext {
  readonly tools: readonly FunctionTool[]
  readonly options?: ParserOptions | undefined
}

/** The same as the middleware hands it to a protocol. */
export interface ReceivedContext extends RequestContext {
  readonly options: ReceivedOptions
}

/** Makes the scanner that reads the answer to a request. */
export type CreateScanner = (options: RequestContext & { readonly emit: EmitEvent }) => Scanner
