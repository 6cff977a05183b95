import type { ArgumentWriter } from './argument-writer.js'
import type { Problem } from './events.js'
import type { Cursor, Reading } from './text/cursor.js'
import type { MarkRule } from './text/find-mark.js'
import type { Shape } from './values/shape.js'

/**
 * A grammar that reads what follows an open mark, and alone decides where the call ends. It tells
 * how many of the characters that it read last do not belong to the markup; undefined where there
 * was no call behind the mark.
 */
export type CallReader = Reading<number | undefined>

/** What a body may do to the world. */
export interface CallOutput {
  readonly maxHeldChars: number
  readonly tools: ToolShapes
  /**
   * Commits: from here on this is a call of that tool, or of the one that is forced; then it is
   * told that another was written. Closes the call before it.
   */
  beginCall(toolName: string): ArgumentWriter
  /** Puts text into the arguments as it stands, for a call that cannot be read. */
  appendRaw(text: string): void
  /** What was read so far stands for nothing, such as the header of a message. */
  emitMarkup(): void
  /** Gives out text that holds no call. */
  emitText(text: string): void
  /** Tells of something that does not stop the call. */
  report(problem: Problem): void
  /**
   * Sets the cursor back by so many characters, at most to the beginning of the mark or behind the
   * last call.
   */
  rewind(chars: number): void
  /** Ends the open call, at the cursor. */
  endCall(problem?: Problem): void
}

/** The tools of a request, by name, and what was asked of the model. */
export interface ToolShapes {
  /** The model was told that it must call a tool. */
  readonly isForced?: boolean | undefined
  /** The tool that must be called whatever name is written, where it is one. */
  readonly forcedToolName?: string | undefined
  has(toolName: string): boolean
  names(): readonly string[]
  /**
   * The shape of the arguments of a call with that name; an object of which nothing is known for a
   * tool that does not exist.
   */
  shapeOf(toolName: string): Shape
}

/** A text that may open a call, and the grammar behind it. */
export interface Mark extends MarkRule {
  /** It opens no call. */
  readonly opensNoCall?: boolean | undefined
  read(cursor: Cursor, port: CallOutput): CallReader
}

/** The marks by which a format is known in a text, each with its body. */
export type CallGrammar = (tools: ToolShapes) => readonly Mark[]
