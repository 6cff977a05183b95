import { getProtocol, listProtocols } from '@toolglot/parser'
import { parseOptions, UsageError } from '../usage-error.js'

export const demoHelp = `Usage: toolglot demo [options]

Runs an agent loop with tools on a model that only writes text. The left column shows the model's text, the right
one the parts that the middleware emits. Without --base-url the model is a script that is part of the program.

Options:
  --protocol NAME   how the model writes its calls (default: hermes, and auto for an endpoint); one of:
${wrapNames(['auto', ...listProtocols()], '                    ', 100)}
  --fast            do not slow the scripted model down
  --plain           a log instead of two columns; also used if stdout is not a terminal of at least 80 columns
  --no-color        no colors; the variable NO_COLOR does the same
  --base-url URL    use the model of an OpenAI-compatible endpoint, such as http://localhost:8080/v1;
                    its key is read from TOOLGLOT_API_KEY or OPENAI_API_KEY, if one is set
  --model NAME      the model of that endpoint
  --prompt TEXT     the prompt for that model
  --help            show this help
`

export interface DemoOptions {
  readonly isHelp: boolean
  readonly protocolName: string
  readonly isFast: boolean
  readonly isPlain: boolean
  readonly hasColor: boolean
  readonly endpoint: EndpointOptions | undefined
}

export interface EndpointOptions {
  readonly baseUrl: string
  readonly modelName: string
  readonly prompt: string | undefined
}

export function parseDemoOptions(argv: readonly string[]): DemoOptions {
  const { values, positionals } = parseOptions({
    args: [...argv],
    options: {
      protocol: { type: 'string' },
      fast: { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
      'no-color': { type: 'boolean', default: false },
      'base-url': { type: 'string' },
      model: { type: 'string' },
      prompt: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  })
  if (positionals.length)
    throw new UsageError(`demo takes only options, not arguments: ${positionals.join(' ')}`)
  const { fast, plain, help, model, prompt } = values
  const endpoint = readEndpoint(values['base-url'], model, prompt)
  const { protocol = endpoint ? 'auto' : 'hermes' } = values
  checkProtocol(protocol)
  return {
    isHelp: help,
    protocolName: protocol,
    isFast: fast,
    isPlain: plain,
    hasColor: !values['no-color'],
    endpoint,
  }
}

function checkProtocol(name: string): void {
  try {
    getProtocol(name)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(error.message)
  }
}

function readEndpoint(
  baseUrl: string | undefined,
  modelName: string | undefined,
  prompt: string | undefined,
): EndpointOptions | undefined {
  if (baseUrl === undefined) {
    const promptFlag = prompt === undefined ? undefined : '--prompt'
    const given = modelName === undefined ? promptFlag : '--model'
    if (given)
      throw new UsageError(
        `${given} needs --base-url: the scripted model has neither a name nor a prompt.`,
      )
    return undefined
  }
  if (modelName === undefined)
    throw new UsageError('--base-url needs --model, the name of the model at that endpoint.')
  if (!/^https?:$/.test(parseUrl(baseUrl)?.protocol ?? '')) {
    throw new UsageError(
      `--base-url is ${JSON.stringify(baseUrl)}; expected a URL like http://localhost:8080/v1.`,
    )
  }
  return { baseUrl, modelName, prompt }
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function wrapNames(names: readonly string[], indent: string, width: number): string {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    const longer = last === undefined ? '' : `${last}, ${name}`
    if (last !== undefined && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(`${indent}${name}`)
  }
  return lines.join(',\n')
}
