// Servers differ in which spellings of a path they read as the same. A request whose tools the proxy
// shall write into the prompt must not get around that by a spelling that only the server knows:
// `/v1//chat/completions/`, `/v1/chat%2fcompletions`, `/V1/Chat/Completions`, `/chat/completions`.

/** How often a path may be encoded: `%252f` is `%2f`, which is `/`. */
const MAX_DECODINGS = 4

/** Paths that the proxy answers, without `/v1`. */
const apiPaths = new Set([
  '/chat/completions',
  '/responses',
  '/messages',
  '/messages/count_tokens',
  '/models',
])
/** Paths of the proxy itself. */
const ownPaths = new Set(['/health', '/ready', '/metrics'])

/** The first segments of paths that the proxy answers, with more after them: `/responses/resp_1`. */
const apiRoots = new Set(['chat', 'responses', 'messages', 'models'])

/** Returns the path that a request is routed by: `/v1/chat/completions` for all its spellings. */
export function routePath(pathname: string): string {
  const path = `/${segmentsOf(pathname).join('/')}`
  const lower = path.toLowerCase()
  if (ownPaths.has(lower)) return lower
  const [, versions = ''] = /^((?:\/v1)*)(?:\/|$)/.exec(lower) ?? []
  const rest = path.slice(versions.length)
  const lowerRest = lower.slice(versions.length)
  if (apiPaths.has(lowerRest)) return `/v1${lowerRest}`
  const [, root = ''] = lowerRest.split('/', 2)
  // An id after the first segment keeps its case: `/responses/resp_aB`.
  return apiRoots.has(root) ? `/v1/${root}${rest.slice(root.length + 1)}` : path
}

/**
 * Returns the path as the server gets it: without `/v1`, which its base URL has, and otherwise as it
 * was sent. Undefined if it would leave the server's base URL: `/v1/..%2f..%2fadmin`.
 */
export function forwardPath(pathname: string): string | undefined {
  const isOutside = decode(pathname)
    .split(/[/\\]/)
    .some(segment => clean(segment) === '..')
  return isOutside ? undefined : pathname.replace(/^(?:\/+v1(?=\/|$))+/i, '')
}

/** The segments of a path, decoded, without those that are empty or dots. */
function segmentsOf(pathname: string): string[] {
  const segments: string[] = []
  for (const written of decode(pathname).split(/[/\\]/)) {
    const segment = clean(written)
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

function decode(pathname: string): string {
  let path = pathname
  for (let i = 0; i < MAX_DECODINGS && path.includes('%'); i++) {
    path = path.replace(/(?:%[0-9a-f]{2})+/gi, bytes => {
      try {
        return decodeURIComponent(bytes)
      } catch {
        // `%ff` is not UTF-8.
        return bytes
      }
    })
  }
  return path
}

/** `completions;v=1` and `completions%20` are `completions` to some servers. */
function clean(segment: string): string {
  const [name = ''] = segment.split(';', 1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: some servers drop or end at these.
  return name.replace(/[\u0000-\u0020\u007f]/g, '')
}
