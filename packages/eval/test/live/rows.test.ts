import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compactProtocol, getProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defaultSystem } from '../../src/live/options.js'
import { keyOf } from '../../src/live/record.js'
import { catalogue } from '../../src/live/tasks/catalogue.js'
import { declareTools } from '../../src/live/tool-set.js'
import { bench, createDirectory, readLines, readRecords, serve } from './bench.js'
import { type SeenRequest, textOf } from './scripted-server.js'

const thermometer = ['--cases', 'single/thermometer', '--reps', '1']
const systemOf = ({ body }: SeenRequest) => textOf(body.messages[0]?.content)

/** The tools of the task `single/thermometer`. */
const tools = declareTools(
  catalogue.find(({ id }) => id === 'single/thermometer')?.open().tools ?? [],
)

const summaryFile = z.object({
  targets: z.array(z.object({ model: z.string(), baseUrl: z.string() })),
  rows: z.array(
    z.looseObject({ label: z.string(), accuracy: z.looseObject({ passed: z.number() }) }),
  ),
  comparisons: z.array(
    z.looseObject({ label: z.string(), baseline: z.string(), verdict: z.string() }),
  ),
})
const readSummary = (out: string) =>
  summaryFile.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')))
const readReport = (out: string) => readFileSync(join(out, 'report.html'), 'utf8')

async function run(...flags: readonly string[]) {
  const server = await serve()
  const out = createDirectory()
  const args = ['--base-url', server.baseUrl, '--out', out, ...flags]
  return { ...(await bench(args)), server, out, args }
}

describe('several models', () => {
  it('are in one report, each against the first and against its own native row', async () => {
    const { exitCode, stdout, out, server } = await run(
      '--models',
      'perfect, wrong',
      ...thermometer,
    )
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^perfect · native +1\/1 /m)
    expect(stdout).toMatch(/^perfect · hermes +1\/1 /m)
    expect(stdout).toMatch(/^wrong · native +0\/1 /m)
    expect(stdout).toMatch(/^wrong · hermes +0\/1 /m)
    expect(server.requests.map(({ body }) => body.model)).toEqual([
      'perfect',
      'perfect',
      'wrong',
      'wrong',
    ])
    const { targets, comparisons } = readSummary(out)
    expect(targets).toEqual(['perfect', 'wrong'].map(model => ({ model, baseUrl: server.baseUrl })))
    expect(comparisons.map(({ label, baseline }) => [label, baseline])).toEqual([
      ['perfect · hermes', 'perfect · native'],
      ['wrong · native', 'perfect · native'],
      ['wrong · hermes', 'wrong · native'],
      ['wrong · hermes', 'perfect · hermes'],
    ])
    const report = readReport(out)
    expect(report).toContain('<h1>Tool calling of perfect, wrong</h1>')
    expect(report).toContain('against perfect · native')
    expect(report).toContain('<span class="tag">wrong · hermes</span>')
  })

  it('are added to existing results, and kept separate from them', async () => {
    const { args, server, out } = await run('--model', 'perfect', ...thermometer)
    expect(server.requests).toHaveLength(2)
    const models = [
      '--base-url',
      server.baseUrl,
      '--out',
      out,
      '--models',
      'perfect,wrong',
      ...thermometer,
    ]
    const { stderr, stdout } = await bench(models)
    expect(stderr).toContain('2 of 4 runs exist already')
    expect(server.requests).toHaveLength(4)
    expect(stdout).toMatch(/^wrong · native +0\/1 /m)
    const records = readRecords(out)
    expect(new Set(records.map(keyOf)).size).toBe(4)
    // The first model alone again: nothing is run, and the other one is not in its figures.
    expect((await bench(args)).stdout).toMatch(/^native +1\/1 /m)
    expect(server.requests).toHaveLength(4)
  })

  it('are given up on one by one', async () => {
    const { baseUrl, requests } = await serve({
      intercept: ({ body }, response) => {
        if (body.model !== 'wrong') return false
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"message":"no such model"}}')
        return true
      },
    })
    const target = ['--base-url', baseUrl, '--models', 'wrong,perfect', '--out', createDirectory()]
    const { exitCode, stdout, stderr } = await bench([...target, '--kind', 'single', '--reps', '1'])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('gave up after 8 runs of wrong in a row')
    expect(requests.filter(({ body }) => body.model === 'wrong')).toHaveLength(8)
    expect(stdout).toMatch(/^perfect · hermes +32\/32 /m)
  })
})

describe('exact cases', () => {
  it('are run and no others', async () => {
    const names = ['single/thermometer', 'agent/bank-rent']
    const { out } = await run(
      '--model',
      'perfect',
      '--reps',
      '1',
      '--cases',
      ` ${names.join(' , ')}`,
    )
    expect([...new Set(readRecords(out).map(({ task }) => task))]).toEqual(names)
    const { stdout } = await bench(['--list', '--cases', 'single/thermometer'])
    expect(stdout).toBe('single/thermometer  enum\n1 tasks\n')
  })
})

describe('ablations', () => {
  it('are rows of their own, each with other requests', async () => {
    const flags = ['syntax=json', 'no-manual', 'placement=first'].flatMap(name => [
      '--ablation',
      name,
    ])
    const { exitCode, stdout, stderr, out, server } = await run(
      '--model',
      'perfect',
      ...thermometer,
      ...flags,
    )
    expect(exitCode, stderr).toBe(0)
    const labels = [
      'native',
      'wire',
      'wire · syntax=json',
      'wire · no-manual',
      'wire · placement=first',
    ]
    for (const label of labels) expect(stdout).toMatch(new RegExp(`^${label} +1/1 `, 'm'))
    expect(readSummary(out).rows.map(({ label }) => label)).toEqual(labels)
    expect(readSummary(out).comparisons.map(({ label, baseline }) => [label, baseline])).toEqual([
      ['wire', 'native'],
      ['wire · syntax=json', 'wire'],
      ['wire · no-manual', 'wire'],
      ['wire · placement=first', 'wire'],
    ])
    for (const label of labels) expect(readReport(out)).toContain(`<th scope="row">${label}</th>`)

    const [native, wire, json, bare, first] = server.requests
    if (!native || !wire || !json || !bare || !first) throw new Error('a request is missing')
    expect(native.body.tools).toBeDefined()
    const manual = getProtocol('wire').formatTools({ tools })
    // The other rows have the tools last, so that the ablation has something to be compared with.
    expect(systemOf(wire)).toBe(`${defaultSystem}\n\n${manual}`)
    expect(systemOf(first)).toBe(`${manual}\n\n${defaultSystem}`)
    expect(systemOf(json)).toBe(
      `${defaultSystem}\n\n${compactProtocol({ syntax: 'json' }).formatTools({ tools })}`,
    )
    const [, signatures = ''] = systemOf(bare).split('# Tools\n')
    expect(systemOf(bare)).toBe(`${defaultSystem}\n\n# Tools\n${signatures}`)
    expect(manual.endsWith(`\n${signatures}`)).toBe(true)
    expect(systemOf(bare)).not.toContain('To call a tool')
    for (const { name } of tools) expect(signatures).toContain(name)
  })

  it.each([
    ['placement=last', ['first', 'last']],
    ['placement=first', ['last', 'first']],
  ])('%s is compared with the other placement', async (ablation, expected) => {
    const flags = ['--protocols', 'hermes', '--ablation', ablation]
    const { server, stderr } = await run('--model', 'perfect', ...thermometer, ...flags)
    const places = server.requests.map(each =>
      systemOf(each).startsWith(defaultSystem) ? 'last' : 'first',
    )
    expect(places).toEqual(expected)
    expect(stderr).toContain(
      `The rows without --ablation ${ablation} have their tools ${expected[0]}.`,
    )
  })

  it('say which protocols they have no row for', async () => {
    const protocols = ['--protocols', 'native,hermes,wire,line']
    const flags = [...protocols, '--ablation', 'no-manual', '--ablation', 'syntax=json', '--dry']
    const { stderr, stdout } = await run('--model', 'perfect', ...flags)
    expect(stderr).toContain(
      '--ablation no-manual has no row for native, hermes: it changes only wire, compact_json, line.',
    )
    expect(stderr).toContain('--ablation syntax=json is the same for wire and line: one row.')
    expect(stdout).toContain(
      '(native, hermes, wire, line, wire · no-manual, line · no-manual, wire · syntax=json)',
    )
    const both = await run(
      '--model',
      'perfect',
      '--protocols',
      'wire,compact_json',
      '--ablation',
      'syntax=json',
      '--dry',
    )
    expect(both.stderr).toContain(
      '--ablation syntax=json has no row of its own: it is the row compact_json.',
    )
    expect(both.stdout).toContain('2 rows (wire, compact_json)')
  })

  it.each(['wire', 'compact_json', 'line'])(
    'leave %s readable without its manual',
    async protocol => {
      const flags = [
        '--protocols',
        protocol,
        '--ablation',
        'no-manual',
        '--kind',
        'single',
        '--reps',
        '1',
      ]
      const { stdout } = await run('--model', `perfect/${protocol}`, ...flags, '--concurrency', '4')
      expect(stdout).toMatch(new RegExp(`^${protocol} · no-manual +32/32 `, 'm'))
    },
  )

  it('are compared within each of several models', async () => {
    const flags = [
      '--models',
      'perfect,wrong',
      '--protocols',
      'wire',
      '--ablation',
      'no-manual',
      ...thermometer,
    ]
    const { out } = await run(...flags)
    expect(readSummary(out).rows.map(({ label, accuracy }) => [label, accuracy.passed])).toEqual([
      ['perfect · wire', 1],
      ['perfect · wire · no-manual', 1],
      ['wrong · wire', 0],
      ['wrong · wire · no-manual', 0],
    ])
    expect(readSummary(out).comparisons.map(({ label, baseline }) => [label, baseline])).toEqual([
      ['perfect · wire · no-manual', 'perfect · wire'],
      ['wrong · wire', 'perfect · wire'],
      ['wrong · wire · no-manual', 'wrong · wire'],
      ['wrong · wire · no-manual', 'perfect · wire · no-manual'],
    ])
  })
})

describe('--resume', () => {
  it('goes on with a file of any name, with more models and ablations', async () => {
    const { server, out } = await run('--model', 'perfect', '--protocols', 'wire', ...thermometer)
    const file = join(out, 'monday.jsonl')
    renameSync(join(out, 'results.jsonl'), file)
    const more = [
      '--models',
      'perfect,wrong',
      '--protocols',
      'wire',
      '--ablation',
      'no-manual',
      ...thermometer,
    ]
    const { exitCode, stderr, stdout } = await bench([
      '--base-url',
      server.baseUrl,
      '--resume',
      file,
      ...more,
    ])
    expect(exitCode).toBe(0)
    expect(stderr).toContain('1 of 4 runs exist already')
    expect(server.requests).toHaveLength(4)
    expect(stdout).toContain(`Written to ${join(out, 'report.html')}`)
    expect(existsSync(join(out, 'results.jsonl'))).toBe(false)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(1 + 4)
  })

  it('refuses other settings, also where an ablation changes those of the other rows', async () => {
    const { server, out } = await run('--model', 'perfect', '--protocols', 'wire', ...thermometer)
    const target = [
      '--base-url',
      server.baseUrl,
      '--resume',
      join(out, 'results.jsonl'),
      '--protocols',
      'wire',
    ]
    const flags = ['--models', 'perfect,wrong', '--ablation', 'placement=first', ...thermometer]
    const { exitCode, stderr } = await bench([...target, ...flags])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('placement: "first" there, "last" now')
    expect(server.requests).toHaveLength(1)
  })

  it('counts no runs of the same model at another address, and says so', async () => {
    const { out } = await run('--model', 'perfect', '--protocols', 'wire', ...thermometer)
    const other = await serve()
    const flags = [
      '--base-url',
      other.baseUrl,
      '--resume',
      join(out, 'results.jsonl'),
      '--protocols',
      'wire',
    ]
    const { exitCode, stderr } = await bench([...flags, '--model', 'wrong/wire', ...thermometer])
    expect({ exitCode, note: stderr.includes('Not counted') }).toEqual({ exitCode: 0, note: false })
    const again = await bench([...flags, '--model', 'perfect', ...thermometer])
    expect(again.stderr).toMatch(/^Not counted: 1 earlier run of the same model at http:\S+\.$/m)
    expect(other.requests).toHaveLength(2)
    expect(readRecords(out)).toHaveLength(3)
  })

  it('reads files of earlier versions, which have the model in the first line only', async () => {
    const { args, server, out } = await run('--model', 'perfect', ...thermometer)
    const target = { model: 'perfect', baseUrl: server.baseUrl }
    const [header = '', ...lines] = readLines(out)
    const { config } = JSON.parse(header)
    const old = [
      { type: 'config', config: { ...target, ...config } },
      ...lines.map(line => ({ ...JSON.parse(line), model: undefined, baseUrl: undefined })),
    ]
    writeFileSync(
      join(out, 'results.jsonl'),
      `${old.map(line => JSON.stringify(line)).join('\n')}\n`,
    )
    const { exitCode, stderr } = await bench(args)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('2 of 2 runs exist already')
    expect(server.requests).toHaveLength(2)
  })
})

describe('--dry', () => {
  it('shows what would be run, sends nothing and writes nothing', async () => {
    const { exitCode, stdout, out, server } = await run(
      '--models',
      'a,b',
      '--reps',
      '2',
      '--kind',
      'agent',
      '--dry',
    )
    expect(exitCode).toBe(0)
    expect(stdout).toBe(
      `a at ${server.baseUrl}, without a key\nb at ${server.baseUrl}, without a key\n` +
        '2 models × 2 rows (native, hermes) × 14 tasks × 2 repetitions: 112 runs, 112 to be made.\nNothing was sent.\n',
    )
    expect(server.requests).toEqual([])
    expect(existsSync(join(out, 'results.jsonl'))).toBe(false)
    expect(existsSync(join(out, 'report.html'))).toBe(false)
  })
})
