import { parseArgs } from 'node:util'
import { getProtocol, protocolNames } from '@toolglot/parser'
import { maxDistractors } from './distractors.js'
import { messageOf } from './json.js'
import { type TaskKind, taskKinds } from './task.js'
import { UsageError } from './usage-error.js'

export const defaultSystem = 'You are a careful assistant. Use the tools where they help; otherwise answer in words.'

/** What changes the requests. Results are only comparable where all of it is the same. */
export interface RunConfig {
  readonly baseUrl: string
  readonly model: string
  readonly isStreaming: boolean
  /** Absent: the endpoint decides. */
  readonly temperature?: number | undefined
  readonly seed: number
  readonly maxSteps: number
  readonly maxOutputTokens?: number | undefined
  readonly timeoutSeconds: number
  readonly hasToolDescriptions: boolean
  readonly hasParameterDescriptions: boolean
  readonly placement: 'first' | 'last'
  /** Empty: no system message of ours. */
  readonly system: string
  readonly isShuffled: boolean
  readonly distractors: number
  readonly toolChoice: 'auto' | 'required'
  readonly judgeModel?: string | undefined
  readonly judgeBaseUrl?: string | undefined
}

export interface LiveOptions {
  readonly config: RunConfig
  readonly protocols: readonly string[]
  readonly reps: number
  readonly kinds: readonly TaskKind[]
  readonly filters: readonly string[]
  readonly bfclDir: string | undefined
  readonly bfclLimit: number | undefined
  readonly concurrency: number
  readonly retries: number
  readonly outDir: string
}

export type ParsedOptions =
  | { readonly type: 'help' }
  | { readonly type: 'list'; readonly selection: TaskSelection }
  | { readonly type: 'run'; readonly options: LiveOptions }

export type TaskSelection = Pick<LiveOptions, 'kinds' | 'filters' | 'bfclDir' | 'bfclLimit'> & { readonly seed: number }

const flags = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  protocols: { type: 'string', default: 'native,hermes' },
  reps: { type: 'string', default: '3' },
  kind: { type: 'string', multiple: true },
  filter: { type: 'string', multiple: true },
  bfcl: { type: 'string' },
  'bfcl-limit': { type: 'string' },
  list: { type: 'boolean', default: false },
  stream: { type: 'boolean', default: false },
  temperature: { type: 'string', default: '0' },
  seed: { type: 'string', default: '1' },
  'max-steps': { type: 'string', default: '16' },
  'max-output-tokens': { type: 'string' },
  timeout: { type: 'string', default: '300' },
  concurrency: { type: 'string', default: '1' },
  retries: { type: 'string', default: '4' },
  'no-tool-descriptions': { type: 'boolean', default: false },
  'no-parameter-descriptions': { type: 'boolean', default: false },
  placement: { type: 'string', default: 'first' },
  system: { type: 'string' },
  'no-system': { type: 'boolean', default: false },
  'shuffle-tools': { type: 'boolean', default: false },
  distractors: { type: 'string', default: '0' },
  'tool-choice': { type: 'string', default: 'auto' },
  'judge-model': { type: 'string' },
  'judge-base-url': { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export function parseLiveOptions(argv: readonly string[]): ParsedOptions {
  const values = readFlags(argv)
  if (values.help) return { type: 'help' }
  const selection: TaskSelection = {
    kinds: (values.kind ?? []).map(kind => readChoice('--kind', kind, taskKinds)),
    filters: values.filter ?? [],
    bfclDir: values.bfcl,
    bfclLimit: readOptionalInteger('--bfcl-limit', values['bfcl-limit'], 1),
    seed: readInteger('--seed', values.seed, 0),
  }
  if (selection.bfclDir === undefined) {
    if (selection.kinds.includes('bfcl')) throw new UsageError('--kind bfcl needs --bfcl, the directory of its files.')
    if (selection.bfclLimit !== undefined)
      throw new UsageError('--bfcl-limit needs --bfcl, the directory of its files.')
  }
  if (values.list) return { type: 'list', selection }
  const config = readConfig(values, selection.seed)
  const { seed: _seed, ...rest } = selection
  const options: LiveOptions = {
    ...rest,
    config,
    protocols: readProtocols(values.protocols),
    reps: readInteger('--reps', values.reps, 1),
    concurrency: readInteger('--concurrency', values.concurrency, 1),
    retries: readInteger('--retries', values.retries, 0),
    outDir: values.out ?? `bench-live-results/${config.model.replace(/[^\w.-]+/g, '_')}`,
  }
  return { type: 'run', options }
}

type Values = ReturnType<typeof readFlags>

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags }).values
  } catch (error) {
    // Node's first sentence says what is wrong; those behind it are about positional arguments.
    const [problem = ''] = messageOf(error).split(/\. |\n/)
    throw new UsageError(`${problem.replace(/\.$/, '')}. --help lists the options.`)
  }
}

function readConfig(values: Values, seed: number): RunConfig {
  if (values['base-url'] === undefined) {
    throw new UsageError('--base-url is missing: the endpoint, such as http://localhost:8080/v1.')
  }
  if (!values.model) throw new UsageError('--model is missing: the name of the model at the endpoint.')
  if (values.system !== undefined && values['no-system']) {
    throw new UsageError('--system and --no-system exclude each other.')
  }
  if (values['judge-base-url'] !== undefined && values['judge-model'] === undefined) {
    throw new UsageError('--judge-base-url needs --judge-model, the name of the model at that endpoint.')
  }
  return {
    baseUrl: readUrl('--base-url', values['base-url']),
    model: values.model,
    isStreaming: values.stream,
    temperature: values.temperature === 'default' ? undefined : readNumber('--temperature', values.temperature, 0),
    seed,
    maxSteps: readInteger('--max-steps', values['max-steps'], 1),
    maxOutputTokens: readOptionalInteger('--max-output-tokens', values['max-output-tokens'], 1),
    timeoutSeconds: readNumber('--timeout', values.timeout, 0.001),
    hasToolDescriptions: !values['no-tool-descriptions'],
    hasParameterDescriptions: !values['no-parameter-descriptions'],
    placement: readChoice('--placement', values.placement, ['first', 'last']),
    system: values['no-system'] ? '' : (values.system ?? defaultSystem),
    isShuffled: values['shuffle-tools'],
    distractors: readInteger('--distractors', values.distractors, 0, maxDistractors),
    toolChoice: readChoice('--tool-choice', values['tool-choice'], ['auto', 'required']),
    judgeModel: values['judge-model'],
    judgeBaseUrl:
      values['judge-base-url'] === undefined ? undefined : readUrl('--judge-base-url', values['judge-base-url']),
  }
}

function readProtocols(text: string): string[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (names.length === 0) throw new UsageError('--protocols is empty.')
  for (const name of names) {
    try {
      if (name !== 'native') getProtocol(name)
    } catch {
      throw new UsageError(
        `--protocols: there is no protocol ${JSON.stringify(name)}. There are: native, ${protocolNames().join(', ')}.`,
      )
    }
  }
  return [...new Set(names)]
}

function readUrl(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it must be like http://localhost:8080/v1.`)
  }
  // The URL is written into the results, where secrets have no place.
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError(`${flag} must be without user, password, ? and #; the key goes into TOOLGLOT_API_KEY.`)
  }
  return text.replace(/\/+$/, '')
}

function readNumber(flag: string, text: string, min: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value) || value < min) {
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it must be a number of at least ${min}.`)
  }
  return value
}

function readInteger(flag: string, text: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it must be a whole number ${range}.`)
  }
  return value
}

function readOptionalInteger(flag: string, text: string | undefined, min: number): number | undefined {
  return text === undefined ? undefined : readInteger(flag, text, min)
}

function readChoice<Choice extends string>(flag: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find(each => each === text)
  if (choice === undefined) {
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it must be one of: ${choices.join(', ')}.`)
  }
  return choice
}
