import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { benchProtocols, ownSyntaxes } from '../../src/bench-protocols.js'
import { defaultPrices } from '../../src/tokens/break-even.js'
import { catalogue } from '../../src/tokens/catalogue/catalogue.js'
import {
  outputPaths,
  publicOutputPaths,
  readPages,
  renderOutputs,
  renderPublicOutputs,
} from '../../src/tokens/outputs.js'
import type { PublicResult } from '../../src/tokens/public-tables.js'
import type { TokensResult } from '../../src/tokens/result.js'
import { runPublicCases } from '../../src/tokens/run-public-cases.js'
import { runTokens } from '../../src/tokens/run-tokens.js'
import { headlineTable } from '../../src/tokens/tables.js'

const howToUpdate =
  'The token counts have changed. If that is meant, run `npm run build && npm run bench:tokens -- --write`, look at the difference and commit it.'

const howToUpdatePublic = howToUpdate.replace('--write', '--catalogue public --write')

describe('the committed token counts', () => {
  let result: TokensResult
  beforeAll(async () => {
    result = await runTokens(catalogue, defaultPrices)
  })

  it('are those of the code, to the last token', async () => {
    const committed = await readFile(outputPaths.results, 'utf8')
    // By value first, for the sake of a readable difference; then by byte.
    expect(JSON.parse(JSON.stringify(result)), howToUpdate).toEqual(JSON.parse(committed))
    expect(renderOutputs(result, await readPages(outputPaths)).results, howToUpdate).toBe(committed)
  })

  it('are what the chart and the tables of the documentation show', async () => {
    const committed = await readPages(outputPaths)
    const { chart, document, readme } = renderOutputs(result, committed)
    expect({ document, readme }, howToUpdate).toEqual(committed)
    expect(await readFile(outputPaths.chart, 'utf8'), howToUpdate).toBe(chart)
  })

  it('are of every protocol of the library', () => {
    const names = result.contestants.filter(({ isNative }) => !isNative).map(({ name }) => name)
    expect(names).toEqual(benchProtocols())
  })

  it('lead with bare JSON and harmony', () => {
    expect(result.contestants.slice(0, 2).map(({ name }) => name)).toEqual(['bare_json', 'harmony'])
    expect(headlineTable(result)).toEqual({
      headings: [
        'o200k_base',
        'calls vs bare_json',
        'calls vs harmony',
        'manual vs bare_json',
        'manual vs harmony',
      ],
      rows: ownSyntaxes.map(name => [
        name,
        ...Array(4).fill(expect.stringMatching(/^[-+]\d.* %$/)),
      ]),
    })
  })

  it('contain no ids: the JSON of an API is close to harmony', () => {
    const callsOf = (name: string) =>
      result.contestants.find(each => each.name === name)?.tokens?.o200k_base.calls ?? 0
    expect(callsOf('anthropic_json')).toBeGreaterThan(callsOf('bare_json'))
    expect(callsOf('anthropic_json')).toBeLessThan(1.1 * callsOf('harmony'))
  })

  it('add up', () => {
    for (const { tokens } of result.contestants) {
      for (const counts of Object.values(tokens ?? {})) {
        const sum = (values: Readonly<Record<string, number>>) =>
          Object.values(values).reduce((a, b) => a + b, 0)
        expect(sum(counts.cases)).toBe(counts.calls)
        expect(sum(counts.groups)).toBe(counts.calls)
      }
    }
  })
})

describe('the committed counts of the public cases', () => {
  let result: PublicResult
  beforeAll(async () => {
    result = await runPublicCases(defaultPrices)
  })
  const countsOf = (name: string) =>
    result.contestants.find(each => each.name === name)?.tokens?.o200k_base

  it('are those of the code, to the last token', async () => {
    const committed = await readFile(publicOutputPaths.results, 'utf8')
    expect(JSON.parse(JSON.stringify(result)), howToUpdatePublic).toEqual(JSON.parse(committed))
    const document = await readFile(publicOutputPaths.document, 'utf8')
    expect(renderPublicOutputs(result, document).results, howToUpdatePublic).toBe(committed)
  })

  it('are what the section of the documentation shows', async () => {
    const committed = await readFile(publicOutputPaths.document, 'utf8')
    expect(renderPublicOutputs(result, committed).document, howToUpdatePublic).toBe(committed)
  })

  it('agree with the published native figures, case by case', () => {
    const { native } = result.published
    expect(native).toMatchObject({ calls: 762, manual: 861 })
    expect(countsOf('published_json')).toMatchObject(native)
  })

  it('are of protocols that read every case back', () => {
    const protocols = result.contestants.filter(({ isNative }) => !isNative)
    expect(protocols.map(({ name }) => name)).toEqual(benchProtocols())
    expect(protocols.map(({ name, losses }) => ({ name, losses }))).toEqual(
      benchProtocols().map(name => ({ name, losses: {} })),
    )
  })

  it('are lower than the published compact figures with line and wire', () => {
    const { compact } = result.published
    expect(compact).toMatchObject({ calls: 474, manual: 490 })
    for (const name of ['line', 'wire']) {
      expect(countsOf(name)?.calls, name).toBeLessThan(compact.calls)
      expect(countsOf(name)?.manual, name).toBeLessThan(compact.manual)
    }
  })
})
