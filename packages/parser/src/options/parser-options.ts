import type { EmitEvent, OnTrace, ProblemCode } from '../engine/events.js'
import type { Repair, Tolerance } from '../engine/repairs.js'
import type { Scanner } from '../engine/scanner.js'
import { isRecord } from '../is-record.js'
import type { ToolChoice } from '../sdk/call-params.js'
import type { FunctionTool } from '../sdk/parts.js'

/** What `onError` gets besides the message. */
export interface ErrorMetadata {
  /** The kind of problem. Codes are stable; see docs/errors.md. A protocol may add its own codes. */
  readonly code: ErrorCode | (string & Record<never, never>)
  /** The tool of the call that the problem is about. */
  readonly toolName?: string
  /** The id of that call. */
  readonly toolCallId?: string
  /** The text as the model wrote it. */
  readonly raw?: string
  /** Where `raw` begins in the text, in UTF-16 units. */
  readonly offset?: number
  /** More data of a protocol with its own parser. */
  readonly [key: string]: unknown
}

/** The codes of `onError`, each explained in docs/errors.md. */
export type ErrorCode =
  | ProblemCode
  /** A forced tool choice was answered without any call. */
  | 'forced-missing'
  /** The answer had to be JSON; a remark after the fence around the JSON was left out. */
  | 'text-after-json'
  /** A part of the conversation has no form in text; it was written as JSON. */
  | 'unknown-part'
  /** A protocol with its own parser reported a problem without a code. */
  | 'protocol'

/** How a forced tool choice is enforced: by a JSON Schema, or only by the prompt. */
export type ForcedChoice = 'json' | 'prompt'

/** The listener of an application. */
export type OnError = (message: string, metadata: ErrorMetadata) => void

/** `onError` as a protocol gets it: the metadata may be missing, and have any fields. */
export type ReportError = (message: string, metadata?: Readonly<Record<string, unknown>>) => void

/** The call that a repair is about. */
export interface RepairedCall {
  readonly toolCallId: string
  readonly toolName: string
}

/** Called for each repair of a call, before the call is emitted. */
export type OnRepair = (repair: Repair, call: RepairedCall) => void

/** How an answer is read. */
export interface ReadingOptions {
  /**
   * What becomes of a call that is not written to the letter of the format. `exact`: a call with any
   * repair is invalid. `safe`: repairs that have one meaning run; a call that can be read in another
   * way is invalid (`doubtful-call`), and the model is told how to write it. `eager`: all that can be
   * read runs. docs/repairs.md lists the repairs.
   *
   * @default 'safe'
   */
  readonly tolerance?: Tolerance | undefined
  /** Called for each repair of a call, before the call is emitted. */
  readonly onRepair?: OnRepair | undefined
  /**
   * Emits a call that cannot be read as text, not as an invalid call. The input of calls is then not
   * streamed.
   *
   * @default false
   */
  readonly emitRawToolCallTextOnError?: boolean | undefined
  /**
   * Drops the text of an answer that contains a call. The text before the first call is held back
   * until a call comes, or the end.
   *
   * @default false
   */
  readonly stripPreamble?: boolean | undefined
  /**
   * How many characters may be held back while it is not clear whether they are text or a call. At
   * least 1024.
   *
   * @default 1_048_576
   */
  readonly maxHeldChars?: number | undefined
  /**
   * `true`: text in `<think>` tags, or in the format's own marks, is emitted as reasoning. `false`:
   * `<think>` tags stay in the text. A protocol that is used without a middleware has a third way if
   * nothing is set: reasoning is text, but empty reasoning before any text is dropped.
   *
   * @default false
   */
  readonly reasoning?: boolean | undefined
  /**
   * The chat template has opened the reasoning already, so the answer begins inside reasoning.
   *
   * @default false
   */
  readonly startWithReasoning?: boolean | undefined
  /**
   * How a forced tool choice is enforced. `json`: the server gets a JSON Schema of the call as
   * `responseFormat`, and the answer is read as JSON. `prompt`: no response format is sent. The
   * prompt demands a call, and the answer is read in the protocol's own format.
   *
   * @default 'json'
   */
  readonly forcedChoice?: ForcedChoice | undefined
  /**
   * Calls inside reasoning count as calls.
   *
   * @default true for formats whose models write calls there, and in `rescue` mode; else false
   */
  readonly callsInReasoning?: boolean | undefined
}

/** What every protocol gets of a request, besides its tools. */
interface SharedParserOptions extends ReadingOptions {
  /** The tool choice of the request. A forced one changes how the answer is read. */
  readonly toolChoice?: ToolChoice | undefined
  /**
   * Without a call, the answer must be JSON: the request has `responseFormat: { type: 'json' }`. JSON
   * is then a call only of a declared tool with its own keys, and what it quotes is not a call.
   *
   * @default false
   */
  readonly wantsJson?: boolean | undefined
  /**
   * For `parseGeneratedText`: a limit stopped the model, so a call without its end is truncated.
   *
   * @default false
   */
  readonly isCut?: boolean | undefined
  /** Called for each decision of the scanner: a mark was found, a call began, a mark was prose. */
  readonly onTrace?: OnTrace | undefined
  /** JSON Schemas by tool name. Arguments are typed by these instead of the tools' own schemas. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
  /** Options of a protocol with its own parser. */
  readonly [option: string]: unknown
}

/** The options of a built-in protocol that is used without a middleware. */
export interface ParserOptions extends SharedParserOptions {
  /** Called for every problem with a call. */
  readonly onError?: OnError | undefined
}

/** The options that a protocol gets from the middleware. */
export interface ReceivedOptions extends SharedParserOptions {
  /** Reports a problem to the application. It never throws. */
  readonly onError: ReportError
}

/** Returns true if the model must call a tool. */
export function isForced(toolChoice: unknown): toolChoice is ToolChoice {
  return isRecord(toolChoice) && (toolChoice.type === 'required' || toolChoice.type === 'tool')
}

/** The request that an answer belongs to. */
export interface RequestContext {
  /** The function tools of the request. */
  readonly tools: readonly FunctionTool[]
  /** How the answer is read. */
  readonly options?: ParserOptions | undefined
}

/** The request that an answer belongs to, as a protocol gets it from the middleware. */
export interface ReceivedContext extends RequestContext {
  /** How the answer is read. */
  readonly options: ReceivedOptions
}

/** Makes the scanner that reads the answer to a request. */
export type CreateScanner = (options: RequestContext & { readonly emit: EmitEvent }) => Scanner
