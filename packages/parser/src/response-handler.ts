import { createResponseLog } from './debug.js'
import type { MiddlewareConfig } from './middleware-options.js'
import { isForced, type ParserOptions } from './parser-options.js'
import { createGrammarScanner } from './protocols/define-protocol.js'
import { isEngineProtocol } from './protocols/tool-call-protocol.js'
import { type CallParams, readRequestOptions } from './sdk/call-params.js'
import { finishWithCalls, isOrdinaryStop } from './sdk/finish-reason.js'
import { createPartTransformer, mapParts, type PartTransformer } from './sdk/part-stream.js'
import { isFinish, isTextContent, type Part } from './sdk/parts.js'
import { pullThrough } from './sdk/pull-through.js'
import { contentOf, streamOf } from './sdk/whole-content.js'

/** A provider's streamed answer, as far as we look at it. */
interface StreamResult {
  readonly stream: ReadableStream<Part>
}

/** A provider's whole answer, as far as we look at it. */
interface GenerateResult {
  readonly content: readonly Part[]
  readonly finishReason: unknown
  readonly warnings?: readonly unknown[] | undefined
}

/** The response, streamed: text with calls in it becomes text and calls. */
export async function wrapStream(
  doStream: () => PromiseLike<StreamResult>,
  params: CallParams,
  config: MiddlewareConfig,
): Promise<StreamResult> {
  const result = await doStream()
  const way = createWay(params, config)
  if (!way) return result
  const { tools, options, transformer, warnings, log } = way
  const source = log ? pullThrough(result.stream, log.input) : result.stream
  const parts = way.isForeign ? source.pipeThrough(config.protocol.createStreamParser({ tools, options })) : source
  const stream = pullThrough(parts, warnings.length ? addWarnings(transformer, warnings) : transformer)
  return { ...result, stream: log ? pullThrough(stream, log.output) : stream }
}

/** The response, whole: read as the stream that would have brought it. */
export async function wrapGenerate(
  doGenerate: () => PromiseLike<GenerateResult>,
  params: CallParams,
  config: MiddlewareConfig,
): Promise<GenerateResult> {
  const result = await doGenerate()
  const way = createWay(params, config)
  if (!way) return result
  const { content, finishReason, warnings = [] } = result
  const options = { ...way.options, isCut: !isOrdinaryStop(finishReason) }
  const parseForeign = (part: Part) => {
    if (!isTextContent(part)) return [part]
    const parts = config.protocol.parseGeneratedText({ text: part.text, tools: way.tools, options })
    // What else the text carried (citations, metadata) stays with it.
    return parts.map(each => (isTextContent(each) ? { ...part, text: each.text } : each))
  }
  const given = way.isForeign ? content.flatMap(parseForeign) : streamOf(content)
  const parts = [...given, { type: 'finish', finishReason }].flatMap(part => way.transformer.transform(part))
  if (way.log) {
    streamOf(content).forEach(way.log.input.transform)
    parts.forEach(way.log.output.transform)
  }
  return {
    ...result,
    content: contentOf(parts, content),
    finishReason: parts.find(isFinish)?.finishReason,
    warnings: [...warnings, ...way.warnings],
  }
}

/** What both ways of answering need to know of the request; undefined where there are no tools and so nothing to read. */
function createWay(params: CallParams, config: MiddlewareConfig) {
  const request = readRequestOptions(params, config)
  const { tools, parserOptions: options, droppedTools } = request
  const isRescue = config.mode === 'rescue'
  if (tools.length === 0 || (isRescue && params.toolChoice?.type === 'none')) return undefined
  const own = isEngineProtocol(config.protocol) ? config.protocol : undefined
  const createScanner = own?.createScanner ?? createGrammarScanner({ grammar: () => [] })
  const hasThoughts = options.callsInReasoning ?? (isRescue || own?.definition.callsInReasoning === true)
  const thoughtOptions: ParserOptions = { ...options, startWithReasoning: false, callsInReasoning: true }
  const transformer = createPartTransformer(emit => createScanner({ tools, options, emit }), {
    ...options,
    isRescue,
    createThoughtScanner: hasThoughts ? emit => createScanner({ tools, options: thoughtOptions, emit }) : undefined,
    toolNames: tools.map(tool => tool.name),
  })
  // A protocol that is not ours reads texts itself. But the answer to a forced choice is JSON, whatever the protocol.
  const isForeign = !own && !isForced(options.toolChoice)
  return {
    tools,
    options,
    isForeign,
    transformer: isForeign ? createFinishTransformer() : transformer,
    /** For the tools that could not be offered, in a form that all three SDKs know. */
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
  return mapParts(part => {
    hasCall ||= part.type === 'tool-call'
    return hasCall && isFinish(part) ? finishWithCalls(part) : part
  })
}

/** Adds to the warnings of the part that opens every stream; a stream without one gets it. */
function addWarnings(transformer: PartTransformer, added: readonly unknown[]): PartTransformer {
  let isFirst = true
  return {
    ...transformer,
    transform(part) {
      if (!isFirst) return transformer.transform(part)
      isFirst = false
      const isStart = part.type === 'stream-start'
      const warnings = 'warnings' in part && Array.isArray(part.warnings) ? [...part.warnings, ...added] : added
      return [
        { ...(isStart ? part : { type: 'stream-start' }), warnings },
        ...(isStart ? [] : transformer.transform(part)),
      ]
    },
  }
}
