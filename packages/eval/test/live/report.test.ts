import { describe, expect, it } from 'vitest'
import { parseLiveOptions } from '../../src/live/options.js'
import type { RunRecord } from '../../src/live/record.js'
import { renderSummary } from '../../src/live/render-summary.js'
import { escapeHtml } from '../../src/live/report/html.js'
import { renderReport } from '../../src/live/report/render-report.js'
import { createRows } from '../../src/live/rows.js'
import { summarise } from '../../src/live/summary.js'

const parsed = parseLiveOptions(['--base-url', 'http://127.0.0.1:9/v1', '--model', 'a<b>&"c"'])
if (parsed.type !== 'run') throw new Error('no run')
const { config, targets } = parsed.options

const evil = `</pre></details><script>alert('x')</script><img src=x onerror="y">&amp;\u0000\ud800 "q" 'z' {{}} \${x}`
const make = (more: Partial<RunRecord>): RunRecord => ({
  type: 'run',
  task: 'single/x',
  kind: 'single',
  category: 'enum',
  model: 'a<b>&"c"',
  baseUrl: 'http://127.0.0.1:9/v1',
  protocol: 'native',
  rep: 0,
  fingerprint: 'f',
  outcome: 'pass',
  reasons: [],
  startedAt: '2031-01-01T00:00:00.000Z',
  latencyMs: 1200,
  steps: 1,
  inputTokens: 100,
  outputTokens: 10,
  calls: [],
  problems: [],
  text: '',
  exchanges: [],
  ...more,
})
const nasty = make({
  protocol: 'hermes',
  outcome: 'fail',
  task: `single/${evil}`,
  category: evil,
  reasons: [evil],
  problems: [{ code: evil, message: evil }],
  calls: [{ step: 1, name: evil, args: { [evil]: evil }, invalid: evil }],
  text: evil,
  exchanges: [
    {
      requestBytes: 10,
      tries: 2,
      status: 200,
      latencyMs: 5,
      brokeOff: evil,
      answer: {
        text: evil,
        reasoning: evil,
        toolCalls: [{ name: evil, arguments: evil }],
        finishReason: evil,
        error: evil,
        body: evil,
      },
    },
  ],
  judge: { verdict: 'wrong', text: evil },
})

const rows = createRows(
  targets,
  ['native', 'hermes', 'wire'].map(protocol => ({ protocol })),
)
const report = (records: readonly RunRecord[]) => {
  const summary = summarise({ config, rows, records, planned: 9, isInterrupted: false })
  return { summary, page: renderReport(summary, records), table: renderSummary(summary) }
}

/** Fails where a tag is closed that is not open, or an ampersand begins no entity. */
function checkWellFormed(page: string): string[] {
  const empty = new Set(['meta', 'br', 'line', 'circle', 'rect'])
  const open: string[] = []
  const names: string[] = []
  const withoutStyle = page.replace(/<style>[\s\S]*?<\/style>/, '')
  for (const [, close, name = '', selfClose] of withoutStyle.matchAll(
    /<(\/?)([a-zA-Z][\w-]*)(?:\s[^<>]*?)?(\/?)>/g,
  )) {
    names.push(name)
    if (close) expect(open.pop(), `</${name}>`).toBe(name)
    else if (!selfClose && !empty.has(name)) open.push(name)
  }
  expect(open).toEqual([])
  expect(
    withoutStyle
      .replace(/<!doctype html>/, '')
      .replace(/<\/?[a-zA-Z][\w-]*(?:\s[^<>]*?)?\/?>/g, ''),
  ).not.toMatch(/[<>]/)
  expect(withoutStyle).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39);)/)
  return names
}

describe('the report', () => {
  it('is well-formed whatever the model has written, and lets none of it through', () => {
    const { page } = report([
      nasty,
      make({}),
      make({ outcome: 'infrastructure', reasons: [evil], task: 'single/z' }),
    ])
    const names = new Set(checkWellFormed(page))
    expect(
      [...names].filter(name => ['script', 'img', 'iframe', 'link', 'object'].includes(name)),
    ).toEqual([])
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('&lt;script&gt;alert(&#39;x&#39;)')
    expect(page).not.toContain('\u0000')
    expect(page).not.toMatch(/\p{Surrogate}/u)
  })

  it('needs nothing from elsewhere', () => {
    const { page } = report([
      make({ outcome: 'fail', reasons: ['no'] }),
      make({ protocol: 'hermes' }),
    ])
    expect(page).not.toMatch(/(?:src|href)\s*=|@import|url\(/)
  })

  it('says how sure it is, and compares only pairs', () => {
    const runs = Array.from({ length: 12 }, (_, i) => `single/t${i}`).flatMap(task => [
      make({ task }),
      make({ task, protocol: 'hermes', inputTokens: 150 }),
      make({ task, protocol: 'wire', outcome: 'fail', reasons: ['no'] }),
    ])
    const { summary, page, table } = report([...runs, make({ task: 'single/alone' })])
    const [hermes, wire] = summary.comparisons
    expect(hermes).toMatchObject({
      pairs: 12,
      bothPass: 12,
      difference: 0,
      tokenDifference: 50,
      pValue: 1,
    })
    expect(hermes?.verdict).toContain('no difference from native shown')
    expect(wire).toMatchObject({ pairs: 12, onlyBaseline: 12, difference: -1 })
    expect(wire?.verdict).toMatch(/^worse than native: -100\.0 points/)
    expect(wire?.pValue).toBeCloseTo((2 / 4096) * 2, 8)
    expect(page).toContain('there may still be one')
    expect(table).toContain('wire: worse than native')
    expect(summary.rows[0]?.accuracy).toMatchObject({
      passed: 13,
      total: 13,
      interval: { high: 1 },
    })
  })

  it('does without tokens, runs and other protocols', () => {
    const { inputTokens: _in, outputTokens: _out, ...bare } = make({})
    const { page, summary } = report([bare])
    checkWellFormed(page)
    expect(summary.rows[0]?.inputTokens).toEqual({ count: 0 })
    expect(page).not.toContain('NaN')
    const nothing = report([])
    checkWellFormed(nothing.page)
    expect(nothing.page).not.toMatch(/NaN|Infinity|undefined/)
    expect(nothing.table).not.toMatch(/NaN|Infinity|undefined/)
  })

  it('averages only over runs whose tokens are known, and says how many those are', () => {
    const { inputTokens: _none, ...unknown } = make({ task: 'single/b' })
    const { summary, page } = report([make({}), unknown])
    expect(summary.rows[0]?.inputTokens).toMatchObject({ count: 1, mean: 100 })
    expect(page).toContain('(1 of 2 runs)')
  })

  it('shows the first failures and says how many more there are', () => {
    const many = Array.from({ length: 320 }, (_, i) =>
      make({ task: `single/f${i}`, outcome: 'fail', reasons: ['r'] }),
    )
    const { page } = report(many)
    expect(page.match(/<details>/g)).toHaveLength(300)
    expect(page).toContain('20 more are in results.jsonl')
  })

  it('shows runs that failed alike once, and the others as a line each', () => {
    const wrong = (rep: number, found: string) =>
      make({
        rep,
        outcome: 'fail',
        reasons: [`add: .a is ${found} instead of 7`],
        text: `I, ${rep}`,
      })
    const { page } = report([
      wrong(0, '5'),
      wrong(1, '"seven"'),
      make({ rep: 2, outcome: 'fail', reasons: ['add: .a is missing'] }),
      make({ rep: 3, outcome: 'fail', reasons: ['add: .b is 5 instead of 7'] }),
      make({ rep: 4, outcome: 'fail', reasons: ['0 calls (none) instead of 1 (add)'] }),
      make({
        rep: 5,
        outcome: 'fail',
        reasons: ['0 calls (none) instead of 1 (add)'],
        problems: [{ code: 'malformed-arguments', message: 'a quote is missing' }],
      }),
      { ...wrong(6, '6'), task: 'single/y' },
      { ...wrong(7, '6'), model: 'other' },
      { ...wrong(8, '6'), protocol: 'hermes' },
    ])
    checkWellFormed(page)
    expect(page.match(/<details>/g)).toHaveLength(7)
    expect(page).toContain('<b>(3 runs)</b>')
    expect(page).toContain('<pre>I, 8</pre>')
    expect(page).not.toContain('<pre>I, 1</pre>')
    expect(page).toContain('repetition 2: add: .a is &quot;seven&quot; instead of 7</li>')
    expect(page).toContain(
      '<li><span class="tag">native</span> · repetition 1: add: .a is 5 instead of 7</li>',
    )
  })

  const longText =
    `<tool_call>{"name": "write", "arguments": {"text": "Füße & 天気"}}</tool_call>\n`.repeat(500)
  const longRun = (i: number, reason: string, outcome: 'fail' | 'infrastructure' = 'fail') =>
    make({
      task: `agent/task-${i % 46}`,
      kind: 'agent',
      protocol: ['native', 'hermes', 'wire'][i % 3] ?? '',
      rep: Math.floor(i / 46),
      outcome,
      reasons: [reason, longText],
      problems: [{ code: 'malformed-arguments', message: longText }],
      calls: [{ step: 1, name: 'write', args: { text: longText }, invalid: longText }],
      text: longText,
      exchanges: Array.from({ length: 8 }, () => ({
        requestBytes: 9000,
        tries: 1,
        status: 200,
        latencyMs: 5,
        answer: { text: longText, reasoning: longText, toolCalls: [] },
      })),
    })
  it.each<[string, number, (i: number) => RunRecord]>([
    ['fail in the same way', 46, i => longRun(i, 'no mail was sent')],
    ['fail in a way of their own', 5, i => longRun(i, `${i} mails were sent: ${longText}`)],
    ['could not be made', 1, i => longRun(i, `HTTP ${i}`, 'infrastructure')],
    ['fail, or not', 30, i => longRun(i, 'no', i % 2 ? 'fail' : 'infrastructure')],
  ])('of 400 long runs that %s has less than 300 kB, and %d in full', (_, least, create) => {
    const { page } = report(Array.from({ length: 400 }, (_, i) => create(i)))
    checkWellFormed(page)
    expect(Buffer.byteLength(page)).toBeLessThan(300_000)
    expect(page.match(/<details>/g)?.length).toBeGreaterThanOrEqual(least)
    expect(page).toMatch(/Texts are cut after \d+ characters, and at most the last \d+ answers/)
    expect(page).toContain('results.jsonl')
  })

  it('shows everything of a run if there is room', () => {
    const run = longRun(0, 'no mail was sent')
    const text = 'I sent it. '.repeat(200)
    const exchanges = run.exchanges.map(each => ({ ...each, answer: { text, toolCalls: [] } }))
    const { page } = report([{ ...run, exchanges, reasons: ['none'], problems: [], text }])
    expect(page).toContain(`<pre>${text}</pre>`)
    expect(page.match(/<h3>Raw output \d/g)).toHaveLength(8)
    expect(page).not.toContain('at most the last')
  })

  it('calls a difference one only where both tests see it', () => {
    const runs = Array.from({ length: 7 }, (_, i) => `single/t${i}`).flatMap(task => [
      make({ task, outcome: task < 'single/t5' ? 'fail' : 'pass' }),
      make({ task, protocol: 'hermes' }),
      make({ task, protocol: 'wire', outcome: task < 'single/t5' ? 'fail' : 'pass' }),
    ])
    const [hermes, wire] = report(runs).summary.comparisons
    expect(hermes?.interval?.low).toBeGreaterThan(0)
    expect(hermes?.pValue).toBeGreaterThan(0.05)
    expect(hermes?.verdict).toMatch(
      /^perhaps better than native, more runs are needed: \+71\.4 points/,
    )
    expect(wire?.verdict).toMatch(/^no difference from native shown/)
  })

  it('shows very many tasks by category', () => {
    const many = Array.from({ length: 90 }, (_, i) =>
      make({ task: `bfcl/q${i}`, kind: 'bfcl', category: i % 3 ? 'parallel' : 'simple_python' }),
    )
    const { page } = report(many)
    checkWellFormed(page)
    expect(page).toContain('<th scope="row">parallel</th><td class="all">60/60</td>')
    expect(page).not.toContain('q17')
  })

  it('escapes', () => {
    expect(escapeHtml(`<a href="x">'&'</a>\u0007\udc00`)).toBe(
      '&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\ufffd\ufffd',
    )
  })
})
