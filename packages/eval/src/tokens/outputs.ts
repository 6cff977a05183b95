import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { PublicResult } from './public-tables.js'
import { renderChart } from './render-chart.js'
import { updateDocument, updateHeadline, updatePublicSection } from './render-markdown.js'
import type { TokensResult } from './result.js'

/** One value for each file that `--write` writes. */
export interface Outputs extends Pages {
  readonly results: string
  readonly chart: string
}

/** Pages with a generated section. */
export interface Pages {
  /** All tables. */
  readonly document: string
  /** The README, with the headline. */
  readonly readme: string
}

/** The same for the public cases, which have no chart and no headline. */
export type PublicOutputs = Pick<Outputs, 'results' | 'document'>

/** The paths in the repository. They are the same from `src` and from `dist`. */
export const outputPaths: Outputs = {
  results: fileURLToPath(new URL('../../results/tokens.json', import.meta.url)),
  chart: fileURLToPath(new URL('../../../../docs/tokens.svg', import.meta.url)),
  document: fileURLToPath(new URL('../../../../docs/bench-tokens.md', import.meta.url)),
  readme: fileURLToPath(new URL('../../../../README.md', import.meta.url)),
}

export const publicOutputPaths: PublicOutputs = {
  results: fileURLToPath(new URL('../../results/tokens-public.json', import.meta.url)),
  document: outputPaths.document,
}

/** Returns the contents of the files. In the pages only the text between the marks is replaced. */
export function renderOutputs(result: TokensResult, pages: Pages): Outputs {
  return {
    results: renderJson(result),
    chart: renderChart(result),
    document: updateDocument(pages.document, result),
    readme: updateHeadline(pages.readme, result),
  }
}

export async function readPages({ document, readme }: Pages): Promise<Pages> {
  return {
    document: await readFile(document, 'utf8'),
    readme: await readFile(readme, 'utf8'),
  }
}

export function renderPublicOutputs(result: PublicResult, document: string): PublicOutputs {
  return { results: renderJson(result), document: updatePublicSection(document, result) }
}

export function renderJson(result: TokensResult): string {
  return `${JSON.stringify(result, undefined, 2)}\n`
}
