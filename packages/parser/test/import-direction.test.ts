import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('../src', import.meta.url))

/** The folders from the outermost to the innermost. A file imports from its own folder or a later row, types included. */
const layers = [
  ['.'],
  ['plain'],
  ['middleware'],
  ['formats'],
  ['protocols'],
  ['writing', 'response'],
  ['options'],
  ['schema'],
  ['sdk'],
  ['engine'],
]

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(normalize)

/** The files that a file imports or exports from, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8')
  const specifiers = [...text.matchAll(/\bfrom '(\.[^']+)\.js'/g)].map(([, path = '']) => path)
  return specifiers.map(path => relative(source, join(source, dirname(file), `${path}.ts`)))
}

const edges = files.flatMap(file => importsOf(file).map(target => ({ file, target })))

const rankIn = (rows: readonly string[][], folder: string) =>
  rows.findIndex(row => row.includes(folder))

/** `middleware` of `middleware/history.ts`, `engine` of everything in it. */
const folderOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '.')

describe('the folders of the parser', () => {
  it('are all named here', () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual(layers.flat().sort())
  })

  it('import downwards only', () => {
    const upwards = edges.filter(({ file, target }) => {
      // What has no folder of its own may be used everywhere.
      if (target === 'is-record.ts') return file.startsWith('engine/')
      return rankIn(layers, folderOf(target)) < rankIn(layers, folderOf(file))
    })
    expect(upwards).toEqual([])
  })

  it('do not import from each other in one row', () => {
    const across = edges.filter(({ file, target }) => {
      const [from, to] = [folderOf(file), folderOf(target)]
      return from !== to && rankIn(layers, from) === rankIn(layers, to)
    })
    expect(across).toEqual([])
  })

  it('have no cycle of files', () => {
    expect(findCycle()).toBeUndefined()
  })
})

/** A chain of files in which the last one imports the first. */
function findCycle(): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const { target } of edges.filter(edge => edge.file === file)) {
      const cycle = visit(target, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of files) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return undefined
}
