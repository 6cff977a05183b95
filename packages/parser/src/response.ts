import { debugLevel, logPart, logSummary } from './debug.js'
import { isForced, type ParserOptions } from './parser-options.js'
import { createGrammarScanner } from './protocols/define-protocol.js'
import { isEngineProtocol, type ToolCallProtocol } from './protocols/tool-call-protocol.js'
import { type CallParams, type RequestOptions, readRequestOptions } from './sdk/call-params.js'
import { finishWithCalls } from './sdk/finish-reason.js'
import { createPartTransformer, type Enqueue, type PartTransformer } from './sdk/part-stream.js'
import { isFinish, isTextContent, isTextDelta, type Part } from './sdk/parts.js'
import { createRescueTransformer } from './sdk/rescue.js'
import type { MiddlewareConfig } from './transform-handler.js'

/** What both ways of answering, streamed and whole, need to know of the request. */
export interface ResponseContext extends RequestOptions {
  readonly protocol: ToolCallProtocol
  /** The protocol is not ours and reads texts itself; the transformer takes what comes of that. */
  readonly isForeign: boolean
  readonly transformer: PartTransformer
  /** For the tools that could not be offered, in a form that all three SDKs know. */
  readonly warnings: readonly unknown[]
  /** Told of all that comes in and goes out; undefined where there is nothing to show or keep. */
  readonly log: ResponseLog | undefined
}

/** The context of an answer, or undefined where there are no tools and so nothing to read. */
export function createResponseContext(params: CallParams, config: MiddlewareConfig): ResponseContext | undefined {
  const request = readRequestOptions(params, config.parserOptions)
  const { protocol } = config
  const { originalTools: tools, toolNames, parserOptions, droppedTools = [] } = request
  const isRescue = config.mode === 'rescue'
  if (tools.length === 0 || (isRescue && params.toolChoice?.type === 'none')) return undefined
  const own = isEngineProtocol(protocol) ? protocol : undefined
  // The answer to a forced choice is JSON, whatever the protocol.
  const isForeign = !own && !isForced(parserOptions.toolChoice)
  const createScanner = own?.createScanner ?? createGrammarScanner({ grammar: () => [] })
  const create = (options: ParserOptions) =>
    createPartTransformer(emit => createScanner({ tools, options, emit }), options)
  // A thought is no place to report slips in.
  const thoughtOptions = { ...parserOptions, onError: undefined, startWithReasoning: false, callsInReasoning: true }
  const hasThoughts = parserOptions.callsInReasoning ?? (isRescue || own?.definition.callsInReasoning === true)
  const texts = isForeign ? createFinishTransformer() : create(parserOptions)
  const thoughts = hasThoughts ? create(thoughtOptions) : undefined
  const isRescuing = !isForeign && (isRescue || hasThoughts)
  return {
    ...request,
    protocol,
    isForeign,
    transformer: isRescuing ? createRescueTransformer({ texts, thoughts, isHeld: isRescue, toolNames }) : texts,
    warnings: droppedTools.map(name => ({
      type: 'other',
      message: `The tool ${JSON.stringify(name)} is run by the provider and cannot be offered to a model as text; it was left out.`,
    })),
    log: createResponseLog(request, config),
  }
}

/** For parts that a protocol has made itself: only the finish reason is left to set. */
function createFinishTransformer(): PartTransformer {
  let hasCall = false
  return {
    transform(part, enqueue) {
      hasCall ||= part.type === 'tool-call'
      enqueue(hasCall && isFinish(part) ? finishWithCalls(part) : part)
    },
    flush() {},
  }
}

export function withWarnings<Target extends object>(target: Target, warnings: readonly unknown[]): Target {
  if (warnings.length === 0) return target
  const before = 'warnings' in target && Array.isArray(target.warnings) ? target.warnings : []
  return { ...target, warnings: [...before, ...warnings] }
}

/** What is shown of an answer, and kept for the debug summary. */
export interface ResponseLog {
  input(part: Part): void
  output(part: Part): void
  finish(): void
}

function createResponseLog(
  { debugSummary, originalTools: tools }: RequestOptions,
  { protocol, debug: level = debugLevel() }: MiddlewareConfig,
): ResponseLog | undefined {
  if (debugSummary === undefined && level === 'off') return undefined
  const texts: string[] = []
  const toolCalls: Part[] = []
  let isFinished = false
  return {
    input(part) {
      if (level === 'stream') logPart('raw', part)
      if (isTextDelta(part)) texts.push(part.delta)
      else if (isTextContent(part)) texts.push(part.text)
    },
    output(part) {
      if (level === 'stream') logPart('out', part)
      if (part.type === 'tool-call') toolCalls.push(part)
    },
    finish() {
      if (isFinished) return
      isFinished = true
      const text = texts.join('')
      if (debugSummary) Object.assign(debugSummary, { originalText: text, toolCalls: JSON.stringify(toolCalls) })
      if (level !== 'parse') return
      logSummary({ text, toolCalls, segments: protocol.extractToolCallSegments?.({ text, tools }) ?? [] })
    },
  }
}

/** The transformer with a log around it. */
export function watch(transformer: PartTransformer, log: Partial<ResponseLog> | undefined): PartTransformer {
  if (!log) return transformer
  const watched =
    (enqueue: Enqueue): Enqueue =>
    part => {
      log.output?.(part)
      enqueue(part)
    }
  return {
    transform(part, enqueue) {
      log.input?.(part)
      transformer.transform(part, watched(enqueue))
      if (isFinish(part)) log.finish?.()
    },
    flush(enqueue, isCut) {
      transformer.flush(watched(enqueue), isCut)
      log.finish?.()
    },
  }
}
