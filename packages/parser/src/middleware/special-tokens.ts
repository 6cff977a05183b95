import { asRecord, isRecord } from '../is-record.js'
import type { CallParams } from '../sdk/call-params.js'

/**
 * Services that are spoken to like any OpenAI-compatible server, but take no fields that they do
 * not know.
 */
const services = new Set(
  [
    'openai azure azureopenai anthropic google googlevertex vertex mistral mistralai groq xai deepseek perplexity cohere',
    'together togetherai fireworks fireworksai deepinfra cerebras moonshotai alibaba baseten vercel gateway huggingface',
    'openrouter github githubmodels',
  ].flatMap(line => line.split(' ')),
)

/**
 * Asks the server not to strip special tokens, which many formats are made of. Only servers of the
 * user's own are asked: the providers made by `createOpenAICompatible`, whose own name is the key
 * under which a field reaches the request as it is.
 */
export function keepSpecialTokens(params: CallParams, model: unknown): CallParams {
  const { provider, specificationVersion } = asRecord(model)
  const [, name] = /^([^.]+)\.(?:.*\.)?(?:chat|completion)$/.exec(String(provider)) ?? []
  if (name === undefined || services.has(name.toLowerCase().replace(/[^a-z]/g, ''))) return params
  const camelCase = name.replace(/[_-]([a-z])/g, (_, letter: string) => letter.toUpperCase())
  // Older providers know only the name as it is.
  const keys = specificationVersion === 'v2' ? [name] : [camelCase, name]
  const { providerOptions = {} } = params
  if (keys.some(key => asRecord(providerOptions[key]).skip_special_tokens !== undefined))
    return params
  // Beside what the user says, so that nothing else changes.
  const key = keys.find(each => isRecord(providerOptions[each])) ?? keys[0] ?? name
  const options = { ...asRecord(providerOptions[key]), skip_special_tokens: false }
  return { ...params, providerOptions: { ...providerOptions, [key]: options } }
}
