import { isRecord } from '../schema/is-record.js'
import type { CallParams } from './call-params.js'

/** Services that are spoken to like any OpenAI-compatible server, but take no fields that they do not know. */
const services = new Set(
  'openai azure anthropic google vertex mistral groq xai deepseek perplexity cohere togetherai fireworks deepinfra cerebras moonshotai alibaba baseten vercel gateway huggingface'.split(
    ' ',
  ),
)

/**
 * Asks the server not to strip special tokens, which many formats are made of. Only servers of the user's own are asked: the
 * providers made by `createOpenAICompatible`, whose own name is the key under which a field reaches the request as it is.
 */
export function keepSpecialTokens(params: CallParams, model: unknown): CallParams {
  if (!isRecord(model) || typeof model.provider !== 'string') return params
  const [name = '', kind] = model.provider.split('.')
  if ((kind !== 'chat' && kind !== 'completion') || name === '' || services.has(name)) return params
  const camelCase = name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const key = model.specificationVersion === 'v2' ? name : camelCase
  const given = [name, camelCase].map(each => params.providerOptions?.[each]).filter(isRecord)
  if (given.some(options => 'skip_special_tokens' in options)) return params
  const own = params.providerOptions?.[key]
  return {
    ...params,
    providerOptions: {
      ...params.providerOptions,
      [key]: { ...(isRecord(own) ? own : {}), skip_special_tokens: false },
    },
  }
}
