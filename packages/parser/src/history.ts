import type { OnError } from './parser-options.js'
import type { FormatContext, ToolCallProtocol } from './protocols/tool-call-protocol.js'
import { isRecord } from './schema/is-record.js'
import type { Message } from './sdk/call-params.js'
import { isTextContent, type Part, type TextContent, type ToolCall, type ToolResult } from './sdk/parts.js'
import { filesOfResult, type MediaStrategy } from './sdk/tool-result.js'

export interface HistoryOptions {
  readonly protocol: ToolCallProtocol
  readonly context: FormatContext
  readonly mediaStrategy: MediaStrategy
  readonly onError?: OnError | undefined
  /** Joins user messages in a row even where there are no results: many chat templates want the roles to take turns. */
  readonly joinsUsers: boolean
}

/** Parts of an assistant's message that a text model takes as they are. */
const plainParts = new Set(['text', 'reasoning', 'reasoning-file', 'file', 'custom', 'tool-result'])

/**
 * Rewrites a conversation for a model that knows only text: calls as the model itself would write them, results as the
 * user's words. Messages that hold neither are handed on as the same objects, and so is a conversation of these.
 */
export function rewriteHistory(prompt: readonly Message[], options: HistoryOptions): readonly Message[] {
  // Results become the user's words, next to those that are.
  const joins = options.joinsUsers || prompt.some(message => message.role === 'tool')
  const messages = joinNeighbours(
    prompt.flatMap(each => rewriteMessage(each, options)),
    (left, right) => (joins && left.role === 'user' && right.role === 'user' ? joinMessages(left, right) : undefined),
  )
  const isSame = messages.length === prompt.length && messages.every((message, i) => message === prompt[i])
  return isSame ? prompt : messages
}

function rewriteMessage(message: Message, options: HistoryOptions): readonly Message[] {
  const { role, content } = message
  if (typeof content === 'string') return [message]
  if (role === 'assistant') return [rewriteAssistant(message, content, options)]
  return role === 'tool' ? rewriteTool(message, content, options) : [message]
}

/** `providerExecuted`: the provider ran it, and knows it in its own form. */
function isOwnCall(part: Part): part is Part & ToolCall {
  return (
    part.type === 'tool-call' && isRecord(part) && part.providerExecuted !== true && typeof part.toolName === 'string'
  )
}

function rewriteAssistant(message: Message, content: readonly Part[], options: HistoryOptions): Message {
  const isNative = (part: Part) => plainParts.has(part.type) || (part.type === 'tool-call' && !isOwnCall(part))
  if (content.every(isNative)) return message
  const { protocol, context, onError } = options
  const parts = content.map(part => {
    if (isNative(part) || isOwnCall(part)) return part
    const raw = JSON.stringify(part)
    const problem = `a part of type ${JSON.stringify(part.type)} has no form in text and was written out as JSON`
    onError?.(problem, { code: 'unknown-part', raw })
    return textPart(raw, part)
  })
  const write = (calls: readonly ToolCall[]) =>
    protocol.formatToolCalls?.(calls, context) ?? calls.map(call => protocol.formatToolCall(call, context)).join('\n')
  return { ...message, content: writeRuns(parts, isOwnCall, write) }
}

function isResult(part: Part): part is Part & ToolResult {
  return part.type === 'tool-result' && 'toolName' in part && 'output' in part
}

function rewriteTool(message: Message, content: readonly Part[], options: HistoryOptions): readonly Message[] {
  const { protocol, mediaStrategy } = options
  const others = content.filter(part => !isResult(part))
  // A result's files stand right behind it.
  const results = content.filter(isResult).flatMap(result => [result, ...filesOfResult(result, mediaStrategy)])
  const write = (run: readonly ToolResult[]) =>
    protocol.formatToolResponses?.(run) ?? run.map(result => protocol.formatToolResponse(result)).join('\n')
  // What is no result (an answer to a provider's question) is the provider's to understand.
  return [
    ...(others.length ? [{ ...message, content: others }] : []),
    ...(results.length ? [{ ...message, role: 'user', content: writeRuns(results, isResult, write) }] : []),
  ]
}

/** The parts in their order, with neighbours of the one kind written as one text. */
function writeRuns<Member extends Part>(
  parts: readonly Part[],
  isMember: (part: Part) => part is Member,
  write: (run: readonly Member[]) => string,
): Part[] {
  const runs = joinNeighbours<Part | Member[]>(
    parts.map(part => (isMember(part) ? [part] : part)),
    (left, right) => (Array.isArray(left) && Array.isArray(right) ? [...left, ...right] : undefined),
  )
  return condense(runs.map(run => (Array.isArray(run) ? textPart(write(run), ...run) : run)))
}

function joinMessages(left: Message, right: Message): Message {
  const parts = [left, right].flatMap(({ content }) => (typeof content === 'string' ? textPart(content) : content))
  return { ...left, ...right, content: condense(parts), ...mergedOptions(left, right) }
}

/** Neighbouring texts become one: many chat templates take only one. Files keep their place. */
function condense(parts: readonly Part[]): Part[] {
  return joinNeighbours(parts, (left, right) => {
    if (!isTextContent(left) || !isTextContent(right)) return undefined
    const gap = left.text === '' || right.text === '' || left.text.endsWith('\n') ? '' : '\n'
    return textPart(left.text + gap + right.text, left, right)
  })
}

/** The items in their order, with neighbours made one where `join` does so. */
function joinNeighbours<Item>(items: readonly Item[], join: (left: Item, right: Item) => Item | undefined): Item[] {
  const joined: Item[] = []
  for (const item of items) {
    const last = joined.at(-1)
    const both = last && join(last, item)
    joined.splice(both ? -1 : joined.length, 1, both ?? item)
  }
  return joined
}

/** A text with the provider options of what it is made of. */
function textPart(text: string, ...sources: readonly object[]): TextContent {
  return { type: 'text', text, ...mergedOptions(...sources) }
}

/** The provider options of several messages or parts, provider by provider. Those of a result may stand in its output. */
function mergedOptions(...sources: readonly object[]): { providerOptions?: Record<string, unknown> } {
  const merged: Record<string, unknown> = {}
  for (const source of sources.flatMap(each => [each, 'output' in each ? each.output : undefined])) {
    const { providerOptions } = isRecord(source) ? source : {}
    for (const [provider, options] of Object.entries(isRecord(providerOptions) ? providerOptions : {})) {
      const before = merged[provider]
      merged[provider] = isRecord(before) && isRecord(options) ? { ...before, ...options } : options
    }
  }
  return Object.keys(merged).length ? { providerOptions: merged } : {}
}
