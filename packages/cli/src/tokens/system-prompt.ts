import { createToolMiddleware, type FunctionTool } from '@toolglot/parser'
import { isRecord } from '../is-record.js'

export interface SystemPromptOptions {
  readonly protocol: string
  readonly tools: readonly FunctionTool[]
  readonly system?: string | undefined
  readonly modelId?: string | undefined
}

/**
 * Returns the system message as the middleware sends it: the tools, how to call them, and the
 * user's own text.
 */
export async function writeSystemPrompt({
  protocol,
  tools,
  system,
  modelId,
}: SystemPromptOptions): Promise<string> {
  const middleware = createToolMiddleware({ protocol })
  const own = system === undefined ? [] : [{ role: 'system', content: system }]
  const prompt = [...own, { role: 'user', content: [{ type: 'text', text: 'Hello' }] }]
  const model =
    modelId === undefined
      ? undefined
      : { modelId, provider: 'toolglot', specificationVersion: 'v3' }
  const params: unknown = await middleware.transformParams({
    type: 'generate',
    params: { prompt, tools },
    model,
  })
  const messages: readonly unknown[] =
    isRecord(params) && Array.isArray(params.prompt) ? params.prompt : []
  const texts = messages.flatMap(message =>
    isRecord(message) && message.role === 'system' && typeof message.content === 'string'
      ? [message.content]
      : [],
  )
  return texts.join('\n')
}
