import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPackages } from '../src/packages.js'
import {
  addressOf,
  placeholderOwner,
  readAddressFiles,
  readRepository,
  withAddress,
} from '../src/repository.js'
import { createDirectory, root } from './repository-files.js'

const repository = readRepository(root)
const address = addressOf(repository)
const readmes = readPackages(root)
  .map(({ directory }) => `${directory}/README.md`)
  .filter(path => existsSync(join(root, path)))
const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
const pages = [
  ...readmes,
  ...examples.filter(file => file.endsWith('README.md')).map(file => `examples/${file}`),
  ...readdirSync(root).filter(file => file.endsWith('.md')),
  ...readdirSync(join(root, 'docs'))
    .filter(file => file.endsWith('.md'))
    .map(file => `docs/${file}`),
]

/** A link of a page: `[name](path#anchor)`. */
interface Link {
  readonly page: string
  readonly target: string
}

const links = pages.flatMap(page => {
  const text = readFileSync(join(root, page), 'utf8').replace(/^```.*?^```$/gms, '')
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']): Link => ({ page, target }))
})

/** Returns the path in the repository that a link leads to; undefined for other sites. */
function pathOf({ page, target }: Link): string | undefined {
  if (target.startsWith('#')) return page + target
  if (!/^[a-z]+:/.test(target)) return join(dirname(page), target)
  const path = /^\/(?:blob|tree)\/main\/(.*)$/.exec(target.slice(address.length))?.[1]
  return target.startsWith(address) ? path : undefined
}

/** `## What a tool returns` has the anchor `what-a-tool-returns`. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function isBroken(link: Link): boolean {
  const [path = '', anchor] = pathOf(link)?.split('#') ?? []
  if (path === '') return false
  const file = join(root, path)
  if (!existsSync(file)) return true
  return anchor !== undefined && !anchorsOf(file).includes(anchor)
}

describe('the address of the repository', () => {
  it('is the same in all files', () => {
    const files = readAddressFiles(root, repository)
    expect(files.map(({ path }) => path)).toContain('SECURITY.md')
    const outdated = files.filter(({ found, expected }) => found !== expected)
    expect(
      outdated.map(({ path }) => path),
      'run npm run repository',
    ).toEqual([])
  })

  it('is written into every file that has it', () => {
    const own = { owner: 'acme-1', name: repository.name }
    const others = new RegExp(`github\\.com/(?!acme-1/)[\\w.-]+/${repository.name}\\b`)
    for (const { path, expected } of readAddressFiles(root, own)) {
      expect(expected, path).not.toMatch(others)
    }
  })

  it.each([
    [
      '[a](https://github.com/OWNER/toolglot#readme)',
      '[a](https://github.com/acme/toolglot#readme)',
    ],
    ['"git+https://github.com/x/toolglot.git"', '"git+https://github.com/acme/toolglot.git"'],
    ['https://github.com/x/toolglot-action', 'https://github.com/x/toolglot-action'],
    ['https://github.com/x/other/toolglot', 'https://github.com/x/other/toolglot'],
  ])('in %s is replaced where it is ours', (text, expected) => {
    expect(withAddress(text, { owner: 'acme', name: 'toolglot' })).toBe(expected)
  })

  it('is refused if it is not on GitHub', () => {
    const directory = createDirectory({
      'package.json': '{ "repository": { "url": "https://example.org/a.git" } }',
    })
    expect(() => readRepository(directory)).toThrow(
      'repository.url is https://example.org/a.git, expected git+https://github.com/OWNER/NAME.git',
    )
    expect(placeholderOwner).toBe('OWNER')
  })
})

describe('links', () => {
  it('of READMEs on npm are absolute and lead to the pages', () => {
    const own = links.filter(({ page }) => readmes.includes(page))
    expect(own.filter(({ target }) => !target.startsWith('https://'))).toEqual([])
    for (const readme of readmes) {
      expect(
        own.some(link => link.page === readme && pathOf(link) !== undefined),
        readme,
      ).toBe(true)
    }
  })

  it('lead to files and headings that exist', () => {
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter(isBroken)).toEqual([])
  })
})

describe('the issue templates', () => {
  const read = (name: string) => readFileSync(join(root, '.github/ISSUE_TEMPLATE', name), 'utf8')
  it.each([
    ['wrong-reading.yml', ['model', 'server', 'raw', 'tools', 'expected', 'found']],
    ['missing-format.yml', ['model', 'template', 'raw']],
    ['proxy-bug.yml', ['config', 'client', 'server', 'request', 'found']],
  ])('%s asks for what a report needs', (name, wanted) => {
    const fields = read(name)
      .split(/^ {2}- type: /m)
      .slice(1)
    const required = fields.filter(field => field.includes('required: true'))
    const ids = required.map(field => /^ {4}id: (\w+)$/m.exec(field)?.[1])
    expect(ids).toEqual(expect.arrayContaining(wanted))
  })

  it('send vulnerabilities to a private place', () => {
    expect(read('config.yml')).toContain(`url: ${address}/security/advisories/new`)
  })
})
