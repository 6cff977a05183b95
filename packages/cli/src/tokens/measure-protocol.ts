import { isDeepStrictEqual } from 'node:util'
import type { FunctionTool } from '@toolglot/parser'
import type { GivenCall } from '../input/read-calls.js'
import type { NamedProtocol } from '../protocol-option.js'
import { writeSystemPrompt } from './system-prompt.js'
import type { TokenCounter } from './token-counter.js'

export interface ProtocolTokens {
  readonly protocol: string
  /** Tokens that the tools add to the input of every request. */
  readonly manual: number
  /** Tokens of the calls, each written by itself. */
  readonly calls: number
  readonly total: number
  /** What changed when the calls were read back; undefined if nothing did. */
  readonly loss?: string | undefined
}

export interface MeasureOptions {
  readonly tools: readonly FunctionTool[]
  readonly calls: readonly GivenCall[]
  readonly counter: TokenCounter
}

export async function measureProtocol(
  { name, protocol }: NamedProtocol,
  { tools, calls, counter }: MeasureOptions,
): Promise<ProtocolTokens> {
  const manual = counter.count(await writeSystemPrompt({ protocol: name, tools }))
  let written = 0
  let loss: string | undefined
  for (const call of calls) {
    const text = protocol.formatToolCall({ toolCallId: 'call-0', ...call }, { tools })
    written += counter.count(text)
    loss ??= findLoss(protocol.parseGeneratedText({ text, tools }), call)
  }
  return {
    protocol: name,
    manual,
    calls: written,
    total: manual + written,
    ...(loss === undefined ? {} : { loss }),
  }
}

function findLoss(
  parts: readonly { readonly type: string; readonly toolName?: string; readonly input?: string }[],
  { toolName, input }: GivenCall,
): string | undefined {
  const [found, ...others] = parts.filter(part => part.type === 'tool-call')
  if (!found) return `the call of ${toolName} is not found`
  if (others.length) return `the call of ${toolName} is read as several calls`
  if (found.toolName !== toolName)
    return `the call of ${toolName} is read as a call of ${found.toolName}`
  if (!isDeepStrictEqual(parseJson(found.input ?? ''), input))
    return `the arguments of ${toolName} change`
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
