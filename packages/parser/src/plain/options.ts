import { autoProtocolOf, getProtocol, type ProtocolLike } from '../formats/registry.js'
import { checkOptionNames, checkOptionValues, type OptionNames } from '../options/check-options.js'
import type { ReadingOptions } from '../options/parser-options.js'
import { type EngineProtocol, isEngineProtocol } from '../protocols/protocol.js'
import { type AnyTools, readTools } from '../schema/read-tools.js'
import type { FunctionTool } from '../sdk/parts.js'

/** The tools of a conversation, and the format in which the model calls them. */
export interface ToolTextOptions {
  /**
   * The tools, in any usual shape: a list of OpenAI's, Anthropic's or MCP's tools, or an object with
   * tools of the AI SDK or JSON Schemas by their names.
   */
  readonly tools: AnyTools
  /**
   * How the model writes calls: the name of a built-in protocol, a protocol, or a function that
   * returns one. `auto` asks in the format that `modelId` suggests, and reads the formats of all
   * models.
   *
   * @default 'auto'
   */
  readonly protocol?: ProtocolLike | undefined
  /** The id of the model, from which `auto` chooses the format to ask in: `Qwen/Qwen3-Coder-30B`. */
  readonly modelId?: string | undefined
}

/** How an answer is read: all options may be passed to the functions that write text, too. */
export interface ToolReadingOptions
  extends ToolTextOptions,
    Pick<ReadingOptions, 'tolerance' | 'startWithReasoning' | 'callsInReasoning' | 'maxHeldChars'> {
  /**
   * `true`: text in `<think>` tags, or in the format's own marks, is reasoning. `false`: `<think>`
   * tags stay in the text.
   *
   * @default true
   */
  readonly reasoning?: boolean | undefined
  /**
   * Makes the id of a call, which models do not write in most formats.
   *
   * @default random ids: `call_8f3k…`
   */
  readonly generateId?: (() => string) | undefined
}

/** The names of the options of all functions here, so that one object can be passed to all. */
const optionNames: OptionNames<ToolReadingOptions> = {
  tools: true,
  protocol: true,
  modelId: true,
  tolerance: true,
  reasoning: true,
  startWithReasoning: true,
  callsInReasoning: true,
  maxHeldChars: true,
  generateId: true,
}

/** The protocol and the tools of some options. */
export interface ReadOptions {
  readonly protocol: EngineProtocol
  readonly tools: readonly FunctionTool[]
}

/** Checks the options of a function. `more` names those that only this function has. */
export function readOptions(
  factory: string,
  options: ToolTextOptions,
  more: Readonly<Record<string, true>> = {},
): ReadOptions {
  checkOptionNames(factory, options, { ...optionNames, ...more })
  checkOptionValues(options)
  return { protocol: findProtocol(factory, options), tools: readTools(options.tools) }
}

function findProtocol(
  factory: string,
  { protocol: given = 'auto', modelId = '' }: ToolTextOptions,
): EngineProtocol {
  if (given === 'auto') return autoProtocolOf(modelId).protocol
  if (typeof given === 'string') return getProtocol(given)
  const protocol = typeof given === 'function' ? given() : given
  if (isEngineProtocol(protocol)) return protocol
  throw new TypeError(
    `${factory} takes the name of a protocol, or a protocol of defineProtocol. One with a parser of its own is used by its methods.`,
  )
}
