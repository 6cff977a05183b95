import { describe, expect, it } from 'vitest'
import { barGroups } from '../../src/tokens/chart-bars.js'
import { describeRecount, type PublicResult } from '../../src/tokens/public-tables.js'
import { renderChart } from '../../src/tokens/render-chart.js'
import { updateDocument } from '../../src/tokens/render-markdown.js'
import { renderText } from '../../src/tokens/render-text.js'
import type { ContestantResult, TokenCounts, TokensResult } from '../../src/tokens/result.js'
import { describeIds } from '../../src/tokens/tables.js'

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

function contestant(name: string, isNative: boolean, calls: number, ids = 0): ContestantResult {
  const counts = count(calls)
  const tokens = counts && {
    o200k_base: { ...counts.o200k_base, ids },
    llama3: { ...counts.llama3, ids },
  }
  return { name, title: name, isNative, losses: {}, tokens }
}

/** Two leading baselines, an API, our own syntaxes and formats of models. */
const everyKind = [
  contestant('bare_json', true, 100),
  contestant('harmony', true, 120),
  contestant('openai_json', true, 130, 30),
  contestant('hermes', false, 140),
  contestant('wire', false, 110),
  contestant('line', false, 90),
  contestant('kimi_k2', false, 135),
]

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

  it('draws every listed contestant as well-formed XML, the baselines first', () => {
    const chart = renderChart(result)
    expect(chart).toContain('Native &lt;JSON&gt;')
    expect(chart).not.toContain('<JSON>')
    expect(chart.indexOf('>Native')).toBeLessThan(chart.indexOf('>short<'))
    expect(chart).toContain('Not listed: lossy.')
    expect(chart).toContain('prefers-color-scheme: dark')
    expect(chart).not.toMatch(/NaN|undefined|https?:(?!\/\/www\.w3\.org\/2000\/svg)/)
  })

  it('groups the bars by whose they are, the shortest calls of a group first', () => {
    const groups = barGroups({ ...result, contestants: everyKind })
    expect(groups.map(({ kind, bars }) => [kind, bars.map(({ title }) => title)])).toEqual([
      ['baseline', ['bare_json', 'harmony']],
      ['own', ['line', 'wire']],
      ['other', ['kimi_k2', 'hermes']],
      ['api', ['openai_json']],
    ])
    expect(groups[1]?.bars[0]).toMatchObject({ calls: 90, note: '-10.0 % / -25.0 %' })
    expect(groups[0]?.bars[0]?.note).toBe('')
  })

  it('gives colour and bold text to our own syntaxes only', () => {
    const chart = renderChart({ ...result, contestants: everyKind })
    const own = [...chart.matchAll(/<g class="own">([\s\S]*?)<\/g>/g)]
      .map(([text]) => text)
      .join('')
    expect(own.match(/class="name"[^>]*>[^<]*/g)?.map(text => text.split('>')[1])).toEqual([
      'line',
      'wire',
    ])
    expect(chart).toContain('.own .name, .own .value { font-weight: 700 }')
    // The colour of our bars, light and dark, is that of no other bar.
    const colours = [...chart.matchAll(/\.(\w+) rect[^{]*\{ fill: (#\w+)/g)]
    const ours = colours.filter(([, kind]) => kind === 'own').map(([, , colour]) => colour)
    const others = colours.filter(([, kind]) => kind !== 'own').map(([, , colour]) => colour)
    expect(ours).toHaveLength(2)
    expect(others.filter(colour => ours.includes(colour))).toEqual([])
    expect(chart).toContain('vs bare_json: line -10.0 %, wire +10.0 %; vs harmony: line -25.0 %')
  })

  it('says what ids would add only if there are any', () => {
    expect(describeIds(result)).toEqual([])
    expect(describeIds({ ...result, contestants: everyKind })).toEqual([
      'Ids of calls are not counted, because the API adds them and no model writes them. They would add 30 tokens to the calls of `openai_json` (30 with Llama 3).',
    ])
  })
})
