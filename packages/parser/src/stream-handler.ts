import { createFinishTransformer, createResponseContext, type ResponseContext, warningsOf } from './response.js'
import { isRecord } from './schema/is-record.js'
import type { CallParams } from './sdk/call-params.js'
import type { PartTransformer } from './sdk/part-stream.js'
import type { Part } from './sdk/parts.js'
import { pullThrough } from './sdk/pull-through.js'
import { createRescueTransformer } from './sdk/rescue.js'
import type { MiddlewareConfig } from './transform-handler.js'

/** A provider's streamed answer, as far as we look at it. */
export interface StreamResult {
  readonly stream: ReadableStream<Part>
}

/** The response, streamed: text with calls in it becomes text and calls. */
export async function wrapStream(
  doStream: () => PromiseLike<StreamResult>,
  params: CallParams,
  config: MiddlewareConfig,
): Promise<StreamResult> {
  const result = await doStream()
  const context = createResponseContext(params, config)
  if (!context) return result
  return { ...result, stream: readStream(result.stream, context) }
}

function readStream(source: ReadableStream<Part>, context: ResponseContext): ReadableStream<Part> {
  const { protocol, originalTools, parserOptions, log } = context
  const transformer = createStreamTransformer(context)
  if (transformer) return pullThrough(source, addWarnings(log.watch(transformer), context))
  const parsed = (log.isOn ? source.pipeThrough(tap(log.input)) : source).pipeThrough(
    protocol.createStreamParser({ tools: originalTools, options: parserOptions }),
  )
  return pullThrough(parsed, addWarnings(log.watch(createFinishTransformer(), true), context))
}

function createStreamTransformer(context: ResponseContext): PartTransformer | undefined {
  const texts = context.createTransformer()
  const thoughts = context.createThoughtReader()
  if (!texts || (!thoughts && !context.isRescue)) return texts
  return createRescueTransformer({ texts, thoughts, isHeld: context.isRescue, toolNames: context.toolNames })
}

function tap(listen: (part: Part) => void): TransformStream<Part, Part> {
  return new TransformStream({
    transform(part, controller) {
      listen(part)
      controller.enqueue(part)
    },
  })
}

/** Adds to the warnings of the part that opens every stream; a stream without one gets it. */
function addWarnings(transformer: PartTransformer, context: ResponseContext): PartTransformer {
  const warnings = warningsOf(context)
  if (warnings.length === 0) return transformer
  let isFirst = true
  return {
    ...transformer,
    transform(part, enqueue) {
      const isStart = part.type === 'stream-start'
      if (isFirst && !isStart) transformer.transform(withWarnings({ type: 'stream-start' }, warnings), enqueue)
      transformer.transform(isFirst && isStart ? withWarnings(part, warnings) : part, enqueue)
      isFirst = false
    },
  }
}

function withWarnings(part: Part, warnings: readonly unknown[]): Part {
  const before = isRecord(part) && Array.isArray(part.warnings) ? part.warnings : []
  const start: Part & { warnings: unknown[] } = { ...part, warnings: [...before, ...warnings] }
  return start
}
