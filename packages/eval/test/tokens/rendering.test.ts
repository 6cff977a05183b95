import { describe, expect, it } from 'vitest'
import { describeRecount, type PublicResult } from '../../src/tokens/public-tables.js'
import { renderChart } from '../../src/tokens/render-chart.js'
import { updateDocument } from '../../src/tokens/render-markdown.js'
import { renderText } from '../../src/tokens/render-text.js'
import type { ContestantResult, TokenCounts, TokensResult } from '../../src/tokens/result.js'

function count(calls: number, versus: TokenCounts['versus'] = {}): ContestantResult['tokens'] {
  const counts = {
    manual: 2 * calls,
    calls,
    ids: 0,
    groups: { flat: calls },
    cases: { one: calls },
    versus,
  }
  return { o200k_base: counts, llama3: counts }
}

const result: TokensResult = {
  catalogue: { tools: 1, cases: 1, calls: 1, groups: { flat: 1 } },
  prices: { outputPriceRatio: 4, cacheRatio: 0.1 },
  contestants: [
    { name: 'native', title: 'Native <JSON>', isNative: true, losses: {}, tokens: count(1234567) },
    {
      name: 'short',
      title: 'short',
      isNative: false,
      losses: {},
      tokens: count(1000, {
        native: {
          callsPercent: -99.9,
          extraManual: 1,
          savedPerCall: 1,
          breakEven: { uncached: { type: 'after', calls: 12 }, cached: { type: 'first' } },
        },
      }),
    },
    {
      name: 'lossy',
      title: 'lossy',
      isNative: false,
      losses: { one: 'stream: 0 calls instead of 1' },
      tokens: null,
    },
  ],
}

/** The published figures agree with ours, but for one case where `counted` is another number. */
function publicResult(counted: number): PublicResult {
  const recount = {
    name: 'published_json',
    title: '',
    isNative: true,
    losses: {},
    tokens: count(counted),
  }
  const native = { calls: 5, manual: 10, cases: { one: 5 } }
  return { ...result, contestants: [recount], published: { source: '', native, compact: native } }
}

describe('what is rendered', () => {
  it.each([
    [5, 'our count is the same for every case and for the definitions.'],
    [6, 'our count differs: calls 5 published, 6 here; definitions 10 published, 12 here.'],
    [6, 'Cases that differ: one (published 5, here 6).'],
  ])('says whether a count of %i agrees with a published 5', (counted, expected) => {
    expect(describeRecount(publicResult(counted)).join('\n')).toContain(expected)
  })

  it('says in the terminal which protocol is not listed, and why', () => {
    const text = renderText(result, { withCases: true })
    expect(text).toContain(
      'lossy is not listed: 1 of 1 cases do not survive: one (stream: 0 calls instead of 1)',
    )
    expect(text).toMatch(/^lossy +not listed$/m)
    expect(text).toMatch(/^short +1,000 +-99\.9 % +2,000 +1,000$/m)
    expect(text).toContain('from call 12 / from the first call')
    expect(text).toMatch(/^one +1,234,567 +1,000$/m)
  })

  it('replaces only the text between the marks of a document', () => {
    const document = 'before\n<!-- bench:tokens begin -->\nold\n<!-- bench:tokens end -->\nafter\n'
    const updated = updateDocument(document, result)
    expect(updated.startsWith('before\n<!-- bench:tokens begin -->\n\n')).toBe(true)
    expect(updated.endsWith('\n\n<!-- bench:tokens end -->\nafter\n')).toBe(true)
    expect(updated).toContain('| short | 1,000 | -99.9 % | 2,000 | 1,000 |')
    expect(updated).not.toContain('old')
    expect(updateDocument(updated, result)).toBe(updated)
    expect(() => updateDocument('no marks', result)).toThrow('bench:tokens begin')
  })

  it('draws every listed contestant, longest first, as well-formed XML', () => {
    const chart = renderChart(result)
    expect(chart).toContain('Native &lt;JSON&gt;')
    expect(chart).not.toContain('<JSON>')
    expect(chart.indexOf('>Native')).toBeLessThan(chart.indexOf('>short<'))
    expect(chart).toContain('Not listed: lossy.')
    expect(chart).toContain('prefers-color-scheme: dark')
    expect(chart).not.toMatch(/NaN|undefined|https?:(?!\/\/www\.w3\.org\/2000\/svg)/)
  })
})
