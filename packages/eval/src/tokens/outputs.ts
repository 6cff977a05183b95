import { fileURLToPath } from 'node:url'
import type { PublicResult } from './public-tables.js'
import { renderChart } from './render-chart.js'
import { updateDocument, updatePublicSection } from './render-markdown.js'
import type { TokensResult } from './result.js'

/** One value for each file that `--write` writes. */
export interface Outputs {
  readonly results: string
  readonly chart: string
  readonly document: string
}

/** The same for the public cases, which have no chart. */
export type PublicOutputs = Omit<Outputs, 'chart'>

/** The paths in the repository. They are the same from `src` and from `dist`. */
export const outputPaths: Outputs = {
  results: fileURLToPath(new URL('../../results/tokens.json', import.meta.url)),
  chart: fileURLToPath(new URL('../../../../docs/tokens.svg', import.meta.url)),
  document: fileURLToPath(new URL('../../../../docs/bench-tokens.md', import.meta.url)),
}

export const publicOutputPaths: PublicOutputs = {
  results: fileURLToPath(new URL('../../results/tokens-public.json', import.meta.url)),
  document: outputPaths.document,
}

/** Returns the contents of the files. In the document only the text between the marks is replaced. */
export function renderOutputs(result: TokensResult, document: string): Outputs {
  return {
    results: renderJson(result),
    chart: renderChart(result),
    document: updateDocument(document, result),
  }
}

export function renderPublicOutputs(result: PublicResult, document: string): PublicOutputs {
  return { results: renderJson(result), document: updatePublicSection(document, result) }
}

export function renderJson(result: TokensResult): string {
  return `${JSON.stringify(result, undefined, 2)}\n`
}
