import type { UpstreamConfig } from '../config.js'
import { clip } from '../http/clip.js'
import { redactorFor } from '../http/redactor.js'
import { keysOf } from '../http/secrets.js'
import { isRecord } from '../is-record.js'

/** What is known of a server after asking it for its models. */
export interface UpstreamState {
  readonly name: string
  readonly baseUrl: string
  /** True if anything answered. */
  readonly isReached: boolean
  /** The program: `llama.cpp`, `Ollama`, … Undefined if nothing in its answers shows it. */
  readonly kind: string | undefined
  readonly models: readonly string[]
  /** What is wrong, and what to do about it. */
  readonly problem: string | undefined
}

export interface ProbeOptions {
  readonly fetch?: typeof fetch | undefined
  /** How long to wait for an answer. Default: 3 seconds. */
  readonly timeoutMs?: number | undefined
}

const DEFAULT_TIMEOUT_MS = 3000

/** `owned_by` in the lists of models of the usual servers. */
const owners: ReadonlyMap<unknown, string> = new Map([
  ['llamacpp', 'llama.cpp'],
  ['library', 'Ollama'],
  ['vllm', 'vLLM'],
  ['sglang', 'SGLang'],
  ['organization_owner', 'LM Studio'],
])

/** Paths that only one program answers, for a server whose list of models is empty. */
const knownPaths: readonly (readonly [path: string, kind: string])[] = [
  ['/api/version', 'Ollama'],
  ['/api/v0/models', 'LM Studio'],
  ['/get_model_info', 'SGLang'],
]

type Ask = (url: string) => Promise<Response>

/** Asks a server for its models, and finds out which program it is. Never rejects. */
export async function probeUpstream(
  upstream: UpstreamConfig,
  { fetch: fetchUpstream = fetch, timeoutMs = DEFAULT_TIMEOUT_MS }: ProbeOptions = {},
): Promise<UpstreamState> {
  const { name, apiKey, headers } = upstream
  const baseUrl = upstream.baseUrl.replace(/\/+$/, '')
  const ask: Ask = url =>
    fetchUpstream(url, {
      headers: {
        ...headers,
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      // A redirect must not get the key.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
  const state = { name, baseUrl, isReached: true, kind: undefined, models: [], problem: undefined }
  try {
    const answer = await ask(`${baseUrl}/models`)
    if (answer.ok) return { ...state, ...(await readModels(answer, baseUrl, ask)) }
    await answer.body?.cancel()
    return { ...state, problem: await explainStatus(answer, { ...upstream, baseUrl }, ask) }
  } catch (error) {
    return { ...state, isReached: false, problem: explainFailure(error, timeoutMs) }
  }
}

async function readModels(
  answer: Response,
  baseUrl: string,
  ask: Ask,
): Promise<Pick<UpstreamState, 'kind' | 'models' | 'problem'>> {
  const body: unknown = await answer.json().catch(() => undefined)
  const list =
    isRecord(body) && (Array.isArray(body.data) || body.data === null) ? body.data : undefined
  if (list === undefined)
    return {
      kind: undefined,
      models: [],
      problem: `${baseUrl}/models is not a list of models. Is this the URL of an OpenAI-compatible server?`,
    }
  const entries = (list ?? []).filter(isRecord)
  const models = entries.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
  const owner = entries.map(({ owned_by: owned }) => owners.get(owned)).find(Boolean)
  const kind = serverHeader(answer) ?? owner ?? (await kindByPath(baseUrl, ask))
  const problem = models.length === 0 ? 'it lists no models. Load one first.' : undefined
  return { kind, models, problem }
}

/** `Server: llama.cpp` */
function serverHeader({ headers }: Response): string | undefined {
  return headers.get('server')?.startsWith('llama.cpp') ? 'llama.cpp' : undefined
}

async function kindByPath(baseUrl: string, ask: Ask): Promise<string | undefined> {
  const { origin } = new URL(baseUrl)
  for (const [path, kind] of knownPaths) {
    const isKnown = await isOk(origin + path, ask)
    if (isKnown) return kind
  }
  return undefined
}

async function isOk(url: string, ask: Ask): Promise<boolean> {
  try {
    const answer = await ask(url)
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

async function explainStatus(
  { status, headers }: Response,
  upstream: UpstreamConfig,
  ask: Ask,
): Promise<string> {
  const { baseUrl } = upstream
  if (status === 401 || status === 403) return explainRejection(status, upstream)
  if (status >= 300 && status < 400) {
    const location = headers.get('location') ?? 'another address'
    const target = redactorFor(upstream)?.strict(location) ?? location
    return `it redirects to ${clip(target)}, and the proxy does not follow. Write the URL that it moved to.`
  }
  if (status === 503)
    return 'it is not ready (503). Wait until its model is loaded, or look at its log.'
  if (status >= 500) return `it failed (${status}). Look at its log.`
  const right = status === 404 ? await findBaseUrl(baseUrl, ask) : undefined
  if (right !== undefined) return `its API is at ${right}. Write this URL.`
  return `it has no list of models (${status} at ${baseUrl}/models). If chats fail too, the path of the URL is wrong.`
}

function explainRejection(status: number, upstream: UpstreamConfig): string {
  const places = 'apiKeyEnv in the file, or TOOLGLOT_UPSTREAM_API_KEY'
  return keysOf(upstream).length === 0
    ? `it needs a key (${status}). Set ${places}.`
    : `it rejects the key (${status}). Correct ${places}.`
}

/** The path of an API in place of the one that all APIs share: `…/v1/chat/completions`. */
const apiPath = /\/(chat\/completions|completions|responses|messages|models)$/

/** Returns the URL that was meant if the one in the configuration has no list of models. */
async function findBaseUrl(baseUrl: string, ask: Ask): Promise<string | undefined> {
  const candidates = [
    // `http://localhost:8080/v1/chat/completions`
    baseUrl.replace(apiPath, ''),
    // `http://localhost:11434`, `https://models.example/api`
    `${baseUrl}/v1`,
    // `http://localhost:11434/api`
    `${new URL(baseUrl).origin}/v1`,
  ]
  for (const candidate of new Set(candidates)) {
    if (candidate !== baseUrl && (await isOk(`${candidate}/models`, ask))) return candidate
  }
  return undefined
}

const WRONG_HOST = 'its host was not found. Is the name right?'
const NO_TLS = 'it does not speak https. Write http:// in the URL.'
const UNTRUSTED =
  'its certificate is not trusted. Set NODE_EXTRA_CA_CERTS to the file of its authority.'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Start the server, before or after the proxy.',
  ENOTFOUND: WRONG_HOST,
  EAI_AGAIN: WRONG_HOST,
  ECONNRESET: 'it closed the connection. Is it http or https?',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
}

function explainFailure(error: unknown, timeoutMs: number): string {
  if (isRecord(error) && error.name === 'TimeoutError')
    return `there was no answer within ${timeoutMs / 1000} s. Is it busy, or another program?`
  const cause = isRecord(error) && isRecord(error.cause) ? error.cause : {}
  const { code } = cause
  if (typeof code !== 'string') return 'it cannot be reached. Is the URL right?'
  return reasons[code] ?? `it cannot be reached (${code}). Is the URL right?`
}
