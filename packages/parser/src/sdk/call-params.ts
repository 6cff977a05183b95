import type { Part } from './parts.js'

/** The call options of a language model, as far as we look at them. */
export interface CallParams {
  readonly prompt: readonly Message[]
  readonly tools?: readonly { readonly type: string; readonly name: string }[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined
  readonly [option: string]: unknown
}

export interface Message {
  readonly role: string
  readonly content: string | readonly Part[]
  readonly providerOptions?: unknown
}

export interface ToolChoice {
  readonly type: string
  readonly toolName?: string | undefined
}
