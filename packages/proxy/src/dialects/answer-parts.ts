import { isRecord } from '../is-record.js'
import type { Content, Usage } from '../model-types.js'
import { randomId } from './random-id.js'

/** Returns the tokens of an answer. Totals that the server does not report are 0. */
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
 * Parses the arguments of a call. Returns undefined if they were cut off or cannot be read: the
 * call must not be run then.
 */
export function readArguments(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input.trim() === '' ? '{}' : input)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The text that a client gets for a call that it must not run. */
export function unreadableCall(toolName: string, input: string): string {
  return `[A call of ${toolName} that is cut off or cannot be read: ${input}]`
}

/**
 * Gives a new id to each call that has the id of another one. Some servers write `call_0` for each;
 * nobody could tell which result is of which call.
 */
export function withOwnCallIds(content: readonly Content[]): Content[] {
  const ids = new Set<string>()
  return content.map(part => {
    if (part.type !== 'tool-call') return part
    const toolCallId = ids.has(part.toolCallId) ? randomId('call_') : part.toolCallId
    ids.add(toolCallId)
    return { ...part, toolCallId }
  })
}
