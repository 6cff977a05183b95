import type { ArgumentWriter } from './argument-writer.js'
import type { Problem } from './events.js'
import type { Cursor, Reading } from './text/cursor.js'
import type { MarkRule } from './text/mark-rule.js'
import type { ToolLookup } from './tool-lookup.js'
import type { Shape } from './values/shape.js'

/**
 * Reads what follows an open mark, and alone decides where the call ends. Returns how many trailing
 * characters it read but does not own (they are read again as text), or `undefined` if the mark did
 * not open a call.
 */
export type CallReader = Reading<number | undefined>

/** The output of a reader: a reader begins and ends calls and emits text with it. */
export interface CallOutput {
  /** How many characters a reader may hold back. */
  readonly maxHeldChars: number
  /** The tools of the request. */
  readonly tools: ToolShapes
  /**
   * Begins a call: from here on the mark is certain to have opened one. If a tool is forced, the
   * call gets that name and a `forced-name` problem is reported. Ends the previous call first.
   */
  beginCall(toolName: string): ArgumentWriter
  /** Appends text to the arguments as it is, for a call that cannot be read. */
  appendRaw(text: string): void
  /** Emits the text that was read so far as markup without meaning: the header of a message. */
  emitMarkup(): void
  /** Emits text that contains no call. */
  emitText(text: string): void
  /** Reports a problem that does not stop the call. */
  report(problem: Problem): void
  /** Reports a problem of text that is emitted as text: `raw` begins with the open mark. */
  reportText(problem: Problem, raw: string): void
  /** Nothing but whitespace comes before the mark, in the whole text or after a call. */
  readonly isTextStart: boolean
  /** Nothing but whitespace is between the mark and the call before it. */
  readonly isAfterCall: boolean
  /** Nothing but whitespace comes before the mark in its line. */
  readonly isLineStart: boolean
  /** The text before the mark, since the last call, or the end of it. */
  textBefore(): string
  /** Sets the cursor back, at most to the beginning of the mark or to the end of the last call. */
  rewind(chars: number): void
  /**
   * Tells whether so many characters that were read may be read again. Hostile text would have that
   * happen over and over.
   */
  mayReadAgain(chars: number): boolean
  /** Ends the open call at the cursor. */
  endCall(problem?: Problem): void
}

/** The names of the tools of a request. */
export interface ToolNames {
  /** The model was told that it must call a tool. */
  readonly isForced?: boolean | undefined
  /** The prompt does not show the format, so nothing but a declared tool is called in it. */
  readonly isUnprompted?: boolean | undefined
  /** Returns the names of all tools of the request. */
  names(): readonly string[]
  /** Finds the tool that the model means by a name. */
  readonly lookup: ToolLookup
}

/** The tools of a request, by name, and its tool choice. */
export interface ToolShapes extends ToolNames {
  /** The one tool that must be called, whatever name is written. */
  readonly forcedToolName?: string | undefined
  /** True for a tool of the request, also if its name is spelt in another way. */
  has(written: string): boolean
  /** The shape of the tool's arguments; that of any object for a tool that does not exist. */
  shapeOf(written: string): Shape
}

/** How much a mark proves by itself: how rare it is in text without a call (decision 70). */
export type MarkStrength =
  /** `<|tool_call|>`: a special token. Only a model writes it, and a server may strip it. */
  | 'token'
  /** `<tool_call>`: a tag, which ordinary text mentions at most. */
  | 'tag'
  /** `Action:`: words that open a call at the start of a line. */
  | 'line'
  /** `{`: much of what begins like this is not a call. */
  | 'weak'
  /** `@f`: it opens a call only in answers to its own format. `auto` does not read it elsewhere. */
  | 'own'

/** How surely a mark opens a call. */
export interface MarkProof {
  /** How rare the mark is in text. By default `token` if it is spelt like a special token, else `tag`. */
  readonly strength?: MarkStrength | undefined
  /**
   * In reasoning, the text from the mark on is held until the reasoning ends: if it never does, the
   * mark opens a call. By default so for marks that are neither `weak` nor `own`.
   */
  readonly countsInReasoning?: boolean | undefined
}

/** A literal text that may open a call, and the reader of what follows it. */
export interface Mark extends MarkRule, MarkProof {
  /** The mark opens no call: it is markup without meaning. */
  readonly opensNoCall?: boolean | undefined
  /** `{"name": …}` The format writes a mark before it, which is missing here. */
  readonly lacksMark?: boolean | undefined
  /** The marks that end what this one opens. What they enclose was meant as a call. */
  readonly ends?: readonly string[] | undefined
  /** "```json": reads what the mark opens if it is only shown. Its text is the beginning of the mark. */
  readonly whenShown?: Mark | undefined
  /** The tool, as it was written, if the mark contains its name: `<get_weather`. */
  readonly toolName?: string | undefined
  /** Reads the text after the mark. */
  read(cursor: Cursor, output: CallOutput): CallReader
}

/**
 * The marks by which the calls of a format are known, each with its reader. They depend on the names
 * of the tools only, and are kept for other requests with the same names. A reader finds the tools of
 * the request in `output.tools`.
 */
export type CallGrammar = (tools: ToolNames) => readonly Mark[]
