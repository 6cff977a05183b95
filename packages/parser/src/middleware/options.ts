import type { OptionNames } from '../options/check-options.js'
import type { OnError, ReadingOptions } from '../options/parser-options.js'
import type { ToolCallProtocol, ToolSystemPromptTemplate } from '../protocols/protocol.js'
import type { Part, ToolResult } from '../sdk/parts.js'
import type { MediaStrategy } from '../sdk/tool-result.js'

export type ToolResponsePromptTemplate = (toolResult: ToolResult) => string | readonly Part[]

/** The options of every middleware, whatever its protocol. */
export interface MiddlewareOptions extends ReadingOptions {
  /** Called for everything that is wrong with a call, or with a conversation that is rewritten. */
  readonly onError?: OnError | undefined
  /**
   * `prompt`, the default: the tools go into the prompt, and the calls are read from the text.
   * `rescue`: the tools go to the provider as ever; only a call that it overlooks, in text or among
   * thoughts, is read.
   */
  readonly mode?: 'prompt' | 'rescue' | undefined
  /** The prompt that shows the tools; by default the protocol's own. */
  readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  /**
   * Writes a tool's result for the model, in place of the protocol: a text, or the parts of a user
   * message. It gets the part of the conversation: `{ type: 'tool-result', toolCallId, toolName,
   * output }`.
   */
  readonly toolResponsePromptTemplate?: ToolResponsePromptTemplate | undefined
  /** Where the tools stand in a system message that is already there. Default: `first`. */
  readonly placement?: 'first' | 'last' | undefined
  /**
   * What becomes of files in tool results. Default: `auto`, which shows images and names other
   * files.
   */
  readonly mediaStrategy?: MediaStrategy | undefined
  /**
   * Asks an OpenAI-compatible server for special tokens. Default: where the format is made of them;
   * see docs/options.md.
   */
  readonly keepSpecialTokens?: boolean | undefined
  /**
   * Prints to standard error what was done to the request, and every part (`stream`) or the text
   * with its calls marked (`parse`, `true`). In place of `TOOLGLOT_DEBUG`.
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
  emitRawToolCallTextOnError: true,
  stripPreamble: true,
  maxHeldChars: true,
  debug: true,
}
