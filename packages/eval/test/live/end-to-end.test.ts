import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchProtocols } from '../../src/bench-protocols.js'
import { isRecord } from '../../src/is-record.js'
import { catalogue } from '../../src/live/tasks/catalogue.js'
import { bench, createDirectory, readLines, readRecords, serve } from './bench.js'
import { textOf } from './scripted-server.js'

const everything = ['native', ...benchProtocols()]
const perTask = { timeout: 120_000 }

const failures = (out: string) =>
  readRecords(out).flatMap(({ outcome, task, protocol, reasons, exchanges }) =>
    outcome === 'pass'
      ? []
      : [{ task, protocol, reasons, raw: exchanges.map(({ answer }) => answer.text) }],
  )

async function run(model: string, protocols: readonly string[], ...flags: readonly string[]) {
  const server = await serve()
  const out = createDirectory()
  const target = [
    '--base-url',
    server.baseUrl,
    '--model',
    model,
    '--protocols',
    protocols.join(','),
    '--out',
    out,
  ]
  const result = await bench([...target, '--reps', '1', '--concurrency', '4', ...flags])
  return { ...result, server, out, records: readRecords(out) }
}

describe('a perfect model', () => {
  it.each([[[]], [['--stream']]])(
    'passes every task natively and in every protocol %j',
    perTask,
    async flags => {
      const { exitCode, stdout, stderr, out, records } = await run('perfect', everything, ...flags)
      expect(failures(out)).toEqual([])
      expect(exitCode, stderr).toBe(0)
      expect(records).toHaveLength(everything.length * catalogue.length)
      for (const name of everything) {
        expect(stdout).toMatch(
          new RegExp(`^${name} +${catalogue.length}/${catalogue.length} +100\\.0 %`, 'm'),
        )
      }
      for (const record of records) {
        expect(record.inputTokens).toBeGreaterThan(0)
        expect(record.outputTokens).toBeGreaterThan(0)
        expect(record.exchanges).toHaveLength(record.steps)
        expect(
          record.calls.filter(
            ({ invalid, failure }) => invalid !== undefined || failure !== undefined,
          ),
        ).toEqual([])
        for (const { requestBytes } of record.exchanges) expect(requestBytes).toBeGreaterThan(100)
      }
    },
  )

  it.each(everything)('is shown the results of its calls with %s', perTask, async protocol => {
    const { server } = await run('perfect', [protocol], '--filter', 'agent/bank-duplicate')
    const last =
      server.requests
        .at(-2)
        ?.body.messages.map(({ content }) => textOf(content))
        .join('\n') ?? ''
    for (const value of ['88006', 'Bookshop', '2745', '2031-04-20']) expect(last).toContain(value)
  })
})

describe('a model that writes badly', () => {
  const manners = ['sloppy', 'unclosed', 'chatty'] as const
  const cases = benchProtocols()
    .flatMap(protocol => manners.map(manner => ({ protocol, manner })))
    // Lines have no end mark but that of a heredoc, and one that lacks it may have been cut: see
    // below.
    .filter(({ protocol, manner }) => protocol !== 'line' || manner !== 'unclosed')

  it.each(cases)(
    'is understood all the same: $manner with $protocol',
    perTask,
    async ({ protocol, manner }) => {
      expect(failures((await run(manner, [protocol], '--kind', 'agent')).out)).toEqual([])
      expect(failures((await run(manner, [protocol], '--kind', 'single', '--stream')).out)).toEqual(
        [],
      )
    },
  )

  it('fails where a call looks as if it was cut, and the reason can be read', perTask, async () => {
    const { records } = await run('unclosed', ['line'], '--filter', 'single/code-python')
    expect(records).toMatchObject([
      {
        outcome: 'fail',
        reasons: expect.arrayContaining([
          expect.stringContaining('the call of save_snippet was rejected'),
        ]),
        calls: [{ name: 'save_snippet', invalid: expect.any(String) }],
        problems: [{ code: 'cut-call' }],
      },
    ])
    expect(records[0]?.exchanges[0]?.answer.text).toContain('code=<<END')
  })

  it('fails natively if its arguments are not JSON, with a readable message', perTask, async () => {
    const { exitCode, records, out } = await run(
      'sloppy',
      ['native'],
      '--filter',
      'single/light-warm',
    )
    expect(exitCode).toBe(0)
    expect(records).toMatchObject([
      {
        outcome: 'fail',
        calls: [{ name: 'set_light', invalid: expect.stringContaining('Invalid input') }],
        exchanges: [
          {
            answer: {
              toolCalls: [{ arguments: "{room: 'office', brightness: 35, color: 'warm'}" }],
            },
          },
        ],
      },
    ])
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('{room: &#39;office&#39;')
  })
})

describe('a wrong model', () => {
  it.each(everything)(
    'fails with %s, and its words are in the results',
    perTask,
    async protocol => {
      const { records, out, stdout } = await run('wrong', [protocol], '--filter', 'single/')
      const expected = catalogue.filter(
        ({ kind, firstStepCalls }) => kind === 'single' && firstStepCalls !== 0,
      )
      const failed = records.filter(({ outcome }) => outcome === 'fail')
      expect(failed.map(({ task }) => task).sort()).toEqual(expected.map(({ id }) => id).sort())
      for (const { reasons, exchanges, task } of failed) {
        expect(reasons.join(), task).not.toBe('')
        const raw = exchanges.map(
          ({ answer }) => answer.text + answer.toolCalls.map(call => call.arguments).join(),
        )
        expect(raw.join()).toMatch(/something|\d/)
      }
      expect(stdout).toContain(protocol)
      const summary: unknown = JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8'))
      expect(isRecord(summary) && summary.tasks).toHaveLength(records.length)
    },
  )

  it('that says nothing passes no agent task', perTask, async () => {
    const { records } = await run('silent', ['hermes'], '--kind', 'agent')
    expect(new Set(records.map(({ outcome }) => outcome))).toEqual(new Set(['fail']))
  })
})

describe('usage', () => {
  it.each([[[]], [['--stream']]])(
    'stays absent where the endpoint does not report it %j',
    async flags => {
      const { baseUrl } = await serve({ hasUsage: false })
      const out = createDirectory()
      const filter = ['--filter', 'agent/bank-duplicate', '--filter', 'single/thermometer']
      const target = ['--base-url', baseUrl, '--model', 'perfect', '--out', out, '--reps', '2']
      const { stdout, exitCode } = await bench([...target, ...filter, ...flags])
      expect(exitCode).toBe(0)
      for (const line of readLines(out).slice(1)) expect(line).not.toMatch(/Tokens/)
      expect(stdout).toMatch(/^hermes .* - +- /m)
      expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('Tokens in, mean')
    },
  )
})

describe('the key', () => {
  it('is sent, but is not in any file or message', async () => {
    const key = 'secret-key-of-the-test'
    const { baseUrl, requests } = await serve({
      intercept: ({ authorization }, response, count) => {
        if (count < 3) return false
        response.writeHead(401, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: { message: `bad key: ${authorization}` } }))
        return true
      },
    })
    const out = createDirectory()
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--reps',
      '1',
      '--filter',
      'single/t',
      '--out',
      out,
    ]
    const { exitCode, stdout, stderr } = await bench(args, { env: { TOOLGLOT_API_KEY: key } })
    expect(requests[0]?.authorization).toBe(`Bearer ${key}`)
    expect(exitCode).toBe(1)
    expect(stderr).toContain('bad key: Bearer [key]')
    const files = ['results.jsonl', 'summary.json', 'report.html'].map(name =>
      readFileSync(join(out, name), 'utf8'),
    )
    for (const text of [stdout, stderr, ...files]) expect(text).not.toContain(key)
  })
})
