// Types only: a built-in format as data. The templates have holes such as `$name`:
//
//     call:    <tool_call>{"name": "$name", "arguments": $args}</tool_call>
//     result:  <tool_response>$content</tool_response>
import type { Shape } from '../engine/values/shape.js'
import type { FunctionTool } from '../sdk/parts.js'
import type { CallInput } from '../writing/json-text.js'
import type { functionPrompt, ToolListTemplates } from '../writing/tool-prompt.js'
import type { FormatExtras, ProtocolDefinition } from './protocol.js'

/** The templates that every family of formats has, for `fillTemplate`. */
export interface FormatTemplates extends FormatExtras {
  /**
   * One result. Its holes:
   * - `$content`: text as it is, anything else as JSON
   * - `$json`: JSON, for text too
   * - `$name`, `$id`, `$place`: those of the call
   *
   * Default: `<tool_response>\n$content\n</tool_response>`.
   */
  readonly result?: string | undefined
  /** One result that is an error. Default: `result` with the content `{"error": …}`. */
  readonly errorResult?: string | undefined
  /** All `$results` of one message. Default: `$results`. */
  readonly results?: string | undefined
  /** The text between two results. Default: a line break. */
  readonly resultJoint?: string | undefined
  /** Text that must be escaped in a result, besides the tags of these templates. */
  readonly resultMarks?: readonly string[] | undefined
  /** How the prompt shows the tools. */
  readonly toolsForm?: ToolListTemplates | undefined
  /** Writes the prompt from the tools and the `howTo`. Default: `functionPrompt`. */
  readonly prompt?: typeof functionPrompt | undefined
}

/** A built-in format. Its calls and results are written message by message. */
export interface FormatDefinition
  extends FormatTemplates,
    Pick<ProtocolDefinition, 'grammar' | 'originalToolSchemas'> {
  /** One call: its `$name`, `$args`, `$id`, and `$place` in the message, counted from 1. */
  readonly call: string
  /**
   * Characters that a name cannot have in this format. They are replaced by `_`: a declared tool
   * has none of them, but a model may invent a name.
   */
  readonly notInName?: RegExp | undefined
  /** All `$calls` of one message. Default: `$calls`. */
  readonly calls?: string | undefined
  /** The text between two calls. Default: none. */
  readonly joint?: string | undefined
  /**
   * Writes arguments in a notation other than JSON. Returns `undefined` for arguments that the
   * notation cannot express; they are then written as JSON, which the reader accepts too. `shape`
   * is undefined if the tools of the request are unknown.
   */
  readonly writeArgs?:
    | ((input: CallInput, shape: Shape | undefined, tool: NamedTool) => string | undefined)
    | undefined
  /**
   * Reads each call before it is written. If other arguments come out, they are written as JSON
   * (decision 56).
   */
  readonly isReadBack?: boolean | undefined
  /** Writes the JSON of results. Default: `spacedJson`. */
  readonly writeJson?: ((value: unknown) => string) | undefined
  /** Text that must be escaped in arguments and in results. */
  readonly marks?: readonly string[] | undefined
  /**
   * The id that the model sees for a call and its result. `ordinal` is the position of the call in
   * the conversation, counted from 0. Default: the id itself.
   */
  readonly callId?: ((id: string, name: string, ordinal: number) => string) | undefined
  /** The part of the prompt that explains how to call a function. `sample` writes example calls. */
  readonly howTo: (
    sample: (...calls: readonly SampleCall[]) => string,
    tools: readonly FunctionTool[],
  ) => string
}

/** The name and the JSON Schema of a tool. */
export type NamedTool = Pick<FunctionTool, 'name' | 'inputSchema'>

/** An example call for the prompt. `input` is the arguments, or their JSON text. */
export type SampleCall = readonly [
  name: string,
  input: string | Readonly<Record<string, string | number>>,
]
