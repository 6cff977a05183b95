import type { MiddlewareConfig } from './middleware-options.js'
import { createResponseContext, type ResponseContext } from './response.js'
import type { CallParams } from './sdk/call-params.js'
import { isOrdinaryStop } from './sdk/finish-reason.js'
import { collectParts } from './sdk/part-stream.js'
import { isFinish, isTextContent, type Part } from './sdk/parts.js'
import { contentOf, streamOf } from './sdk/whole-content.js'

/** A provider's whole answer, as far as we look at it. */
export interface GenerateResult {
  readonly content: readonly Part[]
  readonly finishReason: unknown
  readonly warnings?: readonly unknown[] | undefined
}

/** The response, whole: read as the stream that would have brought it. */
export async function wrapGenerate(
  doGenerate: () => PromiseLike<GenerateResult>,
  params: CallParams,
  config: MiddlewareConfig,
): Promise<GenerateResult> {
  const result = await doGenerate()
  const context = createResponseContext(params, config)
  if (!context) return result
  const { transformer, log, isForeign } = context
  const given = isForeign ? readForeign(result, context, config) : streamOf(result.content)
  const parts = collectParts(enqueue => {
    for (const part of given) transformer.transform(part, enqueue)
    transformer.transform({ type: 'finish', finishReason: result.finishReason }, enqueue)
  })
  if (log) {
    streamOf(result.content).forEach(log.input)
    parts.forEach(log.output)
  }
  const { finishReason } = parts.find(isFinish) ?? result
  const warnings = [...(result.warnings ?? []), ...context.warnings]
  return { ...result, content: contentOf(parts, result.content), finishReason, warnings }
}

/** The answer as a protocol reads it that is not ours. */
function readForeign(
  { content, finishReason }: GenerateResult,
  { tools, parserOptions }: ResponseContext,
  { protocol }: MiddlewareConfig,
): Part[] {
  const options = { ...parserOptions, isCut: !isOrdinaryStop(finishReason) }
  return content.flatMap(part => {
    if (!isTextContent(part)) return [part]
    const parts = protocol.parseGeneratedText({ text: part.text, tools, options })
    // What else the text carried (citations, metadata) stays with it.
    return parts.map(each => (isTextContent(each) ? { ...part, text: each.text } : each))
  })
}
