import type { Environment } from './environment.js'
import { UsageError } from './usage-error.js'

/** A model, and the address at which it is asked. */
export interface Target {
  readonly model: string
  readonly baseUrl: string
}

/** A key and the variable that it comes from. */
export interface Key {
  readonly variable: string
  readonly value: string
}

const openRouterUrl = 'https://openrouter.ai/api/v1'
const zaiUrl = 'https://api.z.ai/api/paas/v4'

export interface TargetFlags {
  /** `--base-url`, if it was given. */
  readonly baseUrl: string | undefined
  /** `--model` or `--models`; empty if neither was given. */
  readonly models: readonly string[]
}

/** Decides which models are asked, and where. Flags win over the environment. */
export function findTargets({ baseUrl, models }: TargetFlags, env: Environment): Target[] {
  if (baseUrl !== undefined) {
    // ZAI_MODEL is a model of Z.ai and of nobody else.
    const names = isZai(baseUrl, env) ? withDefault(models, env.ZAI_MODEL) : models
    return requireModels(names).map(model => ({ model, baseUrl }))
  }
  const zai = env.ZAI_API_KEY || env.ZAI_BASE_URL ? readZaiUrl(env) : undefined
  const openRouter = env.OPENROUTER_API_KEY ? openRouterUrl : undefined
  const other = openRouter ?? zai
  if (other === undefined) {
    throw new UsageError(
      '--base-url is missing: the endpoint, such as http://localhost:8080/v1. Or set OPENROUTER_API_KEY or ZAI_API_KEY, in the environment or in .env.',
    )
  }
  const names = requireModels(zai === undefined ? models : withDefault(models, env.ZAI_MODEL))
  return names.map(model => ({
    model,
    baseUrl: zai !== undefined && model === env.ZAI_MODEL ? zai : other,
  }))
}

function withDefault(models: readonly string[], model: string | undefined): readonly string[] {
  return models.length === 0 && model ? [model] : models
}

function requireModels(models: readonly string[]): readonly string[] {
  if (models.length) return models
  throw new UsageError(
    '--model is missing: the name of the model at the endpoint. --models takes several, with commas between them; ZAI_MODEL names the one of Z.ai.',
  )
}

/**
 * Finds the key for an address. A vendor's key is for the addresses of that vendor only;
 * TOOLGLOT_API_KEY is for `--base-url`, whatever that is.
 */
export function findKey(
  address: string,
  baseUrlFlag: string | undefined,
  env: Environment,
): Key | undefined {
  const isGiven = baseUrlFlag !== undefined && isSameUrl(address, baseUrlFlag)
  if (isGiven && env.TOOLGLOT_API_KEY)
    return { variable: 'TOOLGLOT_API_KEY', value: env.TOOLGLOT_API_KEY }
  if (isZai(address, env) && env.ZAI_API_KEY)
    return { variable: 'ZAI_API_KEY', value: env.ZAI_API_KEY }
  const isOpenRouter = hasOrigin(address, openRouterUrl)
  if (isOpenRouter && env.OPENROUTER_API_KEY)
    return { variable: 'OPENROUTER_API_KEY', value: env.OPENROUTER_API_KEY }
  return undefined
}

/** All keys that there are, so that none of them is written anywhere. */
export function listSecrets(env: Environment): (string | undefined)[] {
  return [env.TOOLGLOT_API_KEY, env.TOOLGLOT_JUDGE_API_KEY, env.OPENROUTER_API_KEY, env.ZAI_API_KEY]
}

function isZai(address: string, env: Environment): boolean {
  return (
    hasOrigin(address, zaiUrl) || (Boolean(env.ZAI_BASE_URL) && isSameUrl(address, readZaiUrl(env)))
  )
}

function readZaiUrl(env: Environment): string {
  return env.ZAI_BASE_URL ? readUrl('ZAI_BASE_URL', env.ZAI_BASE_URL) : zaiUrl
}

/** The same scheme, host and port: `http://openrouter.ai` is not `https://openrouter.ai`. */
function hasOrigin(address: string, vendor: string): boolean {
  return new URL(address).origin === new URL(vendor).origin
}

function isSameUrl(left: string, right: string): boolean {
  return new URL(left).href === new URL(right).href
}

/** Checks the address of an endpoint, given by a flag or a variable of that name. */
export function readUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${name} is ${JSON.stringify(text)}; it must be like http://localhost:8080/v1.`,
    )
  }
  // The URL is written into the results, where secrets have no place.
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError(
      `${name} must be without user, password, ? and #; keys go into variables such as TOOLGLOT_API_KEY.`,
    )
  }
  return text.replace(/\/+$/, '')
}
