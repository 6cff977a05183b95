import type { MiddlewareConfig } from './middleware-options.js'
import { createResponseContext } from './response.js'
import type { CallParams } from './sdk/call-params.js'
import type { PartTransformer } from './sdk/part-stream.js'
import type { Part } from './sdk/parts.js'
import { pullThrough } from './sdk/pull-through.js'

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
  const { tools, parserOptions: options, transformer, warnings, log } = context
  const source = log ? pullThrough(result.stream, watch(log.input)) : result.stream
  const parts = context.isForeign ? source.pipeThrough(config.protocol.createStreamParser({ tools, options })) : source
  const stream = pullThrough(parts, warnings.length ? addWarnings(transformer, warnings) : transformer)
  return { ...result, stream: log ? pullThrough(stream, watch(log.output, log.finish)) : stream }
}

/** Adds to the warnings of the part that opens every stream; a stream without one gets it. */
function addWarnings(transformer: PartTransformer, added: readonly unknown[]): PartTransformer {
  let isFirst = true
  return {
    ...transformer,
    transform(part, enqueue) {
      const isStart = part.type === 'stream-start'
      const warnings = 'warnings' in part && Array.isArray(part.warnings) ? [...part.warnings, ...added] : added
      if (isFirst) transformer.transform({ ...(isStart ? part : { type: 'stream-start' }), warnings }, enqueue)
      if (!isFirst || !isStart) transformer.transform(part, enqueue)
      isFirst = false
    },
  }
}

function watch(see: (part: Part) => void, finish = () => {}): PartTransformer {
  return {
    transform(part, enqueue) {
      see(part)
      enqueue(part)
    },
    flush: finish,
  }
}
