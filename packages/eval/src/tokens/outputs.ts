import { fileURLToPath } from 'node:url'
import { renderChart } from './render-chart.js'
import { updateDocument } from './render-markdown.js'
import type { TokensResult } from './result.js'

/** Something for each of the files that `--write` writes. */
export interface Outputs {
  readonly results: string
  readonly chart: string
  readonly document: string
}

/** Where they are in the repository; the same from `src` and from `dist`. */
export const outputPaths: Outputs = {
  results: fileURLToPath(new URL('../../results/tokens.json', import.meta.url)),
  chart: fileURLToPath(new URL('../../../../docs/tokens.svg', import.meta.url)),
  document: fileURLToPath(new URL('../../../../docs/bench-tokens.md', import.meta.url)),
}

/** What the files hold. Of the document only what stands between the marks is ours. */
export function renderOutputs(result: TokensResult, document: string): Outputs {
  return {
    results: renderJson(result),
    chart: renderChart(result),
    document: updateDocument(document, result),
  }
}

export function renderJson(result: TokensResult): string {
  return `${JSON.stringify(result, undefined, 2)}\n`
}
