import { createResponseContext, type ResponseContext, watch, withWarnings } from './response.js'
import type { CallParams } from './sdk/call-params.js'
import type { PartTransformer } from './sdk/part-stream.js'
import type { Part } from './sdk/parts.js'
import { pullThrough } from './sdk/pull-through.js'
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
  return context ? { ...result, stream: readStream(result.stream, context) } : result
}

function readStream(source: ReadableStream<Part>, context: ResponseContext): ReadableStream<Part> {
  const { protocol, originalTools: tools, parserOptions: options, transformer, log, warnings } = context
  if (!context.isForeign) return pullThrough(source, addWarnings(watch(transformer, log), warnings))
  const seen = log ? pullThrough(source, watch(passThrough, { input: log.input })) : source
  const parsed = seen.pipeThrough(protocol.createStreamParser({ tools, options }))
  return pullThrough(
    parsed,
    addWarnings(watch(transformer, log && { output: log.output, finish: log.finish }), warnings),
  )
}

const passThrough: PartTransformer = { transform: (part, enqueue) => enqueue(part), flush() {} }

/** Adds to the warnings of the part that opens every stream; a stream without one gets it. */
function addWarnings(transformer: PartTransformer, warnings: readonly unknown[]): PartTransformer {
  let isFirst = warnings.length > 0
  return {
    ...transformer,
    transform(part, enqueue) {
      const isStart = part.type === 'stream-start'
      if (isFirst) transformer.transform(withWarnings(isStart ? part : { type: 'stream-start' }, warnings), enqueue)
      if (!isFirst || !isStart) transformer.transform(part, enqueue)
      isFirst = false
    },
  }
}
