import type { Environment } from './environment.js'
import { UsageError } from './usage-error.js'

/** A model, and the URL of its endpoint. */
export interface Target {
  readonly model: string
  readonly baseUrl: string
}

/** A key and its variable. */
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

/** Finds the models to run and their endpoints. Flags win over the environment. */
export function findTargets({ baseUrl, models }: TargetFlags, env: Environment): Target[] {
  if (baseUrl !== undefined) {
    // ZAI_MODEL is used only for Z.ai.
    const names = isZai(baseUrl, env) ? withDefault(models, env.ZAI_MODEL) : models
    return requireModels(names).map(model => ({ model, baseUrl }))
  }
  const zai = env.ZAI_API_KEY || env.ZAI_BASE_URL ? readZaiUrl(env) : undefined
  const openRouter = env.OPENROUTER_API_KEY ? openRouterUrl : undefined
  const other = openRouter ?? zai
  if (other === undefined) {
    throw new UsageError(
      '--base-url is missing: the URL of an endpoint, such as http://localhost:8080/v1. Or set OPENROUTER_API_KEY or ZAI_API_KEY, in the environment or in .env.',
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
    '--model is missing: the name of the model at the endpoint. --models accepts several, separated by commas; ZAI_MODEL names the model of Z.ai.',
  )
}

/**
 * Finds the key for a URL. A vendor's key is used only for that vendor's URLs; TOOLGLOT_API_KEY is
 * used for `--base-url`, whatever that is.
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

/** Returns all keys, so that they can be removed from everything that is written. */
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

/** Compares scheme, host and port: `http://openrouter.ai` is not `https://openrouter.ai`. */
function hasOrigin(address: string, vendor: string): boolean {
  return new URL(address).origin === new URL(vendor).origin
}

function isSameUrl(left: string, right: string): boolean {
  return new URL(left).href === new URL(right).href
}

/** Checks the URL of an endpoint. `name` is the flag or the variable that contains it. */
export function readUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `${name} is ${JSON.stringify(text)}; expected a URL like http://localhost:8080/v1.`,
    )
  }
  // The URL is written into the results, which must not contain secrets.
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError(
      `${name} must not contain a user, a password, ? or #; put keys into variables such as TOOLGLOT_API_KEY.`,
    )
  }
  return text.replace(/\/+$/, '')
}
