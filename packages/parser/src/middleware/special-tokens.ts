import { asRecord, isRecord } from '../is-record.js'
import type { CallParams } from '../sdk/call-params.js'

/** Services with an OpenAI-compatible API that reject fields that they do not know. */
const services = new Set(
  [
    'openai azure azureopenai anthropic google googlevertex vertex mistral mistralai groq xai deepseek perplexity cohere',
    'together togetherai fireworks fireworksai deepinfra cerebras moonshotai alibaba baseten vercel gateway huggingface',
    'openrouter github githubmodels',
  ].flatMap(line => line.split(' ')),
)

/**
 * Asks the server not to strip special tokens, which the marks of many formats are. Only the user's
 * own servers are asked: providers made by `createOpenAICompatible`. They copy the provider options
 * under their own name into the request.
 */
export function keepSpecialTokens(params: CallParams, model: unknown): CallParams {
  const { provider, specificationVersion } = asRecord(model)
  const [, name] = /^([^.]+)\.(?:.*\.)?(?:chat|completion)$/.exec(String(provider)) ?? []
  if (name === undefined || services.has(name.toLowerCase().replace(/[^a-z]/g, ''))) return params
  const camelCase = name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
  // Older providers read only the exact name.
  const keys = specificationVersion === 'v2' ? [name] : [camelCase, name]
  const { providerOptions = {} } = params
  if (keys.some(key => asRecord(providerOptions[key]).skip_special_tokens !== undefined))
    return params
  // The user's own options are under one of the keys: ours are added there.
  const key = keys.find(each => isRecord(providerOptions[each])) ?? keys[0] ?? name
  const options = { ...asRecord(providerOptions[key]), skip_special_tokens: false }
  return { ...params, providerOptions: { ...providerOptions, [key]: options } }
}
