/**
 * What the proxy is told. Files, flags and environment are read elsewhere; this is what they come
 * to.
 */
export interface ProxyConfig {
  /** The servers behind the proxy. A model that names none goes to the first. */
  readonly upstreams: readonly UpstreamConfig[]
  /** What is done for which models: the first rule that fits. */
  readonly models: readonly ModelRule[]
  /** Keys that clients must present; without any, everybody may ask. */
  readonly clientKeys: readonly string[]
  readonly limits: Limits
  /** How long a stream may be silent before a comment keeps it alive. */
  readonly heartbeatMs: number
}

export interface UpstreamConfig {
  readonly name: string
  /** With its path: `http://127.0.0.1:8080/v1`. */
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ModelRule {
  /** A model id in which `*` stands for anything. */
  readonly match: string
  /**
   * `prompt`: tools go into the prompt. `rescue`: they go to the server, and calls that it
   * overlooks are found. `off`: nothing is touched.
   */
  readonly mode: 'prompt' | 'rescue' | 'off'
  /** A protocol's name, or `auto`. */
  readonly protocol: string
  readonly upstream?: string | undefined
  /** The id that the server knows, where it is another. */
  readonly model?: string | undefined
  readonly reasoning?: boolean | undefined
  readonly startWithReasoning?: boolean | undefined
  readonly callsInReasoning?: boolean | undefined
  readonly keepSpecialTokens?: boolean | undefined
  /** Fields of the request to the server that are set, whatever the client says. */
  readonly set?: Readonly<Record<string, unknown>> | undefined
  /** Fields that are left out. */
  readonly strip?: readonly string[] | undefined
}

export interface Limits {
  /** Of a request's body. */
  readonly bodyBytes: number
  /** From the request to the end of the answer. */
  readonly requestMs: number
  /** Until the server's answer begins. */
  readonly firstByteMs: number
  /** Between two pieces of the server's answer. */
  readonly idleMs: number
  /** Requests at a time. */
  readonly concurrency: number
  /** Of a server's answer that does not come as a stream, or of one event of a stream. */
  readonly answerBytes: number
  /** Text that the parser may hold back while it is not clear what it is. */
  readonly heldChars: number
}

export const defaultLimits: Limits = {
  bodyBytes: 32 * 1024 * 1024,
  requestMs: 30 * 60_000,
  firstByteMs: 10 * 60_000,
  idleMs: 5 * 60_000,
  concurrency: 512,
  answerBytes: 64 * 1024 * 1024,
  heldChars: 1_048_576,
}

export const defaultRule: ModelRule = { match: '*', mode: 'prompt', protocol: 'auto' }

/** The first rule that fits a model. */
export function ruleFor(config: ProxyConfig, model: string): ModelRule {
  return config.models.find(rule => fits(rule.match, model)) ?? defaultRule
}

export function upstreamFor(config: ProxyConfig, rule: ModelRule): UpstreamConfig {
  const named =
    config.upstreams.find(upstream => upstream.name === rule.upstream) ?? config.upstreams[0]
  if (!named) throw new TypeError('There is no upstream; give at least one.')
  return named
}

function fits(glob: string, model: string): boolean {
  const pattern = glob.split('*').map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`, 'is').test(model)
}
