import type { CallPosition } from '../protocols/protocol.js'
import type { Message } from '../sdk/call-params.js'
import { readUnreadMetadata } from '../sdk/own-metadata.js'
import type { FunctionTool, Part, ToolCall, ToolResult } from '../sdk/parts.js'
import { filesOfResult } from '../sdk/tool-result.js'
import { condense, condenseMessage, groupRuns, joinRuns, textPart } from './join-messages.js'
import type { MiddlewareConfig } from './options.js'

interface HistoryOptions extends MiddlewareConfig {
  readonly tools: readonly FunctionTool[]
  /**
   * Joins user messages in a row even where there are no results: many chat templates want the
   * roles to take turns.
   */
  readonly joinsUsers: boolean
}

/**
 * Parts of an assistant's message that a text model takes as they are, but for the calls of our own
 * tools.
 */
const knownParts = new Set([
  'text',
  'reasoning',
  'reasoning-file',
  'file',
  'custom',
  'tool-result',
  'tool-call',
])

const isOwnCall = (part: Part): part is Part & ToolCall =>
  part.type === 'tool-call' && part.providerExecuted !== true && part.toolName !== undefined

const isResult = (part: Part): part is Part & ToolResult =>
  part.type === 'tool-result' && part.toolName !== undefined && part.output !== undefined

/**
 * Rewrites a conversation for a model that knows only text: calls as the model itself would write
 * them, results as the user's words. Messages that hold neither are handed on as the same objects,
 * and so is a conversation of these.
 */
export function rewriteHistory(
  prompt: readonly Message[],
  options: HistoryOptions,
): readonly Message[] {
  const {
    protocol,
    tools,
    onError,
    mediaStrategy = 'auto',
    toolResponsePromptTemplate: template,
  } = options
  /** Where the calls stand, and what was wrong with those that could not be read. */
  const callPositions = new Map<string, CallPosition & { readonly problem: string | undefined }>()
  const context = { tools, callPositions }
  let ordinal = 0

  const writeCalls = (calls: readonly ToolCall[]) =>
    protocol.formatToolCalls?.(calls, context) ??
    calls.map(call => protocol.formatToolCall(call, context)).join('\n')
  const writeResults = (results: readonly ToolResult[]) =>
    protocol.formatToolResponses?.(results, context) ??
    results.map(result => protocol.formatToolResponse(result, context)).join('\n')

  const rewriteAssistant = (message: Message, content: readonly Part[]): Message => {
    const isKept = (part: Part) => knownParts.has(part.type) && !isOwnCall(part)
    if (content.every(isKept)) return message
    let index = 0
    const parts = content.map(part => {
      if (isKept(part)) return part
      if (isOwnCall(part)) {
        const { raw, problem } = readUnreadMetadata(part) ?? {}
        callPositions.set(part.toolCallId, { index: index++, ordinal: ordinal++, problem })
        return raw === undefined ? part : textPart(raw, [part])
      }
      const raw = JSON.stringify(part)
      const problem = `a part of type ${JSON.stringify(part.type)} has no form in text and was written out as JSON`
      onError?.(problem, { code: 'unknown-part', raw })
      return textPart(raw, [part])
    })
    const runs = groupRuns(parts, isOwnCall)
    const written = runs.flatMap(run =>
      run.every(isOwnCall) ? textPart(writeCalls(run), run) : run,
    )
    return { ...message, content: condense(written) }
  }

  /** The results of one message as parts of a user message. */
  const writeUserParts = (results: readonly ToolResult[]): readonly Part[] => {
    const files = (result: ToolResult) => filesOfResult(result, mediaStrategy)
    // Files come after all results, which may be one section.
    if (!template) return [textPart(writeResults(results), results), ...results.flatMap(files)]
    const parts = results.flatMap(result => {
      const written = template(result)
      return typeof written === 'string' ? [textPart(written, [result]), ...files(result)] : written
    })
    return condense(parts)
  }

  const rewriteTool = (message: Message, content: readonly Part[]): Message[] => {
    const others = content.filter(part => !isResult(part))
    // They come as the tools were done. Most formats tell by the order alone which call a result
    // answers.
    const ordinalOf = ({ toolCallId }: ToolResult) =>
      callPositions.get(toolCallId)?.ordinal ?? Number.MAX_VALUE
    const inOrder = content
      .filter(isResult)
      .sort((left, right) => ordinalOf(left) - ordinalOf(right))
    // The SDK's own words are about JSON, which the model may never have written.
    const results = inOrder.map(result => {
      const { problem } = callPositions.get(result.toolCallId) ?? {}
      const value = `This call could not be read, and nothing was done: ${problem}. Write it again.`
      return problem === undefined ? result : { ...result, output: { type: 'error-text', value } }
    })
    const said = results.length > 0 ? writeUserParts(results) : []
    // What is no result (an answer to a provider's question) is the provider's to understand.
    const messages = [
      { ...message, content: others },
      { ...message, role: 'user', content: said },
    ]
    return messages.filter(each => each.content.length > 0)
  }

  // Results of one message may come in several.
  const rewritten = joinRuns(prompt, message => message.role === 'tool').flatMap(message => {
    const { role, content } = message
    if (typeof content === 'string') return [message]
    if (role === 'tool') return rewriteTool(message, content)
    return [role === 'assistant' ? rewriteAssistant(message, content) : message]
  })
  // Results become the user's words, next to those that are.
  const joins = options.joinsUsers || prompt.some(message => message.role === 'tool')
  const messages = joinRuns(rewritten, message => joins && message.role === 'user')
  const isSame =
    messages.length === prompt.length && messages.every((message, i) => message === prompt[i])
  const isRewritten = options.joinsUsers || !isSame
  return isRewritten ? messages.map(condenseMessage) : prompt
}
