import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getProtocol, listProtocols } from '@toolglot/parser'
import {
  type Ablation,
  ablationNames,
  basePlacement,
  type Placement,
  planVariants,
  type Variant,
} from './ablations.js'
import { maxDistractors } from './distractors.js'
import { findTargets, readUrl, type Target } from './endpoints.js'
import type { Environment } from './environment.js'
import { messageOf } from './json.js'
import { type TaskKind, taskKinds } from './task.js'
import { UsageError } from './usage-error.js'

export const defaultSystem =
  'You are a careful assistant. Use the tools where they help; otherwise answer in words.'

/**
 * Settings that change the requests of all rows. Only results with equal settings are comparable.
 */
export interface RunConfig {
  readonly isStreaming: boolean
  /** Absent: the endpoint decides. */
  readonly temperature?: number | undefined
  readonly seed: number
  readonly maxSteps: number
  readonly maxOutputTokens?: number | undefined
  readonly timeoutSeconds: number
  readonly hasToolDescriptions: boolean
  readonly hasParameterDescriptions: boolean
  readonly placement: Placement
  /** Empty: no system message. */
  readonly system: string
  readonly isShuffled: boolean
  readonly distractors: number
  readonly toolChoice: 'auto' | 'required'
  readonly judgeModel?: string | undefined
  readonly judgeBaseUrl?: string | undefined
}

export interface LiveOptions {
  readonly config: RunConfig
  readonly targets: readonly Target[]
  /** `--base-url`, if it was given: the URL that TOOLGLOT_API_KEY is sent to. */
  readonly baseUrlFlag: string | undefined
  readonly variants: readonly Variant[]
  /** Messages about the options, shown before anything is run. */
  readonly notes: readonly string[]
  readonly reps: number
  readonly kinds: readonly TaskKind[]
  readonly filters: readonly string[]
  /** Exact ids of tasks; empty for all. */
  readonly cases: readonly string[]
  readonly bfclDir: string | undefined
  readonly bfclLimit: number | undefined
  readonly concurrency: number
  readonly retries: number
  /** The file of the results, including earlier ones. */
  readonly resultsFile: string
  /** `--resume` was given, so the file must exist. */
  readonly mustResume: boolean
  /** Show what would be run, and send nothing. */
  readonly isDry: boolean
}

export type ParsedOptions =
  | { readonly type: 'help' }
  | { readonly type: 'list'; readonly selection: TaskSelection }
  | { readonly type: 'run'; readonly options: LiveOptions }

export type TaskSelection = Pick<
  LiveOptions,
  'kinds' | 'filters' | 'cases' | 'bfclDir' | 'bfclLimit'
> & {
  readonly seed: number
}

const flags = {
  'base-url': { type: 'string' },
  model: { type: 'string' },
  models: { type: 'string' },
  protocols: { type: 'string' },
  reps: { type: 'string', default: '3' },
  kind: { type: 'string', multiple: true },
  filter: { type: 'string', multiple: true },
  cases: { type: 'string' },
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
  ablation: { type: 'string', multiple: true },
  placement: { type: 'string' },
  system: { type: 'string' },
  'no-system': { type: 'boolean', default: false },
  'shuffle-tools': { type: 'boolean', default: false },
  distractors: { type: 'string', default: '0' },
  'tool-choice': { type: 'string', default: 'auto' },
  'judge-model': { type: 'string' },
  'judge-base-url': { type: 'string' },
  out: { type: 'string' },
  resume: { type: 'string' },
  dry: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Reads the flags, and the environment for what they do not set. */
export function parseLiveOptions(argv: readonly string[], env: Environment = {}): ParsedOptions {
  const values = readFlags(argv)
  if (values.help) return { type: 'help' }
  const selection: TaskSelection = {
    kinds: (values.kind ?? []).map(kind => readChoice('--kind', kind, taskKinds)),
    filters: values.filter ?? [],
    cases: values.cases === undefined ? [] : readList('--cases', values.cases),
    bfclDir: values.bfcl,
    bfclLimit: readOptionalInteger('--bfcl-limit', values['bfcl-limit'], 1),
    seed: readInteger('--seed', values.seed, 0),
  }
  if (selection.bfclDir === undefined) {
    if (selection.kinds.includes('bfcl'))
      throw new UsageError('--kind bfcl needs --bfcl, the directory of its files.')
    if (selection.bfclLimit !== undefined)
      throw new UsageError('--bfcl-limit needs --bfcl, the directory of its files.')
  }
  if (values.list) return { type: 'list', selection }
  const { seed, ...rest } = selection
  const baseUrlFlag =
    values['base-url'] === undefined ? undefined : readUrl('--base-url', values['base-url'])
  const targets = findTargets({ baseUrl: baseUrlFlag, models: readModels(values) }, env)
  const ablations = [
    ...new Set((values.ablation ?? []).map(text => readChoice('--ablation', text, ablationNames))),
  ]
  const config = readConfig(values, seed, ablations)
  checkJudge(values, targets)
  const { variants, notes } = planVariants(
    readProtocols(values.protocols, ablations),
    ablations,
    config.placement,
  )
  const options: LiveOptions = {
    ...rest,
    config,
    targets,
    baseUrlFlag,
    variants,
    notes,
    reps: readInteger('--reps', values.reps, 1),
    concurrency: readInteger('--concurrency', values.concurrency, 1),
    retries: readInteger('--retries', values.retries, 0),
    resultsFile: findResultsFile(values, targets),
    mustResume: values.resume !== undefined,
    isDry: values.dry,
  }
  return { type: 'run', options }
}

type Values = ReturnType<typeof readFlags>

function readFlags(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags }).values
  } catch (error) {
    // Node's first sentence says what is wrong. The ones after it explain positional arguments.
    const [problem = ''] = messageOf(error).split(/\. |\n/)
    throw new UsageError(`${problem.replace(/\.$/, '')}. --help lists the options.`)
  }
}

function readModels(values: Values): string[] {
  if (values.model !== undefined && values.models !== undefined) {
    throw new UsageError('--model and --models cannot be used together.')
  }
  if (values.models !== undefined) return readList('--models', values.models)
  return values.model ? [values.model] : []
}

/** Returns `--resume FILE`, the file in `--out`, or a file in a directory named after the models. */
function findResultsFile(values: Values, targets: readonly Target[]): string {
  if (values.resume !== undefined && values.out !== undefined) {
    throw new UsageError(
      '--resume and --out cannot be used together: results are added to the file of --resume.',
    )
  }
  if (values.resume !== undefined) return values.resume
  const names = targets.map(({ model }) => model.replace(/[^\w.-]+/g, '_')).join('+')
  // The name of a directory has at most 255 bytes. Runs of different models in the same directory
  // are kept separate.
  return join(values.out ?? join('bench-live-results', names.slice(0, 200)), 'results.jsonl')
}

function checkJudge(values: Values, targets: readonly Target[]): void {
  const isSameEverywhere = new Set(targets.map(({ baseUrl }) => baseUrl)).size === 1
  if (
    values['judge-model'] === undefined ||
    values['judge-base-url'] !== undefined ||
    isSameEverywhere
  )
    return
  throw new UsageError(
    '--judge-model needs --judge-base-url if the models are at several endpoints.',
  )
}

function readConfig(values: Values, seed: number, ablations: readonly Ablation[]): RunConfig {
  if (values.system !== undefined && values['no-system']) {
    throw new UsageError('--system and --no-system cannot be used together.')
  }
  if (values['judge-base-url'] !== undefined && values['judge-model'] === undefined) {
    throw new UsageError(
      '--judge-base-url needs --judge-model, the name of the model at that endpoint.',
    )
  }
  const placement =
    values.placement === undefined
      ? undefined
      : readChoice('--placement', values.placement, ['first', 'last'] as const)
  return {
    isStreaming: values.stream,
    temperature:
      values.temperature === 'default'
        ? undefined
        : readNumber('--temperature', values.temperature, 0),
    seed,
    maxSteps: readInteger('--max-steps', values['max-steps'], 1),
    maxOutputTokens: readOptionalInteger('--max-output-tokens', values['max-output-tokens'], 1),
    timeoutSeconds: readNumber('--timeout', values.timeout, 0.001),
    hasToolDescriptions: !values['no-tool-descriptions'],
    hasParameterDescriptions: !values['no-parameter-descriptions'],
    placement: basePlacement(placement, ablations),
    system: values['no-system'] ? '' : (values.system ?? defaultSystem),
    isShuffled: values['shuffle-tools'],
    distractors: readInteger('--distractors', values.distractors, 0, maxDistractors),
    toolChoice: readChoice('--tool-choice', values['tool-choice'], ['auto', 'required']),
    judgeModel: values['judge-model'],
    judgeBaseUrl:
      values['judge-base-url'] === undefined
        ? undefined
        : readUrl('--judge-base-url', values['judge-base-url']),
  }
}

/** Reads `--protocols`. The default depends on whether there is an ablation. */
function readProtocols(text: string | undefined, ablations: readonly Ablation[]): string[] {
  const names = readList(
    '--protocols',
    text ?? (ablations.length ? 'native,wire' : 'native,hermes'),
  )
  for (const name of names) {
    try {
      if (name !== 'native') getProtocol(name)
    } catch {
      throw new UsageError(
        `--protocols: unknown protocol ${JSON.stringify(name)}. Choose from: native, ${listProtocols().join(', ')}.`,
      )
    }
  }
  return names
}

/** Reads names separated by commas, without duplicates. */
function readList(flag: string, text: string): string[] {
  const names = text
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (names.length === 0) throw new UsageError(`${flag} is empty.`)
  return [...new Set(names)]
}

function readNumber(flag: string, text: string, min: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value) || value < min) {
    throw new UsageError(
      `${flag} is ${JSON.stringify(text)}; expected a number of at least ${min}.`,
    )
  }
  return value
}

function readInteger(
  flag: string,
  text: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; expected a whole number ${range}.`)
  }
  return value
}

function readOptionalInteger(
  flag: string,
  text: string | undefined,
  min: number,
): number | undefined {
  return text === undefined ? undefined : readInteger(flag, text, min)
}

function readChoice<Choice extends string>(
  flag: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find(each => each === text)
  if (choice === undefined) {
    throw new UsageError(
      `${flag} is ${JSON.stringify(text)}; expected one of: ${choices.join(', ')}.`,
    )
  }
  return choice
}
