import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { benchProtocols } from '../../src/bench-protocols.js'
import { defaultPrices } from '../../src/tokens/break-even.js'
import { catalogue } from '../../src/tokens/catalogue/catalogue.js'
import { outputPaths, renderOutputs } from '../../src/tokens/outputs.js'
import type { TokensResult } from '../../src/tokens/result.js'
import { runTokens } from '../../src/tokens/run-tokens.js'

const howToUpdate =
  'The token counts have changed. If that is meant, run `npm run build && npm run bench:tokens -- --write`, look at the difference and commit it.'

describe('the committed token counts', () => {
  let result: TokensResult
  beforeAll(async () => {
    result = await runTokens(catalogue, defaultPrices)
  })

  it('are those of the code, to the last token', async () => {
    const committed = await readFile(outputPaths.results, 'utf8')
    // By value first, for the sake of a readable difference; then by byte.
    expect(JSON.parse(JSON.stringify(result)), howToUpdate).toEqual(JSON.parse(committed))
    expect(renderOutputs(result, await readFile(outputPaths.document, 'utf8')).results, howToUpdate).toBe(committed)
  })

  it('are what the chart and the tables of the documentation show', async () => {
    const committed = await readFile(outputPaths.document, 'utf8')
    const { chart, document } = renderOutputs(result, committed)
    expect(document, howToUpdate).toBe(committed)
    expect(await readFile(outputPaths.chart, 'utf8'), howToUpdate).toBe(chart)
  })

  it('are of every protocol of the library', () => {
    const names = result.contestants.filter(({ isNative }) => !isNative).map(({ name }) => name)
    expect(names).toEqual(benchProtocols())
  })

  it('add up', () => {
    for (const { tokens } of result.contestants) {
      for (const counts of Object.values(tokens ?? {})) {
        const sum = (values: Readonly<Record<string, number>>) => Object.values(values).reduce((a, b) => a + b, 0)
        expect(sum(counts.cases)).toBe(counts.calls)
        expect(sum(counts.groups)).toBe(counts.calls)
      }
    }
  })
})
