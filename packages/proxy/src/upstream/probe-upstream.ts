import type { UpstreamConfig } from '../config.js'
import { isRecord } from '../is-record.js'

/** What is known of a server after asking it for its models. */
export interface UpstreamState {
  readonly name: string
  readonly baseUrl: string
  /** True if anything answered. */
  readonly isReached: boolean
  /** The program: `llama.cpp`, `Ollama`, … Undefined if it cannot be told. */
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
    return { ...state, problem: await explainStatus(answer.status, baseUrl, ask) }
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

async function explainStatus(status: number, baseUrl: string, ask: Ask): Promise<string> {
  if (status === 401 || status === 403)
    return `it rejects the key (${status}). Set apiKeyEnv in the file, or TOOLGLOT_UPSTREAM_API_KEY.`
  // `http://localhost:11434` in place of `http://localhost:11434/v1`
  const isWithoutPath = !/\/v\d+$/.test(baseUrl)
  if (status === 404 && isWithoutPath && (await isOk(`${baseUrl}/v1/models`, ask)))
    return `it answers at ${baseUrl}/v1. Add /v1 to the URL.`
  return `${baseUrl}/models was answered with ${status}. Is the path of the URL right?`
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Is the server running?',
  ENOTFOUND: 'its host was not found. Is the name right?',
  EAI_AGAIN: 'its host was not found. Is the name right?',
  ECONNRESET: 'it closed the connection. Is it http or https?',
}

function explainFailure(error: unknown, timeoutMs: number): string {
  if (isRecord(error) && error.name === 'TimeoutError')
    return `there was no answer within ${timeoutMs / 1000} s.`
  const cause = isRecord(error) && isRecord(error.cause) ? error.cause : {}
  const { code } = cause
  if (typeof code !== 'string') return 'it cannot be reached. Is the URL right?'
  return reasons[code] ?? `it cannot be reached (${code}).`
}
