import type { Shape } from '../engine/values/shape.js'
import type { ReceivedContext } from '../options/parser-options.js'
import { isEngineProtocol, type ToolCallProtocol } from '../protocols/protocol.js'
import { createGrammarScanner, createToolShapes } from '../protocols/request-scanner.js'
import { createCallCompleter } from '../response/complete-calls.js'
import { isOrdinaryStop } from '../response/finish-reason.js'
import { createPartReader, type PartReader } from '../response/part-reader.js'
import { type PartSource, pullThrough, readThrough } from '../response/pull-through.js'
import { contentOf, streamOf } from '../response/whole-content.js'
import type { CallParams } from '../sdk/call-params.js'
import { type FunctionTool, isText, type Part } from '../sdk/parts.js'
import { createResponseLog } from './debug-log.js'
import type { MiddlewareConfig } from './options.js'
import { readRequestOptions } from './request-options.js'

/** A provider's whole answer: the fields that we read. */
type WholeResult = Pick<Part, 'finishReason' | 'warnings'> & { readonly content: readonly Part[] }

/** Reads a streamed answer: emits the calls that its text contains as tool calls. */
export function readStreamedAnswer(
  result: { stream: PartSource },
  params: CallParams,
  config: MiddlewareConfig,
) {
  const reading = startReading(params, config)
  if (!reading) return result
  const { context, foreign, read, log } = reading
  const source = log ? pullThrough(result.stream, log.input) : result.stream
  const parts = foreign ? readForeignStream(source, foreign, context) : source
  const stream = readThrough(parts, read)
  return { ...result, stream: log ? pullThrough(stream, log.output) : stream }
}

/** Reads a whole answer, as the stream that would have brought it. */
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
    // Other fields of the text part (citations, metadata) are kept.
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
 * Reads a stream with the protocol's own parser. Calls that the parser makes are completed; calls
 * that the provider made are not touched.
 */
function readForeignStream(
  source: PartSource,
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

/** Returns a lookup of the shape of a tool's arguments: undefined for a tool that does not exist. */
function createShapeLookup({
  tools,
  options,
}: ReceivedContext): (toolName: string) => Shape | undefined {
  const shapes = createToolShapes(tools, options.originalToolSchemas)
  return toolName => (shapes.has(toolName) ? shapes.shapeOf(toolName) : undefined)
}

/**
 * Prepares to read an answer, whole or streamed. Returns undefined if there is nothing to read: no
 * call may come, and reasoning is not asked for.
 */
function startReading(params: CallParams, config: MiddlewareConfig) {
  const request = readRequestOptions(params, config)
  const { tools, parserOptions, droppedTools } = request
  const isRescue = config.mode === 'rescue'
  const isOff = tools.length === 0 || (isRescue && params.toolChoice?.type === 'none')
  if (isOff && !parserOptions.reasoning) return undefined
  const own = isEngineProtocol(config.protocol) ? config.protocol : undefined
  // A protocol with its own parser reads the calls itself. The text that it leaves is scanned for
  // reasoning, and for the JSON of a forced call.
  const createScanner =
    own && !isOff
      ? own.createScanner
      : createGrammarScanner({ ...own?.definition, grammar: () => [], otherForms: undefined })
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

/** The calls of a text as the model wrote them; the whole text if the protocol cannot tell. */
function readForeignSegments(
  protocol: ToolCallProtocol,
  text: string,
  tools: readonly FunctionTool[],
) {
  return protocol.extractToolCallSegments?.({ text, tools }) ?? [text]
}

/**
 * Adds a warning for each tool that was left out to the `stream-start` part. A stream without that
 * part gets one. AI SDK 5, 6 and 7 know warnings of type `other`.
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
