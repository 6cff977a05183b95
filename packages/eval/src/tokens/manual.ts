import { createToolMiddleware, type FunctionTool } from '@toolglot/parser'
import { isRecord } from '../is-record.js'
import type { Manual } from './contestant.js'

const system = 'You are a helpful assistant.'

/**
 * Returns the system message with and without the tools, as the middleware sends it. The manual is
 * the difference in tokens, so it includes the text that joins the two.
 */
export async function readManual(
  protocol: string,
  tools: readonly FunctionTool[],
): Promise<Manual> {
  const middleware = createToolMiddleware({ protocol })
  const prompt = [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
  ]
  const params: unknown = await middleware.transformParams({
    type: 'generate',
    params: { prompt, tools },
    model: undefined,
  })
  return { withTools: [readSystemText(params)], withoutTools: [system] }
}

function readSystemText(params: unknown): string {
  const messages: readonly unknown[] =
    isRecord(params) && Array.isArray(params.prompt) ? params.prompt : []
  const texts = messages.flatMap(message =>
    isRecord(message) && message.role === 'system' && typeof message.content === 'string'
      ? [message.content]
      : [],
  )
  if (!texts.join('\n').includes(system)) throw new Error('The middleware lost the system message.')
  return texts.join('\n')
}
