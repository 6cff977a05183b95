import type { Part } from './parts.js'

/** The call options of a language model: the fields that we read. */
export interface CallParams {
  readonly prompt: readonly Message[]
  readonly tools?: readonly { readonly type: string; readonly name: string }[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
  readonly [option: string]: unknown
}

/** A message of the conversation: the fields that we read. */
export interface Message {
  readonly role: string
  readonly content: string | readonly Part[]
  readonly providerOptions?: unknown
}

/** The tool choice of a request. */
export interface ToolChoice {
  /** `auto`, `none`, `required` (any tool) or `tool` (the tool `toolName`). */
  readonly type: string
  /** The tool that must be called, if `type` is `tool`. */
  readonly toolName?: string | undefined
}
