import { asRecord } from '../is-record.js'
import type { CallPosition, FormatContext, ToolCallProtocol } from '../protocols/protocol.js'
import type { CallParams, Message } from '../sdk/call-params.js'
import { isOwnKey, readUnreadMetadata } from '../sdk/own-metadata.js'
import type { FunctionTool, Part, ToolCall, ToolResult } from '../sdk/parts.js'
import { filesOfResult, unreadCallOutput } from '../sdk/tool-result.js'
import { escapeControlTokens } from '../writing/control-tokens.js'
import { condense, condenseMessage, groupRuns, joinRuns, textPart } from './join-messages.js'
import type { MiddlewareConfig } from './options.js'

interface HistoryOptions extends MiddlewareConfig {
  readonly tools: readonly FunctionTool[]
  /**
   * Joins neighbouring user messages even if there are no results: many chat templates demand that
   * the roles alternate.
   */
  readonly joinsUsers: boolean
}

/**
 * The parts of an assistant message that a text model can get as they are. Calls of function tools
 * are the exception: they are written as text.
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

/** A conversation that is being rewritten. */
interface Rewriting extends HistoryOptions {
  /** The position of each call so far, and what was wrong with a call that could not be read. */
  readonly callPositions: Map<string, WrittenCall>
  callCount: number
}

type WrittenCall = CallPosition & { readonly problem: string | undefined }

/**
 * Rewrites a conversation for a model that knows only text: calls as the model itself would write
 * them, results as user messages. Messages without calls and results are returned as the same
 * objects. If nothing changes, so is the conversation.
 */
export function rewriteHistory(
  prompt: readonly Message[],
  options: HistoryOptions,
): readonly Message[] {
  const rewriting: Rewriting = { ...options, callPositions: new Map(), callCount: 0 }
  // The results of one assistant message may come in several tool messages.
  const rewritten = joinRuns(prompt, message => message.role === 'tool').flatMap(message =>
    rewriteMessage(rewriting, message),
  )
  // A result is a user message now, next to what the user wrote.
  const joinsUsers = options.joinsUsers || prompt.some(message => message.role === 'tool')
  const messages = joinRuns(rewritten, message => joinsUsers && message.role === 'user')
  const isSame =
    messages.length === prompt.length && messages.every((message, i) => message === prompt[i])
  const isRewritten = options.joinsUsers || !isSame
  return isRewritten ? messages.map(condenseMessage) : prompt
}

function rewriteMessage(rewriting: Rewriting, message: Message): readonly Message[] {
  const { role, content } = message
  if (typeof content === 'string') return [message]
  if (role === 'tool') return rewriteTool(rewriting, message, content)
  if (role === 'assistant') return [rewriteAssistant(rewriting, message, content)]
  return [message]
}

/** True for a part that a text model gets as it is. */
const isKept = (part: Part) => knownParts.has(part.type) && !isOwnCall(part)

/** Writes the calls of an assistant message as text. */
function rewriteAssistant(
  rewriting: Rewriting,
  message: Message,
  content: readonly Part[],
): Message {
  if (content.every(isKept)) return message
  let index = 0
  const parts = content.map(part => {
    if (isKept(part)) return part
    if (isOwnCall(part)) return noteCall(rewriting, part, index++)
    return writeUnknownPart(rewriting, part)
  })
  const written = groupRuns(parts, isOwnCall).flatMap(run =>
    run.every(isOwnCall) ? textPart(writeCalls(rewriting, run), run) : run,
  )
  return { ...message, content: condense(written) }
}

/** Notes where a call is. Returns the call, or its raw text if it could not be read. */
function noteCall(rewriting: Rewriting, call: Part & ToolCall, index: number): Part {
  const { raw, problem } = readUnreadMetadata(call) ?? {}
  const ordinal = rewriting.callCount++
  rewriting.callPositions.set(call.toolCallId, { index, ordinal, problem })
  return raw === undefined ? call : textPart(raw, [call])
}

function writeUnknownPart({ onError }: Rewriting, part: Part): Part {
  const raw = JSON.stringify(part)
  const problem = `a part of type ${JSON.stringify(part.type)} has no form in text and was written out as JSON`
  onError?.(problem, { code: 'unknown-part', raw })
  return textPart(escapeControlTokens(raw), [part])
}

/** What is needed to write calls and results: the protocol, and the conversation around them. */
export interface WritingContext extends FormatContext {
  readonly protocol: ToolCallProtocol
}

/** Writes the calls of one message as the model would write them. */
export function writeCalls(
  { protocol, tools, callPositions }: WritingContext,
  calls: readonly ToolCall[],
): string {
  const context = { tools, callPositions }
  const together = protocol.formatToolCalls?.(calls, context)
  return together ?? calls.map(call => protocol.formatToolCall(call, context)).join('\n')
}

/** Writes the results of one message. */
export function writeResults(
  { protocol, tools, callPositions }: WritingContext,
  results: readonly ToolResult[],
): string {
  const context = { tools, callPositions }
  const together = protocol.formatToolResponses?.(results, context)
  return together ?? results.map(each => protocol.formatToolResponse(each, context)).join('\n')
}

/** Writes the results of a tool message as a user message. */
function rewriteTool(rewriting: Rewriting, message: Message, content: readonly Part[]): Message[] {
  const results = sortByCall(rewriting, content.filter(isResult)).map(result =>
    explainUnreadCall(rewriting, result),
  )
  // A part that is not a result, such as the answer to a provider's question, is for the provider.
  const others = content.filter(part => !isResult(part))
  const messages = [
    { ...message, content: others },
    {
      ...message,
      role: 'user',
      content: results.length > 0 ? writeUserParts(rewriting, results) : [],
    },
  ]
  return messages.filter(each => each.content.length > 0)
}

/**
 * Sorts results by their calls. They come in the order in which the tools finished, but most formats
 * show only by the order which call a result belongs to.
 */
function sortByCall<Result extends ToolResult>(
  { callPositions }: Rewriting,
  results: readonly Result[],
): Result[] {
  const ordinalOf = ({ toolCallId }: Result) =>
    callPositions.get(toolCallId)?.ordinal ?? Number.MAX_VALUE
  return results.toSorted((left, right) => ordinalOf(left) - ordinalOf(right))
}

/**
 * Replaces the result of a call that could not be read. The SDK's own message is about JSON, which
 * the model may never have written.
 */
function explainUnreadCall({ callPositions }: Rewriting, result: ToolResult): ToolResult {
  const problem = callPositions.get(result.toolCallId)?.problem
  if (problem === undefined) return result
  return { ...result, output: unreadCallOutput(problem) }
}

/** Writes the results of one message as parts of a user message. */
function writeUserParts(rewriting: Rewriting, results: readonly ToolResult[]): readonly Part[] {
  const { mediaStrategy = 'auto', toolResponsePromptTemplate: template } = rewriting
  const files = (result: ToolResult) => filesOfResult(result, mediaStrategy)
  // A protocol may write all results as one section, so the files come after it.
  if (!template)
    return [textPart(writeResults(rewriting, results), results), ...results.flatMap(files)]
  const parts = results.flatMap(result => {
    const written = template(result)
    return typeof written === 'string' ? [textPart(written, [result]), ...files(result)] : written
  })
  return condense(parts)
}

/**
 * Removes what we noted on the calls of the conversation, which is of no use to a provider. Returns
 * the same object if there is nothing.
 */
export function withoutOwnMetadata(params: CallParams): CallParams {
  const prompt = params.prompt.map(message => {
    const { content } = message
    if (typeof content === 'string' || !content.some(hasOwnMetadata)) return message
    return { ...message, content: content.map(withoutOwnEntries) }
  })
  const isSame = prompt.every((message, i) => message === params.prompt[i])
  return isSame ? params : { ...params, prompt }
}

const providerEntries = (part: Part) => Object.entries(asRecord(asRecord(part).providerOptions))

const hasOwnMetadata = (part: Part) =>
  providerEntries(part).some(([provider]) => isOwnKey(provider))

function withoutOwnEntries(part: Part): Part {
  if (!hasOwnMetadata(part)) return part
  const others = providerEntries(part).filter(([provider]) => !isOwnKey(provider))
  const { providerOptions: _, ...rest } = asRecord(part)
  const options = others.length > 0 ? { providerOptions: Object.fromEntries(others) } : {}
  return { ...rest, type: part.type, ...options }
}
