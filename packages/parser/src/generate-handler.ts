import { createResponseContext, type ResponseContext, warningsOf } from './response.js'
import type { CallParams } from './sdk/call-params.js'
import { isOrdinaryStop, withToolCalls } from './sdk/finish-reason.js'
import { parseText } from './sdk/part-stream.js'
import {
  isReasoningContent,
  isTextContent,
  isToolCallContent,
  type Part,
  type TextContent,
  type ToolCallContent,
} from './sdk/parts.js'
import { isRunnable, rescueContent } from './sdk/rescue.js'
import type { MiddlewareConfig } from './transform-handler.js'

/** A provider's whole answer, as far as we look at it. */
export interface GenerateResult {
  readonly content: readonly Part[]
  readonly finishReason: unknown
  readonly warnings?: readonly unknown[] | undefined
}

/** The response, whole: the same engine, fed with each text at once. */
export async function wrapGenerate(
  doGenerate: () => PromiseLike<GenerateResult>,
  params: CallParams,
  config: MiddlewareConfig,
): Promise<GenerateResult> {
  const result = await doGenerate()
  const context = createResponseContext(params, config)
  if (!context) return result
  const isCut = !isOrdinaryStop(result.finishReason)
  let hasWholeCall = false
  const found = result.content.flatMap(part => {
    if (context.log.isOn) context.log.input(part)
    if (!isTextContent(part)) return [part]
    const { parts, isWhole } = readText(part, context, isCut)
    hasWholeCall ||= isWhole
    return parts
  })
  const content = rescueContent({
    content: found,
    native: context.isRescue ? result.content.filter(isToolCallContent) : undefined,
    findThoughtCalls() {
      const calls = readThoughts(result.content, context, isCut)
      hasWholeCall ||= calls.length > 0
      return calls
    },
  })
  if (context.log.isOn) content.forEach(context.log.output)
  context.log.finish()
  const warnings = warningsOf(context)
  return {
    ...result,
    content,
    finishReason: hasWholeCall ? withToolCalls(result.finishReason) : result.finishReason,
    ...(warnings.length ? { warnings: [...(result.warnings ?? []), ...warnings] } : {}),
  }
}

/** The calls among what the provider says that the model thought. */
function readThoughts(content: readonly Part[], context: ResponseContext, isCut: boolean): ToolCallContent[] {
  return content.filter(isReasoningContent).flatMap(({ text }) => {
    const reader = context.createThoughtReader()
    const calls = reader ? parseText(reader, text, isCut).filter(isToolCallContent) : []
    return calls.filter(call => isRunnable(call, context.toolNames))
  })
}

function readText(
  part: TextContent,
  context: ResponseContext,
  isCut: boolean,
): { parts: readonly Part[]; isWhole: boolean } {
  const { protocol, originalTools, parserOptions } = context
  // Each text is read by itself, as each text block of a stream is.
  const transformer = context.createTransformer()
  const parts = transformer
    ? parseText(transformer, part.text, isCut)
    : protocol.parseGeneratedText({ text: part.text, tools: originalTools, options: { ...parserOptions, isCut } })
  const isWhole = transformer ? transformer.hasWholeCall() : parts.some(isToolCallContent)
  const [only] = parts
  if (parts.length === 1 && only && isTextContent(only) && only.text === part.text) return { parts: [part], isWhole }
  if (parts.length === 0 && part.text === '') return { parts: [part], isWhole }
  // What else the text carried (citations, metadata) stays with it.
  return { parts: parts.map(each => (isTextContent(each) ? { ...part, text: each.text } : each)), isWhole }
}
