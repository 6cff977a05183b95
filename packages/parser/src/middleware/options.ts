import type { OptionNames } from '../options/check-options.js'
import type { OnError, ReadingOptions } from '../options/parser-options.js'
import type { ToolCallProtocol, ToolSystemPromptTemplate } from '../protocols/protocol.js'
import type { Part, ToolResult } from '../sdk/parts.js'
import type { MediaStrategy } from '../sdk/tool-result.js'

/** Writes a tool's result for the model: a text, or the parts of a user message. */
export type ToolResponsePromptTemplate = (toolResult: ToolResult) => string | readonly Part[]

/** The options of every middleware, whatever its protocol. */
export interface MiddlewareOptions extends ReadingOptions {
  /**
   * Called for every problem with a call, or with a conversation that is rewritten. The codes are in
   * docs/errors.md.
   */
  readonly onError?: OnError | undefined
  /**
   * `prompt`: the tools go into the prompt, and the calls are read from the text. `rescue`: the
   * tools go to the provider as usual. Only calls that it overlooked, in text or in reasoning, are
   * read.
   *
   * @default 'prompt'
   */
  readonly mode?: 'prompt' | 'rescue' | undefined
  /** Writes the prompt that shows the tools, in place of the protocol's own template. */
  readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  /**
   * Writes a tool's result for the model, in place of the protocol: a text, or the parts of a user
   * message. It gets the part of the conversation: `{ type: 'tool-result', toolCallId, toolName,
   * output }`.
   */
  readonly toolResponsePromptTemplate?: ToolResponsePromptTemplate | undefined
  /**
   * Where the tools are added to the system message of the request: before its text or after it.
   *
   * @default 'first'
   */
  readonly placement?: 'first' | 'last' | undefined
  /**
   * What the model gets of files in tool results. `model`: the files. `placeholder`: their names.
   * `auto`: the images, and the names of other files.
   *
   * @default 'auto'
   */
  readonly mediaStrategy?: MediaStrategy | undefined
  /**
   * Asks an OpenAI-compatible server not to strip special tokens; see docs/options.md.
   *
   * @default true if the marks of the format are special tokens
   */
  readonly keepSpecialTokens?: boolean | undefined
  /**
   * Prints to standard error what was done to the request, and then every part (`stream`), or the
   * text with its calls highlighted (`parse`, `true`).
   *
   * @default the environment variable `TOOLGLOT_DEBUG`, else `'off'`
   */
  readonly debug?: boolean | 'off' | 'stream' | 'parse' | undefined
}

/** The options of a middleware, and the protocol that it has chosen for a model. */
export interface MiddlewareConfig extends MiddlewareOptions {
  readonly protocol: ToolCallProtocol
  /** The name of the protocol, and why it was chosen, for the debug output. */
  readonly formatName?: string
  readonly formatReason?: string
}

/** The names of the options of every middleware. */
export const middlewareOptionNames: OptionNames<MiddlewareOptions> = {
  mode: true,
  toolSystemPromptTemplate: true,
  toolResponsePromptTemplate: true,
  placement: true,
  forcedChoice: true,
  reasoning: true,
  startWithReasoning: true,
  callsInReasoning: true,
  keepSpecialTokens: true,
  mediaStrategy: true,
  onError: true,
  onRepair: true,
  tolerance: true,
  emitRawToolCallTextOnError: true,
  stripPreamble: true,
  maxHeldChars: true,
  debug: true,
}
