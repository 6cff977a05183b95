import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { listProtocols } from '@toolglot/parser'
import { benchProtocols } from '../bench-protocols.js'
import { defaultPrices, type Prices } from './break-even.js'
import { readCasesFile } from './catalogue/cases-file.js'
import { catalogue } from './catalogue/catalogue.js'
import { createContestants } from './contestant.js'
import {
  type Outputs,
  type PublicOutputs,
  readPages,
  renderJson,
  renderOutputs,
  renderPublicOutputs,
} from './outputs.js'
import { renderPublicText, renderText } from './render-text.js'
import type { TokensResult } from './result.js'
import { runPublicCases } from './run-public-cases.js'
import { runTokens } from './run-tokens.js'
import { tokenizerNames } from './tokenizer.js'
import { UsageError } from './usage-error.js'

const help = `Counts the tokens of tool calls that a model writes and reads with each protocol, compared with native JSON. Needs no network.

  npm run build && npm run bench:tokens -- [options]

  --cases                  also print a table of every case
  --all-protocols          all protocols of the library; without it, those for any model and one of each other grammar
  --catalogue NAME         own: the project's tools and calls (default). public: the 19 calls that ai-sdk-wire-middleware
                           0.1.6 has published figures about, with these figures next to ours
  --cases-file FILE        the tools and cases of a JSON file instead of the project's own:
                           { "tools": [{ "name", "description", "inputSchema" }], "cases": [{ "name", "tool", "args" }] }
  --output-price-ratio N   the price of a token of output, in tokens of input (default: ${defaultPrices.outputPriceRatio})
  --cache-ratio N          the price of a cached token of input, in uncached ones (default: ${defaultPrices.cacheRatio})
  --json                   print JSON instead of tables
  --write                  also update packages/eval/results/tokens.json, docs/tokens.svg, and the tables in
                           docs/bench-tokens.md, docs/compact.md and README.md;
                           with --catalogue public packages/eval/results/tokens-public.json and its section of the document
  --help                   show this help

Tokenizers: ${tokenizerNames.join(', ')}. A protocol that does not read every case back exactly has no total.
Exit code 1 if there is one, 2 for wrong usage.`

/** The outputs of the command. */
export interface CommandEnvironment {
  print(text: string): void
  printError(text: string): void
  readonly paths: Outputs
  readonly publicPaths: PublicOutputs
}

/** Runs the command and returns its exit code. */
export async function runCommand(
  args: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  try {
    return await run(args, environment)
  } catch (error) {
    if (!isUsageError(error)) throw error
    environment.printError(`${error.message}\n\n${help}`)
    return 2
  }
}

async function run(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const { print, printError } = environment
  const options = readOptions(args)
  if (options.help) {
    print(help)
    return 0
  }
  const prices: Prices = {
    outputPriceRatio:
      readRatio('--output-price-ratio', options['output-price-ratio']) ??
      defaultPrices.outputPriceRatio,
    cacheRatio: readRatio('--cache-ratio', options['cache-ratio']) ?? defaultPrices.cacheRatio,
  }
  const path = options['cases-file']
  const isPublic = readCatalogueName(options.catalogue) === 'public'
  if (isPublic && path !== undefined) {
    throw new UsageError(
      '--catalogue public and --cases-file cannot be used together: only one set of cases is counted.',
    )
  }
  if (options.write && (path !== undefined || options['all-protocols'] || !isDefault(prices))) {
    throw new UsageError(
      "--write stores the project's own cases, or the public ones, at the default prices; leave out --cases-file, --all-protocols and the ratios.",
    )
  }
  const names = options['all-protocols'] ? listProtocols() : benchProtocols()
  const counted = isPublic
    ? await countPublicCases(prices, names)
    : await countCases(path, prices, names)
  print(
    options.json
      ? renderJson(counted.result).trimEnd()
      : counted.renderText({ withCases: options.cases }),
  )
  if (options.write) {
    const written = await counted.write(environment)
    // Not on stdout, because a program may read the JSON there.
    printError(`Written: ${written.join(', ')}`)
  }
  return counted.result.contestants.some(({ tokens }) => !tokens) ? 1 : 0
}

/** A result, with the functions that show and store it. */
interface Counted {
  readonly result: TokensResult
  renderText(options: { readonly withCases: boolean }): string
  /** Writes the files and returns their paths. */
  write(environment: CommandEnvironment): Promise<string[]>
}

/** Counts the cases of the file, or those of the project. */
async function countCases(
  path: string | undefined,
  prices: Prices,
  names: readonly string[],
): Promise<Counted> {
  const material = path === undefined ? catalogue : await readCasesFile(path)
  const result = await runTokens(material, prices, await createContestants(material.tools, names))
  return {
    result,
    renderText: options => renderText(result, options),
    async write({ paths }) {
      const outputs = renderOutputs(result, await readPages(paths))
      return writeFiles([
        [paths.results, outputs.results],
        [paths.chart, outputs.chart],
        [paths.document, outputs.document],
        [paths.readme, outputs.readme],
      ])
    },
  }
}

async function countPublicCases(prices: Prices, names: readonly string[]): Promise<Counted> {
  const result = await runPublicCases(prices, names)
  return {
    result,
    renderText: options => renderPublicText(result, options),
    async write({ publicPaths: paths }) {
      const { results, document } = renderPublicOutputs(
        result,
        await readFile(paths.document, 'utf8'),
      )
      return writeFiles([
        [paths.results, results],
        [paths.document, document],
      ])
    },
  }
}

async function writeFiles(
  files: readonly (readonly [path: string, text: string])[],
): Promise<string[]> {
  for (const [path, text] of files) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return files.map(([path]) => path)
}

function readOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      cases: { type: 'boolean', default: false },
      'all-protocols': { type: 'boolean', default: false },
      catalogue: { type: 'string', default: 'own' },
      'cases-file': { type: 'string' },
      'output-price-ratio': { type: 'string' },
      'cache-ratio': { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values
}

function readCatalogueName(text: string): 'own' | 'public' {
  if (text === 'own' || text === 'public') return text
  throw new UsageError(`--catalogue is ${JSON.stringify(text)}; expected own or public.`)
}

function readRatio(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ratio = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(ratio) && ratio >= 0) return ratio
  throw new UsageError(`${flag} is ${JSON.stringify(text)}; expected a number of at least 0.`)
}

function isDefault({ outputPriceRatio, cacheRatio }: Prices): boolean {
  return (
    outputPriceRatio === defaultPrices.outputPriceRatio && cacheRatio === defaultPrices.cacheRatio
  )
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return (
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  )
}
