import type { UpstreamConfig } from '../config.js'

/** Shorter keys also occur in ordinary words. */
const MIN_SECRET_CHARS = 6

/** Shorter values of cookies may be settings. */
const MIN_SESSION_CHARS = 10

/** Keys that mean "no key". They are written in many guides, and in ordinary text. */
const placeholders = new Set([
  ...['dummy', 'empty', 'example', 'llama.cpp', 'lm-studio', 'lmstudio', 'local', 'localhost'],
  ...['no-key', 'no-key-required', 'no_key', 'nokey', 'none', 'not-needed', 'not-required'],
  ...['null', 'ollama', 'openai', 'placeholder', 'sk-no-key-required', 'string', 'token'],
  ...['undefined', 'unused', 'vllm'],
])

/** Keys of a server, by how much text may be replaced for them. */
export interface Secrets {
  /** Long enough that no ordinary text contains them: replaced everywhere. */
  readonly strong: readonly string[]
  /** `abc`: replaced after `Bearer`, and where errors and headers have it as a word of its own. */
  readonly short: readonly string[]
  /** `none`: replaced only where errors and headers have it as a word of its own. */
  readonly placeholders: readonly string[]
}

/** The keys that are sent to a server, also those in headers. */
export function keysOf({ apiKey, headers = {} }: UpstreamConfig): string[] {
  const ofHeaders = Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name))
    .flatMap(([name, value]) => secretsIn(name, value))
  return [...(apiKey === undefined ? [] : [apiKey]), ...ofHeaders].filter(key => key !== '')
}

/** The keys in the value of a header: a server may repeat a key without what is around it. */
function secretsIn(name: string, value: string): string[] {
  // `session=0a1b2c3d4e5f; theme=dark`
  const cookies = /cookie/i.test(name) ? value.split(';') : []
  const sessions = cookies
    .map(pair => pair.replace(/^[^=]*=/, '').trim())
    .filter(each => each.length >= MIN_SESSION_CHARS)
  if (sessions.length > 0) return sessions
  // `Bearer sk-1`, `Token sk-1`, `Key sk-1`
  const [, key = value] = /^[a-z][\w-]*\s+(\S+)$/i.exec(value.trim()) ?? []
  return [key]
}

export function isPlaceholder(key: string): boolean {
  return placeholders.has(key.toLowerCase())
}

export function isLongEnough(key: string): boolean {
  return key.length >= MIN_SECRET_CHARS
}

export function secretsOf(upstream: UpstreamConfig): Secrets {
  const keys = keysOf(upstream)
  const real = keys.filter(key => !isPlaceholder(key))
  return {
    strong: real.filter(isLongEnough),
    short: real.filter(key => !isLongEnough(key)),
    placeholders: keys.filter(isPlaceholder),
  }
}

/** A key as it is, in JSON, in JSON in a string of JSON, and in a URL. */
export function spellings(key: string): string[] {
  const json = inJson(key)
  return [key, json, inJson(json), key.replaceAll('/', '\\/'), encodeURIComponent(key)]
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
