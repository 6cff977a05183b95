import { isRecord } from '../is-record.js'
import type { Usage } from '../model-types.js'

/** What an answer has cost; what the server does not say is nothing. */
export function tokensOf({ inputTokens, outputTokens }: Usage): {
  readonly input: number
  readonly output: number
  readonly cached: number | undefined
  readonly reasoning: number | undefined
} {
  return {
    input: inputTokens.total ?? 0,
    output: outputTokens.total ?? 0,
    cached: inputTokens.cacheRead,
    reasoning: outputTokens.reasoning,
  }
}

/**
 * The arguments of a call; undefined where they are cut or cannot be read, so that nobody may run
 * it.
 */
export function readArguments(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input.trim() === '' ? '{}' : input)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
