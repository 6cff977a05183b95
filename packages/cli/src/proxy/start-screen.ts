import { ruleFor, type ServerConfig, type UpstreamState, upstreamFor } from '@toolglot/proxy/node'
import { jsonText } from '../json-text.js'
import { describeUpstream, describeUse, nameModels } from './describe-upstream.js'
import { wrap } from './terminal-text.js'

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
  config: ServerConfig,
  states: readonly UpstreamState[],
  width: number,
): string {
  const lines = states.flatMap(state => {
    const fit = (text: string) => wrap(text, width - INDENT.length)
    const use = describeUse(config, state).flatMap(fit)
    const below = [...fit(describeUpstream(state)), ...nameModels(state), ...use].map(
      line => INDENT + line,
    )
    return [`  Upstream           ${state.baseUrl}`, ...below]
  })
  const model = modelToTry(config, states)
  const hasKeys = config.clientKeys.length > 0
  const example = model === undefined ? '' : curlLine(clientUrl(address), model, hasKeys)
  return `\n${lines.join('\n')}\n\n${example}`
}

const INDENT = ' '.repeat(21)

/** A line with a longer id could not be read. */
const MAX_TRIED_CHARS = 128

/**
 * Returns the first model that answers a chat: one that a rule names, or one that a server lists.
 * Undefined if none is known.
 */
function modelToTry(config: ServerConfig, states: readonly UpstreamState[]): string | undefined {
  const named = config.models.map(({ match }) => match).filter(match => !match.includes('*'))
  const listed = states.flatMap(({ models }) => models)
  return [...named, ...listed].find(model => {
    if (model.length > MAX_TRIED_CHARS || /embed|rerank/i.test(model)) return false
    const rule = ruleFor(config, model)
    // Requests may go to another server than the one that lists this model.
    const { name } = upstreamFor(config, rule)
    const state = states.find(each => each.name === name)
    return state?.models.includes(rule.model ?? model)
  })
}

/** Returns an address that a client can use: `0.0.0.0` means all addresses of the machine. */
function clientUrl(address: string): string {
  return address.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\]):/, 'http://127.0.0.1:')
}

function curlLine(url: string, model: string, needsKey: boolean): string {
  const body = `{"model": ${jsonForShell(model)},
         "messages": [{"role": "user", "content": "Hello"}]}`
  const key = needsKey ? "    -H 'authorization: Bearer CLIENT_KEY' \\\n" : ''
  return `  Try it:

  curl ${url}/v1/chat/completions \\
    -H 'content-type: application/json' \\
${key}    -d '${body}'

`
}

/**
 * Returns a text as JSON that can be written between single quotes in bash, zsh and fish. In these
 * quotes `'` ends the text, and fish reads `\\` as one backslash.
 */
function jsonForShell(text: string): string {
  return jsonText(text).replaceAll('\\\\', '\\u005c').replaceAll("'", '\\u0027')
}
