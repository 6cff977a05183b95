import { type DebugLevel, debugLevel, logPart, logSummary } from './debug.js'
import { createScanner } from './engine/scanner.js'
import type { ParserOptions } from './parser-options.js'
import { forcedGrammars, isForced } from './protocols/forced-choice.js'
import { isEngineProtocol, type ToolCallProtocol } from './protocols/tool-call-protocol.js'
import { createToolShapes } from './protocols/tool-shapes.js'
import { type CallParams, type RequestOptions, readRequestOptions } from './sdk/call-params.js'
import { withToolCalls } from './sdk/finish-reason.js'
import { createPartTransformer, type Enqueue, type PartTransformer } from './sdk/part-stream.js'
import { type FunctionTool, isFinish, isTextContent, isTextDelta, isToolCallContent, type Part } from './sdk/parts.js'
import type { MiddlewareConfig } from './transform-handler.js'

/** What both ways of answering, streamed and whole, need to know of the request. */
export interface ResponseContext extends RequestOptions {
  readonly protocol: ToolCallProtocol
  /** Makes what reads a text; gives undefined for a protocol that is not ours and reads it itself. */
  readonly createTransformer: () => PartTransformer | undefined
  /** Makes what finds calls among the thoughts that the provider tells apart, where these are looked for. */
  readonly createThoughtReader: () => PartTransformer | undefined
  /** The tools went to the provider; only what it overlooks is looked for. */
  readonly isRescue: boolean
  /** Told of all that comes in and goes out; fills the debug summary. */
  readonly log: ResponseLog
}

/** The context of an answer, or undefined where there are no tools and so nothing to read. */
export function createResponseContext(params: CallParams, config: MiddlewareConfig): ResponseContext | undefined {
  const request = readRequestOptions(params, config.parserOptions)
  const isRescue = config.mode === 'rescue'
  if (request.originalTools.length === 0 || (isRescue && params.toolChoice?.type === 'none')) return undefined
  const { protocol } = config
  const { originalTools, parserOptions } = request
  const create = (options: ParserOptions) => createTransformer(protocol, originalTools, options)
  const own = isEngineProtocol(protocol) ? protocol.definition.callsInReasoning : false
  return {
    ...request,
    protocol,
    isRescue,
    createTransformer: () => create(parserOptions),
    createThoughtReader: () => {
      const isLookedFor = parserOptions.callsInReasoning ?? (isRescue || own === true)
      // A thought is no place to report slips in.
      const { onError: _, ...quiet } = parserOptions
      return isLookedFor ? create({ ...quiet, startWithReasoning: false, callsInReasoning: true }) : undefined
    },
    log: createResponseLog(request, protocol, config.debug ?? debugLevel()),
  }
}

function createTransformer(
  protocol: ToolCallProtocol,
  tools: readonly FunctionTool[],
  options: ParserOptions,
): PartTransformer | undefined {
  if (isEngineProtocol(protocol))
    return createPartTransformer(emit => protocol.createScanner({ tools, options, emit }), options)
  if (!isForced(options.toolChoice)) return undefined
  // The answer to a forced choice is JSON, whatever the protocol.
  const shapes = createToolShapes(tools)
  const marks = forcedGrammars.flatMap(grammar =>
    grammar({ tools: shapes, isForced: true, forcedToolName: options.toolChoice?.toolName }),
  )
  return createPartTransformer(
    emit => createScanner({ marks, tools: shapes, maxHeldChars: options.maxHeldChars, emit }),
    options,
  )
}

/** For parts that a protocol has made itself: only the finish reason is left to set. */
export function createFinishTransformer(): PartTransformer {
  let hasCall = false
  return {
    transform(part, enqueue) {
      if (isToolCallContent(part)) hasCall = true
      if (!hasCall || !isFinish(part)) return enqueue(part)
      const finish: Part & { finishReason: unknown } = { ...part, finishReason: withToolCalls(part.finishReason) }
      enqueue(finish)
    },
    flush() {},
    hasWholeCall: () => hasCall,
  }
}

/** A warning of a form that all three SDKs know, for the tools that could not be offered. */
export function warningsOf({ droppedTools = [] }: ResponseContext): { type: 'other'; message: string }[] {
  return droppedTools.map(name => ({
    type: 'other',
    message: `The tool ${JSON.stringify(name)} is run by the provider and cannot be offered to a model as text; it was left out.`,
  }))
}

/** What is shown of an answer, and kept for the debug summary. */
export interface ResponseLog {
  /** False where there is nothing to show or keep. */
  readonly isOn: boolean
  input(part: Part): void
  output(part: Part): void
  finish(): void
  /** The transformer with the log around it; the same one where the log is off. `isForeign`: the input is logged elsewhere. */
  watch(transformer: PartTransformer, isForeign?: boolean): PartTransformer
}

function createResponseLog(
  { debugSummary, originalTools }: RequestOptions,
  protocol: ToolCallProtocol,
  level: DebugLevel,
): ResponseLog {
  const isOn = debugSummary !== undefined || level !== 'off'
  const texts: string[] = []
  const toolCalls: Part[] = []
  let isFinished = false
  const log: ResponseLog = {
    isOn,
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
      if (!isOn || isFinished) return
      isFinished = true
      const text = texts.join('')
      if (debugSummary) Object.assign(debugSummary, { originalText: text, toolCalls: JSON.stringify(toolCalls) })
      if (level !== 'parse') return
      logSummary({
        text,
        toolCalls,
        segments: protocol.extractToolCallSegments?.({ text, tools: originalTools }) ?? [],
      })
    },
    watch(transformer, isForeign = false) {
      if (!isOn) return transformer
      const watchOut = (enqueue: Enqueue) => (part: Part) => {
        log.output(part)
        enqueue(part)
      }
      return {
        ...transformer,
        transform(part, enqueue) {
          if (!isForeign) log.input(part)
          transformer.transform(part, watchOut(enqueue))
          if (isFinish(part)) log.finish()
        },
        flush(enqueue, isCut) {
          transformer.flush(watchOut(enqueue), isCut)
          log.finish()
        },
      }
    },
  }
  return log
}
