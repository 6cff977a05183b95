import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bench, createDirectory, serve } from './bench.js'
import { fields, findProblems, resultsDirectory } from './contributed-result.js'

const root = new URL('../../../../', import.meta.url)
const contributed = readdirSync(resultsDirectory, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)

/** A result as the benchmark writes it, on a scripted model, with a page made from the template. */
async function createResult() {
  const { baseUrl } = await serve()
  const out = createDirectory()
  const model = ['--base-url', baseUrl, '--model', 'perfect', '--protocols', 'native']
  const { exitCode } = await bench([
    ...[...model, '--out', out],
    ...['--filter', 'single/thermometer', '--reps', '1'],
  ])
  expect(exitCode).toBe(0)
  const page = fields.map(({ name }) => `- ${name}: something`).join('\n')
  const write = (file: string, text: string) => writeFileSync(join(out, file), text)
  write('README.md', page)
  return { out, page, write }
}

describe('a contributed result', () => {
  it('is accepted as the benchmark and the template make it', async () => {
    const { out } = await createResult()
    expect(findProblems(out)).toEqual([])
  })

  it('is refused with the template as it is', async () => {
    const { out } = await createResult()
    copyFileSync(new URL('TEMPLATE.md', resultsDirectory), join(out, 'README.md'))
    expect(findProblems(out)).toEqual(
      fields.map(({ name }) => `README.md: "${name}" is not filled in`),
    )
  })

  it('is refused without a line, without runs, and cut off', async () => {
    const { out, page, write } = await createResult()
    write('README.md', page.replace(/^- Server: .*$/m, ''))
    expect(findProblems(out)).toEqual(['README.md has no line "- Server:"'])
    write('README.md', page)
    write('summary.json', '{"isInterrupted":true,"rows":[]}')
    expect(findProblems(out)).toHaveLength(2)
    write('summary.json', '{"rows":[')
    expect(findProblems(out)[0]).toMatch(/^summary\.json is not JSON/)
    expect(findProblems(join(out, 'nothing'))).toEqual(['README.md or summary.json is missing'])
  })

  it('has a template with a hint in each line', () => {
    expect(fields.map(({ name }) => name)).toContain('Command')
    expect(fields.length).toBeGreaterThanOrEqual(8)
  })

  it('is complete if it is in the repository, and docs/evidence.md links to it', () => {
    const page = readFileSync(new URL('docs/evidence.md', root), 'utf8')
    for (const name of contributed) {
      expect(findProblems(fileURLToPath(new URL(`${name}/`, resultsDirectory))), name).toEqual([])
      expect(page).toContain(`results/live/${name}/`)
    }
    // While there is none, the page says so.
    expect(page.includes('contains no result of a real model')).toBe(contributed.length === 0)
  })
})
