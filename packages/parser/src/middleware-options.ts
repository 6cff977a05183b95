import type { DebugLevel } from './debug.js'
import type { ReadingOptions } from './parser-options.js'
import type { ToolCallProtocol, ToolSystemPromptTemplate } from './protocols/tool-call-protocol.js'
import type { MediaStrategy } from './sdk/tool-result.js'

/** The options of every middleware, whatever its protocol. */
export interface MiddlewareOptions extends ReadingOptions {
  /**
   * `prompt`, the default: the tools go into the prompt, and the calls are read from the text. `rescue`: the tools go to the
   * provider as ever; only a call that it overlooks, in text or among thoughts, is read.
   */
  readonly mode?: 'prompt' | 'rescue' | undefined
  /** The prompt that shows the tools; by default the protocol's own. */
  readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  /** Where the tools stand in a system message that is already there. Default: `first`. */
  readonly placement?: 'first' | 'last' | undefined
  /** What becomes of files in tool results. Default: `auto`, which shows images and names other files. */
  readonly mediaStrategy?: MediaStrategy | undefined
  /** Turns what the model thinks (`<think>` and the format's own marks) into reasoning. Default: it is left in the text. */
  readonly reasoning?: boolean | undefined
  /** Asks an OpenAI-compatible server for special tokens. Default: where the format is made of them; see docs/options.md. */
  readonly keepSpecialTokens?: boolean | undefined
  /** Prints what comes in and goes out, like `DEBUG_PARSER_MW`. `true` is `parse`. */
  readonly debug?: boolean | DebugLevel | undefined
}

/** The options of a middleware, and the protocol that it has chosen for a model. */
export interface MiddlewareConfig extends MiddlewareOptions {
  readonly protocol: ToolCallProtocol
  /** Told in the debug output, where there was a choice. */
  readonly formatName?: string
}

const choices: Readonly<Record<string, readonly unknown[]>> = {
  mode: ['prompt', 'rescue'],
  placement: ['first', 'last'],
  mediaStrategy: ['model', 'placeholder', 'auto'],
  debug: [true, false, 'off', 'stream', 'parse'],
}

/** Throws for what no type keeps JavaScript from saying. */
export function checkOptions(options: MiddlewareOptions): void {
  for (const [option, value] of Object.entries<unknown>({ ...options })) {
    const known = choices[option] ?? [value]
    if (value === undefined || known.includes(value)) continue
    const names = known.map(each => JSON.stringify(each)).join(', ')
    throw new TypeError(`${option} is ${JSON.stringify(value)}; it must be ${names.replace(/, ([^,]*)$/, ' or $1')}.`)
  }
  const { maxHeldChars = Number.POSITIVE_INFINITY } = options
  if (!(maxHeldChars >= 1024)) {
    throw new TypeError(`maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1024.`)
  }
}
