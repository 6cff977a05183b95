import type { Shape } from '../engine/values/shape.js'
import type { ReceivedContext } from '../options/parser-options.js'
import { isEngineProtocol, type ToolCallProtocol } from '../protocols/protocol.js'
import { createGrammarScanner, createToolShapes } from '../protocols/request-scanner.js'
import { createCallCompleter } from '../response/complete-calls.js'
import { isOrdinaryStop } from '../response/finish-reason.js'
import { createPartReader, type PartReader } from '../response/part-reader.js'
import { pullThrough } from '../response/pull-through.js'
import { contentOf, streamOf } from '../response/whole-content.js'
import type { CallParams } from '../sdk/call-params.js'
import { type FunctionTool, isText, type Part } from '../sdk/parts.js'
import { createResponseLog } from './debug-log.js'
import type { MiddlewareConfig } from './options.js'
import { readRequestOptions } from './request-options.js'

/** A provider's whole answer, as far as we look at it. */
type WholeResult = Pick<Part, 'finishReason' | 'warnings'> & { readonly content: readonly Part[] }

/** The response, streamed: text with calls in it becomes text and calls. */
export function readStreamedAnswer(
  result: { stream: ReadableStream<Part> },
  params: CallParams,
  config: MiddlewareConfig,
) {
  const reading = startReading(params, config)
  if (!reading) return result
  const { context, foreign, read, log } = reading
  const source = log ? pullThrough(result.stream, log.input) : result.stream
  const parts = foreign ? readForeignStream(source, foreign, context) : source
  const stream = pullThrough(parts, read)
  return { ...result, stream: log ? pullThrough(stream, log.output) : stream }
}

/** The response, whole: read as the stream that would have brought it. */
export function readWholeAnswer(
  result: WholeResult,
  params: CallParams,
  config: MiddlewareConfig,
): WholeResult {
  const reading = startReading(params, config)
  if (!reading) return result
  const { context, foreign, read, log } = reading
  const { finishReason, warnings = [] } = result
  const options = { ...context.options, isCut: !isOrdinaryStop(finishReason) }
  const content = result.content.flatMap((part): readonly Part[] => {
    if (!foreign || !isText(part)) return [part]
    const complete = createCallCompleter({
      shapeOf: createShapeLookup(context),
      isNative: () => false,
    })
    const parts = foreign.parseGeneratedText({ ...context, options, text: part.text })
    // What else the text carried (citations, metadata) stays with it.
    return parts.flatMap(each => (isText(each) ? { ...part, text: each.text } : complete(each)))
  })
  if (log) streamOf(result.content).forEach(log.input)
  const stream = [
    { type: 'stream-start', warnings },
    ...streamOf(content),
    { type: 'finish', finishReason },
  ]
  const parts = stream.flatMap(read)
  if (log) [...parts, undefined].forEach(log.output)
  return {
    ...result,
    content: contentOf(parts, content),
    finishReason: parts.at(-1)?.finishReason,
    warnings: parts[0]?.warnings,
  }
}

/**
 * A stream that a protocol with its own parser reads. The calls that the parser makes are
 * completed; those of the provider are not touched.
 */
function readForeignStream(
  source: ReadableStream<Part>,
  protocol: ToolCallProtocol,
  context: ReceivedContext,
) {
  const nativeIds = new Set<string>()
  const noted = pullThrough(source, part => {
    if (!part) return []
    if (part.type === 'tool-input-start' && part.id !== undefined) nativeIds.add(part.id)
    if (part.type === 'tool-call' && part.toolCallId !== undefined) nativeIds.add(part.toolCallId)
    return [part]
  })
  const complete = createCallCompleter({
    shapeOf: createShapeLookup(context),
    isNative: id => nativeIds.has(id),
  })
  const parsed = noted.pipeThrough(protocol.createStreamParser(context))
  return pullThrough(parsed, part => (part ? complete(part) : []))
}

/** The shapes of the tools' arguments, by name; undefined for a tool that does not exist. */
function createShapeLookup({
  tools,
  options,
}: ReceivedContext): (toolName: string) => Shape | undefined {
  const shapes = createToolShapes(tools, options.originalToolSchemas)
  return toolName => (shapes.has(toolName) ? shapes.shapeOf(toolName) : undefined)
}

/**
 * What both ways of answering need to know of the request; undefined where there is nothing to
 * read.
 */
function startReading(params: CallParams, config: MiddlewareConfig) {
  const request = readRequestOptions(params, config)
  const { tools, parserOptions, droppedTools } = request
  const isRescue = config.mode === 'rescue'
  const isOff = tools.length === 0 || (isRescue && params.toolChoice?.type === 'none')
  // Where no call may come there may be thoughts.
  if (isOff && !parserOptions.reasoning) return undefined
  const own = isEngineProtocol(config.protocol) ? config.protocol : undefined
  // A protocol that is not ours reads the texts itself. What it leaves is read for thoughts, and
  // for the JSON that was asked for.
  const createScanner =
    own && !isOff
      ? own.createScanner
      : createGrammarScanner({ ...own?.definition, grammar: () => [] })
  const callsInReasoning = parserOptions.callsInReasoning ?? own?.definition.callsInReasoning
  const context = { tools, options: { ...parserOptions, callsInReasoning } }
  const foreign = own || isOff ? undefined : config.protocol
  const segments: string[] = []
  const partReader = createPartReader(createScanner, context, {
    isRescue,
    onCallRead: raw => segments.push(raw),
  })
  const log = createResponseLog(request, config, {
    readSegments: text => (foreign ? readForeignSegments(foreign, text, tools) : segments),
  })
  return { context, foreign, read: addWarnings(partReader, droppedTools), log }
}

/** The calls of a text as they were written. A protocol that cannot tell has the whole text. */
function readForeignSegments(
  protocol: ToolCallProtocol,
  text: string,
  tools: readonly FunctionTool[],
) {
  return protocol.extractToolCallSegments?.({ text, tools }) ?? [text]
}

/**
 * Warns of the tools that could not be offered, in a form that all three SDKs know, in the part
 * that opens every stream; a stream without one gets it.
 */
function addWarnings(read: PartReader, droppedTools: readonly string[]): PartReader {
  const added = droppedTools.map(name => ({
    type: 'other',
    message: `The tool ${JSON.stringify(name)} is run by the provider and cannot be offered to a model as text; it was left out.`,
  }))
  let isFirst = added.length > 0
  return part => {
    if (!isFirst || !part) return read(part)
    isFirst = false
    if (part.type !== 'stream-start')
      return [{ type: 'stream-start', warnings: added }, ...read(part)]
    return [{ ...part, warnings: [...(part.warnings ?? []), ...added] }]
  }
}
