import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../src/tokens/command.js'
import { outputPaths } from '../../src/tokens/outputs.js'

const casesFile = {
  source: 'a note that is not looked at',
  tools: [
    {
      name: 'add',
      description: 'Adds.',
      inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
    },
  ],
  cases: [
    { name: 'first', tool: 'add', args: { a: 1 } },
    { name: 'second', tool: 'add', args: {}, nativeTokens: 12 },
  ],
}

describe('bench:tokens', () => {
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tokens-'))
    file = join(folder, 'cases.json')
    await writeFile(file, JSON.stringify(casesFile))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function run(...args: string[]) {
    const out: string[] = []
    const errors: string[] = []
    const paths = {
      results: join(folder, 'new/tokens.json'),
      chart: join(folder, 'tokens.svg'),
      document: join(folder, 'tokens.md'),
      readme: join(folder, 'readme.md'),
    }
    const publicPaths = {
      results: join(folder, 'new/tokens-public.json'),
      document: paths.document,
    }
    const code = await runCommand(args, {
      print: text => out.push(text),
      printError: text => errors.push(text),
      paths,
      publicPaths,
    })
    return { code, out: out.join('\n'), errors: errors.join('\n'), paths, publicPaths }
  }

  it('shows tables of the cases in a file', async () => {
    const { code, out, errors } = await run('--cases-file', file)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(out).toContain('1 tool, 2 messages with 2 calls (2 all)')
    expect(out).toMatch(/^bare_json +8 /m)
    expect(out).toMatch(/^hermes +\d+ +[-+][\d.]+ % /m)
    expect(out).not.toMatch(/NaN|undefined/)
    expect(out).not.toContain('second')
  })

  it('shows every case on demand', async () => {
    const { out } = await run('--cases-file', file, '--cases')
    expect(out).toMatch(/^second +2 +\d+ +\d+ +\d+ /m)
  })

  it('prints JSON and nothing else', async () => {
    const { out } = await run(
      '--cases-file',
      file,
      '--json',
      '--output-price-ratio',
      '5',
      '--cache-ratio=0.25',
    )
    const result = JSON.parse(out)
    expect(result.prices).toEqual({ outputPriceRatio: 5, cacheRatio: 0.25 })
    expect(result.catalogue).toEqual({ tools: 1, cases: 2, calls: 2, groups: { all: 2 } })
  })

  it('writes the result, the chart and the tables of the documentation', async () => {
    await writeFile(join(folder, 'tokens.md'), await readFile(outputPaths.document, 'utf8'))
    const page =
      'before\n<!-- bench:tokens headline begin -->\n<!-- bench:tokens headline end -->\nafter\n'
    await writeFile(join(folder, 'readme.md'), page)
    const { out, errors, paths } = await run('--write', '--json')
    expect(errors).toContain(paths.results)
    expect(await readFile(paths.results, 'utf8')).toBe(`${out}\n`)
    const total = JSON.parse(out).contestants[0].tokens.o200k_base.calls.toLocaleString('en')
    expect(await readFile(paths.chart, 'utf8')).toContain(`>${total}</text>`)
    expect(await readFile(paths.document, 'utf8')).toContain(`| ${total} |`)
    expect(await readFile(paths.readme, 'utf8')).toMatch(
      /^before\n<!--[\s\S]*^\| line \| [-+][\d.]+ % \|[\s\S]*-->\nafter\n$/m,
    )
  })

  it('shows the published figures of the public cases next to ours', async () => {
    const { code, out, errors } = await run('--catalogue', 'public', '--cases')
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(out).toMatch(
      /^published: native +762 +\+81\.4 % +\+21\.1 % +\+60\.8 % +861 +\+75\.7 %$/m,
    )
    expect(out).toMatch(/^published: compact +474 +\+12\.9 % +-24\.6 % +-37\.8 % +490 +-43\.1 %$/m)
    expect(out).toMatch(
      /^published_json +762 +\+81\.4 % +\+21\.1 % +0\.0 % +\+60\.8 % +861 +0\.0 %/m,
    )
    expect(out).toMatch(/^getTime +28 +14 +\d+ +\d+ +\d+ +\d+ +28$/m)
    expect(out).toContain('our count is the same for every case and for the definitions')
    expect(out).toContain('13 tools, 19 messages with 19 calls (19 all)')
  })

  it('writes the public cases to a file and a section of their own', async () => {
    const before = await readFile(outputPaths.document, 'utf8')
    const stale = before.replaceAll(/^\| published: native \|.*$/gm, 'an old table')
    await writeFile(join(folder, 'tokens.md'), stale)
    const { out, errors, paths, publicPaths } = await run(
      '--catalogue',
      'public',
      '--write',
      '--json',
    )
    expect(errors).toBe(`Written: ${publicPaths.results}, ${paths.document}`)
    expect(await readFile(publicPaths.results, 'utf8')).toBe(`${out}\n`)
    expect(stale).not.toBe(before)
    expect(await readFile(paths.document, 'utf8')).toBe(before)
  })

  it('explains itself', async () => {
    const { code, out } = await run('--help')
    expect(code).toBe(0)
    for (const flag of [
      '--catalogue',
      '--cases-file',
      '--output-price-ratio',
      '--cache-ratio',
      '--json',
      '--write',
    ]) {
      expect(out).toContain(flag)
    }
  })

  it.each([
    [['--nonsense'], '--nonsense'],
    [['stray'], 'stray'],
    [['--cache-ratio', 'cheap'], '--cache-ratio is "cheap"'],
    [['--output-price-ratio', ''], 'at least 0'],
    [['--output-price-ratio=-1'], 'at least 0'],
    [['--cases-file', '/no/such/file'], '/no/such/file cannot be read'],
    [['--write', '--cache-ratio', '0.5'], 'default prices'],
    [['--write', '--all-protocols'], '--all-protocols'],
    [['--write', '--cases-file', 'x.json'], "project's own cases"],
    [['--catalogue', 'private'], '--catalogue is "private"; expected own or public'],
    [['--catalogue', 'public', '--cases-file', 'x.json'], 'cannot be used together'],
    [['--catalogue', 'public', '--write', '--cache-ratio', '0.5'], 'default prices'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, out, errors } = await run(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(errors).toContain(message)
  })

  it.each([
    ['{', 'cannot be read'],
    ['{"tools":[],"cases":[]}', 'is not a file of cases'],
    [
      JSON.stringify({ ...casesFile, cases: [{ name: 'x', tool: 'sub', args: {} }] }),
      'calls sub, which is not one of',
    ],
    [
      JSON.stringify({ ...casesFile, cases: [...casesFile.cases, ...casesFile.cases] }),
      'two cases named "first"',
    ],
  ])('refuses a file with %s', async (content, message) => {
    const broken = join(folder, 'broken.json')
    await writeFile(broken, content)
    const { code, errors } = await run('--cases-file', broken)
    expect(code).toBe(2)
    expect(errors).toContain(message)
  })
})
