import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** A decision of docs/decisions.md. */
interface Decision {
  readonly number: number
  /** The files after `Where:`, relative to the root of the repository. */
  readonly files: readonly string[]
}

/** `### 9. A string …` and the lines up to the next heading. */
const section = /^### (\d+)\. (?:(?!^##).*\n?)*/gm

const decisions = [...read('docs/decisions.md').matchAll(section)].map(
  ([text, number]): Decision => ({ number: Number(number), files: filesIn(text) }),
)

/** Paths are relative to the parser's source, unless they begin with a folder of the root. */
function filesIn(text: string): string[] {
  const [, list = ''] = /^- Where: (.*)$/m.exec(text) ?? []
  const paths = [...list.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
  return paths.map(path =>
    /^(?:packages|docs|examples|scripts)\//.test(path) ? path : `packages/parser/src/${path}`,
  )
}

const sources = readdirSync(join(root, 'packages'), { encoding: 'utf8' }).flatMap(name => {
  const folder = join('packages', name, 'src')
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(folder, file))
})

/** The numbers that a text cites: `decision 9`, `decisions 9 and 21`. */
const citedIn = (text: string) =>
  [...text.matchAll(/\bdecisions? (\d+(?:(?:, | and )\d+)*)/g)].flatMap(([, list = '']) =>
    list.split(/, | and /).map(Number),
  )

/** The engine, where each heuristic cites its decision. */
const citing = /^packages\/parser\/src\/engine\//

describe('docs/decisions.md', () => {
  it('has each number once, and a file for each decision', () => {
    const numbers = decisions.map(each => each.number)
    expect(numbers.length).toBeGreaterThan(50)
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
    expect(decisions.filter(each => each.files.length === 0)).toEqual([])
  })

  it('has every decision that code cites', () => {
    const known = new Set(decisions.map(each => each.number))
    const cited = sources.flatMap(file => citedIn(read(file)).map(number => ({ file, number })))
    expect(cited.length).toBeGreaterThan(0)
    expect(cited.filter(({ number }) => !known.has(number))).toEqual([])
  })

  it('names files that exist', () => {
    const named = decisions.flatMap(({ number, files }) => files.map(file => ({ number, file })))
    expect(named.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
  })

  it('is cited by the engine files that it names', () => {
    const named = decisions.flatMap(({ number, files }) => files.map(file => ({ number, file })))
    const uncited = named.filter(
      ({ number, file }) => citing.test(file) && !citedIn(read(file)).includes(number),
    )
    expect(uncited).toEqual([])
  })

  it('names the engine files that cite it', () => {
    const cited = sources
      .filter(file => citing.test(file))
      .flatMap(file => citedIn(read(file)).map(number => ({ file, number })))
    const unnamed = cited.filter(
      ({ file, number }) => !decisions.find(each => each.number === number)?.files.includes(file),
    )
    expect(unnamed).toEqual([])
  })
})
