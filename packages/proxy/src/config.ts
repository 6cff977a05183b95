import type { Tolerance } from '@toolglot/parser'
import { findByGlob } from './glob.js'

/** The configuration of a proxy. `config-file/` makes one from a file, flags and environment. */
export interface ProxyConfig {
  /** The upstream servers. The first one answers for models whose rule names no server. */
  readonly upstreams: readonly UpstreamConfig[]
  /** Rules for models. The first rule that matches is used. */
  readonly models: readonly ModelRule[]
  /** Keys that clients may send. If the list is empty, everybody can use the proxy. */
  readonly clientKeys: readonly string[]
  /**
   * Host names that requests may name besides those of the machine itself (`localhost`,
   * `127.0.0.1`, `[::1]`); `*` matches any text. Checked only if `clientKeys` is empty. A proxy on
   * an edge runtime that needs no keys names its own host here. Default: none.
   */
  readonly hosts?: readonly string[] | undefined
  /** Web pages that may use the proxy. */
  readonly cors?: CorsConfig | undefined
  readonly limits: Limits
  /** What is stored of `/v1/responses`. Default: `defaultStore`. */
  readonly store?: StoreLimits | undefined
  /** How long a stream may be silent before a comment is sent to keep it alive. */
  readonly heartbeatMs: number
  /**
   * What becomes of tools that only the server of their vendor can run, such as `web_search`. `drop`:
   * they are left out, and the answer has a warning in a header. `refuse`: the request gets a 400.
   * Default: `drop`.
   */
  readonly serverTools?: 'drop' | 'refuse' | undefined
}

/** Limits of the store in memory. A store of your own has limits of its own. */
export interface StoreLimits {
  /** Responses that are stored at the same time. 0: nothing is stored, in a store of your own too. */
  readonly responses: number
  /** Bytes of all stored responses with their input. */
  readonly bytes: number
  /** How long a response is stored after its last use. A store of your own gets it as `ttl`. */
  readonly ageMs: number
}

export interface CorsConfig {
  /**
   * Origins besides those of the machine itself (`http://localhost:3000`); `*` matches any text.
   * `null`, `app://…` and `vscode-webview://…` are origins too. Default: none.
   */
  readonly origins?: readonly string[] | undefined
}

export interface UpstreamConfig {
  readonly name: string
  /** The URL with its path: `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ModelRule {
  /** A model id in which `*` matches any text. */
  readonly match: string
  /**
   * `prompt`: the tools are written into the prompt. `rescue`: the server gets the tools and parses
   * calls, and the proxy finds those that it missed. `off`: requests are passed through.
   */
  readonly mode: 'prompt' | 'rescue' | 'off'
  /** A protocol's name, or `auto`. */
  readonly protocol: string
  readonly upstream?: string | undefined
  /** The id of the model on the server, if it is different. */
  readonly model?: string | undefined
  readonly reasoning?: boolean | undefined
  readonly startWithReasoning?: boolean | undefined
  readonly callsInReasoning?: boolean | undefined
  /**
   * `ordered` (the default): one system message at the beginning, roles that alternate, and no
   * fields that only the services of vendors know. `verbatim`: what the client sent.
   */
  readonly messages?: 'ordered' | 'verbatim' | undefined
  /** What becomes of a call that is not written to the letter of its format. */
  readonly tolerance?: Tolerance | undefined
  readonly keepSpecialTokens?: boolean | undefined
  /** Fields that are set in the request to the server, whatever the client sends. */
  readonly set?: Readonly<Record<string, unknown>> | undefined
  /** Fields that are removed from the request to the server. */
  readonly strip?: readonly string[] | undefined
}

export interface Limits {
  /** Size of a request's body. */
  readonly bodyBytes: number
  /** Size of all bodies that are arriving, together. Beyond it the slowest one is given up. */
  readonly bodiesBytes: number
  /** Time that the body of a request may take to arrive. */
  readonly bodyMs: number
  /** Time from the request to the end of the answer. */
  readonly requestMs: number
  /** Time until the server's answer begins. */
  readonly firstByteMs: number
  /** Time between two pieces of the server's answer. */
  readonly idleMs: number
  /** Requests that are answered at the same time. */
  readonly concurrency: number
  /** Size of a server's answer that is not a stream, or of one event of a stream. */
  readonly answerBytes: number
  /** Characters that the parser may hold back until it knows what they are. */
  readonly heldChars: number
}

export const defaultLimits: Limits = {
  bodyBytes: 32 * 1024 * 1024,
  bodiesBytes: 256 * 1024 * 1024,
  bodyMs: 60_000,
  requestMs: 30 * 60_000,
  firstByteMs: 10 * 60_000,
  idleMs: 5 * 60_000,
  concurrency: 512,
  answerBytes: 64 * 1024 * 1024,
  heldChars: 1_048_576,
}

export const defaultStore: StoreLimits = {
  responses: 10_000,
  bytes: 64 * 1024 * 1024,
  ageMs: 24 * 60 * 60_000,
}

export const defaultRule: ModelRule = { match: '*', mode: 'prompt', protocol: 'auto' }

/** Returns the first rule that matches a model. */
export function ruleFor(config: ProxyConfig, model: string): ModelRule {
  return findByGlob(config.models, rule => rule.match, model) ?? defaultRule
}

export function upstreamFor(config: ProxyConfig, rule: ModelRule): UpstreamConfig {
  const named =
    config.upstreams.find(upstream => upstream.name === rule.upstream) ?? config.upstreams[0]
  if (!named) throw new TypeError('No upstream is configured; at least one is needed.')
  return named
}
