import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { protocolNames } from '@toolglot/parser'
import { defaultPrices, type Prices } from './break-even.js'
import { readCasesFile } from './catalogue/cases-file.js'
import { catalogue } from './catalogue/catalogue.js'
import { createContestants } from './contestant.js'
import { type Outputs, renderJson, renderOutputs } from './outputs.js'
import { renderText } from './render-text.js'
import type { TokensResult } from './result.js'
import { runTokens } from './run-tokens.js'
import { tokenizerNames } from './tokenizer.js'
import { UsageError } from './usage-error.js'

const help = `Counts the tokens of tool calls: what each protocol makes a model write and read, beside native JSON. Needs no network.

  npm run build && npm run bench:tokens -- [options]

  --cases                  also a table of every case
  --all-protocols          every protocol of the library; without it, those for any model and one of each other grammar
  --cases-file FILE        the tools and cases of a JSON file instead of the project's own:
                           { "tools": [{ "name", "description", "inputSchema" }], "cases": [{ "name", "tool", "args" }] }
  --output-price-ratio N   what a token of output costs in tokens of input (default: ${defaultPrices.outputPriceRatio})
  --cache-ratio N          what a cached token of input costs in others (default: ${defaultPrices.cacheRatio})
  --json                   JSON instead of tables
  --write                  also update packages/eval/results/tokens.json, docs/tokens.svg and docs/bench-tokens.md
  --help                   this text

Tokenizers: ${tokenizerNames.join(', ')}. A protocol that does not read every case back exactly has no total.
Exit code 1 if there is one, 2 if the options are wrong.`

/** What the command may touch. */
export interface CommandEnvironment {
  print(text: string): void
  printError(text: string): void
  readonly paths: Outputs
}

/** Runs the command and returns its exit code. */
export async function runCommand(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  try {
    return await run(args, environment)
  } catch (error) {
    if (!isUsageError(error)) throw error
    environment.printError(`${error.message}\n\n${help}`)
    return 2
  }
}

async function run(args: readonly string[], { print, printError, paths }: CommandEnvironment): Promise<number> {
  const options = readOptions(args)
  if (options.help) {
    print(help)
    return 0
  }
  const path = options['cases-file']
  const prices: Prices = {
    outputPriceRatio:
      readRatio('--output-price-ratio', options['output-price-ratio']) ?? defaultPrices.outputPriceRatio,
    cacheRatio: readRatio('--cache-ratio', options['cache-ratio']) ?? defaultPrices.cacheRatio,
  }
  const isEverything = options['all-protocols']
  if (options.write && (path !== undefined || isEverything || !isDefault(prices))) {
    throw new UsageError(
      "--write stores the project's own cases at the default prices; leave out --cases-file, --all-protocols and the ratios.",
    )
  }
  const material = path === undefined ? catalogue : await readCasesFile(path)
  const contestants = isEverything ? await createContestants(material.tools, protocolNames()) : undefined
  const result = await runTokens(material, prices, contestants)
  print(options.json ? renderJson(result).trimEnd() : renderText(result, { withCases: options.cases }))
  if (options.write) {
    await writeOutputs(result, paths)
    // Not on stdout, where JSON may be read by a program.
    printError(`Written: ${Object.values(paths).join(', ')}`)
  }
  return result.contestants.some(({ tokens }) => !tokens) ? 1 : 0
}

function readOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      cases: { type: 'boolean', default: false },
      'all-protocols': { type: 'boolean', default: false },
      'cases-file': { type: 'string' },
      'output-price-ratio': { type: 'string' },
      'cache-ratio': { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values
}

function readRatio(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ratio = text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isFinite(ratio) && ratio >= 0) return ratio
  throw new UsageError(`${flag} is ${JSON.stringify(text)}; it must be a number of at least 0.`)
}

function isDefault({ outputPriceRatio, cacheRatio }: Prices): boolean {
  return outputPriceRatio === defaultPrices.outputPriceRatio && cacheRatio === defaultPrices.cacheRatio
}

async function writeOutputs(result: TokensResult, paths: Outputs): Promise<void> {
  const { results, chart, document } = renderOutputs(result, await readFile(paths.document, 'utf8'))
  for (const [path, text] of [
    [paths.results, results],
    [paths.chart, chart],
    [paths.document, document],
  ] as const) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

function isUsageError(error: unknown): error is Error {
  if (error instanceof UsageError) return true
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
