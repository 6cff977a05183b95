import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineProtocol, FunctionTool } from '@toolglot/parser'
import { writeDamagedCall } from './damaged-call.js'
import { nextTurn, type Turn } from './script.js'
import type { LanguageModelV3, StreamPart } from './sdk-types.js'

export interface ScriptedModelOptions {
  /** The format of its calls. */
  readonly protocol: EngineProtocol
  /** The tools. A real model reads them from the prompt. */
  readonly declarations: readonly FunctionTool[]
  /** Delay after every few characters. */
  readonly delayMs: number
}

/**
 * A language model that knows one conversation. It gets text and writes text; it has no tools and
 * calls of its own.
 */
export function createScriptedModel({
  protocol,
  declarations,
  delayMs,
}: ScriptedModelOptions): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'toolglot',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async () => {
      throw new Error('The scripted model only streams.')
    },
    doStream: async ({ prompt }) => {
      const text = writeTurn(nextTurn(prompt), protocol, declarations)
      return { stream: toStream(streamText(text, delayMs)) }
    },
  }
}

function writeTurn(
  { say, calls, isDamaged }: Turn,
  protocol: EngineProtocol,
  tools: readonly FunctionTool[],
): string {
  const [first] = calls
  if (!first) return say
  if (isDamaged) return `${say}\n\n${writeDamagedCall(protocol, first, tools)}`
  const toolCalls = calls.map((call, i) => ({ toolCallId: `call-${i}`, ...call }))
  const text =
    protocol.formatToolCalls?.(toolCalls, { tools }) ??
    toolCalls.map(toolCall => protocol.formatToolCall(toolCall, { tools })).join('\n')
  return `${say}\n\n${text}`
}

/** Replaces `ReadableStream.from`, which is missing in the types of browsers. */
function toStream(parts: AsyncGenerator<StreamPart>): ReadableStream<StreamPart> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

async function* streamText(text: string, delayMs: number): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: 'text' }
  for (const delta of splitText(text)) {
    if (delayMs > 0) await sleep(delayMs)
    yield { type: 'text-delta', id: 'text', delta }
  }
  yield { type: 'text-end', id: 'text' }
  yield {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: {
        total: undefined,
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    },
  }
}

/**
 * Splits a text into pieces of three to six characters, about one token each. The lengths alternate,
 * so that marks are cut anywhere.
 */
function* splitText(text: string): Generator<string> {
  const chars = [...text]
  for (let at = 0, count = 0; at < chars.length; count++) {
    const length = 3 + ((count * 7) % 4)
    yield chars.slice(at, at + length).join('')
    at += length
  }
}
