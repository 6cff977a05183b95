import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dryPublish } from '../src/dry-publish.js'
import { findVersionProblems, publicPackages, readExamples, readPackages } from '../src/packages.js'
import { findPackProblems, namedFiles } from '../src/packed-files.js'
import { linkFields, readRepository } from '../src/repository.js'
import { createRunCommand } from '../src/run-command.js'
import { createDirectory, root, writeFiles } from './repository-files.js'

const packages = readPackages(root)
const published = publicPackages(packages)
const repository = readRepository(root)

describe('the packages', () => {
  it('are published in the order in which they depend on each other', () => {
    expect(published.map(({ manifest }) => manifest.name)).toEqual([
      '@toolglot/parser',
      '@toolglot/proxy',
      'toolglot',
    ])
  })

  it('have one version', () => {
    const version = packages[0]?.manifest.version ?? ''
    const examples = readExamples(root)
    expect(examples.length).toBeGreaterThan(0)
    expect(findVersionProblems(packages, examples, version)).toEqual([])
  })

  it.each(packages)('$directory has the address of the repository', ({ directory, manifest }) => {
    const { repository: found, homepage, bugs } = manifest
    expect({ repository: found, homepage, bugs }).toEqual(linkFields(repository, directory))
  })

  it.each(published)('$directory has the fields that npm shows', ({ directory, manifest }) => {
    const { license, engines, publishConfig, description } = manifest
    expect(license).toBe('Apache-2.0')
    expect(engines).toEqual(packages[0]?.manifest.engines)
    // The first version of a package with a scope would otherwise be private.
    expect(publishConfig).toEqual({ access: 'public' })
    expect(description?.length).toBeGreaterThan(20)
    const licenceOf = (path: string) => readFileSync(join(root, path, 'LICENSE'), 'utf8')
    expect(licenceOf(directory)).toBe(licenceOf('.'))
  })
})

describe('npm publish --dry-run', () => {
  /** A copy of the packages with an empty file in `dist` for each that `tsc -b` writes. */
  function copyPackages(): string {
    const copy = createDirectory({
      'package.json': '{ "name": "copy", "private": true, "workspaces": ["packages/*"] }',
    })
    for (const { directory, manifest } of published) {
      for (const path of readdirSync(join(root, directory))) {
        if (['dist', 'test', 'node_modules'].includes(path)) continue
        cpSync(join(root, directory, path), join(copy, directory, path), { recursive: true })
      }
      writeFiles(join(copy, directory), {
        ...builtFiles(join(root, directory)),
        'dist/tsconfig.tsbuildinfo': '{}',
        'test/a.test.ts': '',
      })
      expect(manifest.files).toContain('dist')
    }
    return copy
  }

  function builtFiles(directory: string): Record<string, string> {
    const sources = readdirSync(join(directory, 'src'), { recursive: true, encoding: 'utf8' })
    const names = sources.filter(path => path.endsWith('.ts')).map(path => path.slice(0, -3))
    return Object.fromEntries(
      names.flatMap(name =>
        ['.js', '.js.map', '.d.ts', '.d.ts.map'].map(end => [`dist/${name}${end}`, '']),
      ),
    )
  }

  it('packs every file that package.json names, and no other', () => {
    const copy = copyPackages()
    expect(dryPublish(published, createRunCommand(copy))).toEqual([])
  })

  it('names a file that was not built, and one whose source is gone', () => {
    const copy = copyPackages()
    writeFiles(join(copy, 'packages/parser'), {
      'src/new.ts': '',
      'dist/old.js': '',
      'dist/old.d.ts': '',
    })
    expect(dryPublish(published, createRunCommand(copy))).toEqual([
      '@toolglot/parser: src/new.ts is not compiled: npm run build',
      '@toolglot/parser: dist/old.js has no source: remove dist and build again',
    ])
  })

  it('names a field that npm has to correct', () => {
    const copy = copyPackages()
    const path = 'packages/cli/package.json'
    const text = readFileSync(join(copy, path), 'utf8')
    writeFiles(copy, { [path]: text.replace('"bin/toolglot.js"', '"./bin/toolglot.js"') })
    const problems = dryPublish(published, createRunCommand(copy))
    expect(problems.join('\n')).toContain('"bin[toolglot]" script name')
  })
})

describe('the files of a tarball', () => {
  const manifest = {
    name: 'a',
    version: '1.0.0',
    files: ['dist', 'schema.json', '!dist/*.tsbuildinfo'],
    bin: { a: 'dist/main.js' },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
  }
  const whole = [
    ...['package.json', 'README.md', 'LICENSE', 'schema.json', 'src/index.ts', 'src/main.ts'],
    ...['dist/index.js', 'dist/index.d.ts', 'dist/main.js', 'dist/main.d.ts'],
  ]

  it('are those of exports, bin and files', () => {
    expect(namedFiles(manifest)).toEqual(['dist/index.d.ts', 'dist/index.js', 'dist/main.js'])
    expect(findPackProblems(manifest, whole)).toEqual([])
  })

  it.each([
    ['README.md', 'a: README.md is missing'],
    ['dist/main.js', 'a: dist/main.js is missing'],
    ['schema.json', 'a: no file of "schema.json" (field "files") is in it'],
  ])('lack %s', (path, problem) => {
    const rest = whole.filter(each => each !== path)
    expect(findPackProblems(manifest, rest)).toContain(problem)
  })

  it.each(['dist/tsconfig.tsbuildinfo', 'test/a.ts', 'src/.env'])('may not be %s', path => {
    expect(findPackProblems(manifest, [...whole, path])).toEqual([`a: ${path} must not be in it`])
  })
})
