import type { ServerConfig, UpstreamState } from '@toolglot/proxy/node'
import { describeUpstream, nameModels } from './describe-upstream.js'
import { printable, wrap } from './terminal-text.js'

/** Returns what a terminal shows when the proxy listens: the addresses for clients. */
export function startScreen(address: string, { clientKeys }: ServerConfig): string {
  const url = clientUrl(address)
  const key = clientKeys.length > 0 ? 'one of the configured client keys' : 'any'
  return `
toolglot proxy is listening. Ctrl+C stops it.

  OpenAI clients     ${url}/v1
  Anthropic clients  ${url}
  API key            ${key}
`
}

/**
 * Returns what a terminal of `width` columns shows once the servers were asked: their state, and a
 * line to try.
 */
export function upstreamScreen(
  address: string,
  { clientKeys, models: rules }: ServerConfig,
  states: readonly UpstreamState[],
  width: number,
): string {
  const lines = states.flatMap(state => {
    const described = wrap(describeUpstream(state), width - INDENT.length)
    const below = [...described, ...nameModels(state)].map(line => INDENT + line)
    return [`  Upstream           ${state.baseUrl}`, ...below]
  })
  const named = rules.map(({ match }) => match).find(match => !match.includes('*'))
  const model = named ?? states.flatMap(({ models }) => models)[0]
  const example =
    model === undefined ? '' : curlLine(clientUrl(address), model, clientKeys.length > 0)
  return `\n${lines.join('\n')}\n\n${example}`
}

const INDENT = ' '.repeat(21)

/** An address of all interfaces is none that a client can use. */
function clientUrl(address: string): string {
  return address.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\]):/, 'http://127.0.0.1:')
}

function curlLine(url: string, model: string, needsKey: boolean): string {
  const body = `{"model": ${JSON.stringify(printable(model))},
         "messages": [{"role": "user", "content": "Hello"}]}`
  const key = needsKey ? "    -H 'authorization: Bearer CLIENT_KEY' \\\n" : ''
  return `  Try it:

  curl ${url}/v1/chat/completions \\
    -H 'content-type: application/json' \\
${key}    -d ${quoted(body)}

`
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
