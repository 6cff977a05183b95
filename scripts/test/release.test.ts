import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { findChangelogProblem } from '../src/changelog.js'
import { linkFields } from '../src/repository.js'
import { type CommandResult, createRunCommand, type RunCommand } from '../src/run-command.js'
import { runRelease } from '../src/run-release.js'
import { createDirectory, writeFiles } from './repository-files.js'

const acme = { owner: 'acme', name: 'toolglot' }
const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

/** A package.json whose fields are in the order that `npm run repository` writes. */
const manifest = (directory: string, name: string, more: object = {}) =>
  json({ name, version: '1.2.0', license: 'MIT', ...linkFields(acme, directory), ...more })

/** A repository that is ready to be released as 1.2.0. */
function createRepository(): string {
  const root = createDirectory({
    'package.json': json({ repository: { url: 'git+https://github.com/acme/toolglot.git' } }),
    'CHANGELOG.md':
      '# Changelog\n\n## 1.2.0 (2031-02-03)\n\n- A change.\n\n## 1.1.0 (2031-01-01)\n',
    'packages/a/package.json': manifest('packages/a', 'a', { dependencies: { b: '1.2.0' } }),
    'packages/a/README.md': '[pages](https://github.com/acme/toolglot/blob/main/docs/a.md)\n',
    'packages/b/package.json': manifest('packages/b', 'b'),
    'packages/c/package.json': manifest('packages/c', 'c', { private: true }),
    'examples/x/package.json': json({ name: 'x', dependencies: { b: '1.2.0', other: '^5' } }),
  })
  git(root, 'init', '--quiet', '--initial-branch=main')
  commit(root)
  return root
}

function git(root: string, ...args: readonly string[]): void {
  const user = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  execFileSync('git', [...user, ...args], { cwd: root })
}

function commit(root: string): void {
  git(root, 'add', '--all')
  git(root, 'commit', '--quiet', '--no-gpg-sign', '--message', 'Change')
}

interface Options {
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** What npm answers, by its arguments. Everything else succeeds. */
  readonly npm?: Readonly<Record<string, Partial<CommandResult>>>
}

/** Runs the release with the real git, and with an npm that only notes what it is asked. */
function release(root: string, { argv = [], env = {}, npm = {} }: Options = {}) {
  const asked: string[] = []
  let output = ''
  const real = createRunCommand(root)
  const run: RunCommand = (program, args) => {
    if (program === 'git') return real(program, args)
    const line = args.join(' ')
    asked.push(line)
    return { exitCode: 0, stdout: '', stderr: '', ...npm[line] }
  }
  const write = (text: string) => {
    output += text
  }
  const exitCode = runRelease({ root, argv, env, run, write })
  return { exitCode, output, asked }
}

const checks = ['run build', 'run check:packages']

describe('a release', () => {
  it('builds, checks and publishes the packages in their order', () => {
    expect(release(createRepository())).toEqual({
      exitCode: 0,
      output:
        'b@1.2.0 is published.\na@1.2.0 is published.\nNow: git tag v1.2.0 && git push origin v1.2.0\n',
      asked: [
        ...checks,
        ...['view b@1.2.0 version', 'publish --workspace packages/b'],
        ...['view a@1.2.0 version', 'publish --workspace packages/a'],
      ],
    })
  })

  it.each<[string, Options]>([
    ['with --dry-run', { argv: ['--dry-run'] }],
    ['if npm has kept --dry-run for itself', { env: { npm_config_dry_run: 'true' } }],
  ])('publishes nothing %s', (_, options) => {
    const { exitCode, output, asked } = release(createRepository(), options)
    expect(asked).toEqual(checks)
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: 'Nothing was published. 1.2.0 can be: npm run release\n',
    })
  })

  it.each<[string, (root: string) => void, string]>([
    [
      'a file that is not committed',
      root => writeFiles(root, { 'new.txt': '' }),
      'git: there are changes that are not committed:\n?? new.txt',
    ],
    [
      'another branch',
      root => git(root, 'switch', '--quiet', '--create', 'topic'),
      'git: the branch is topic, expected main',
    ],
    [
      'a tag of the version',
      root => git(root, 'tag', 'v1.2.0'),
      'git: the tag v1.2.0 exists already',
    ],
    [
      'a changelog without a day',
      root => {
        writeFiles(root, {
          'CHANGELOG.md': '# Changelog\n\n## 1.2.0 (unreleased)\n\n- A change.\n',
        })
        commit(root)
      },
      'CHANGELOG.md: the section of 1.2.0 has no day, expected "## 1.2.0 (year-month-day)"',
    ],
    [
      'the placeholder as owner',
      root => {
        const url = 'git+https://github.com/OWNER/toolglot.git'
        writeFiles(root, { 'package.json': json({ repository: { url } }) })
        commit(root)
      },
      'package.json: the owner in repository.url is still OWNER',
    ],
    [
      'another owner in a README',
      root => {
        writeFiles(root, { 'packages/a/README.md': 'https://github.com/OWNER/toolglot\n' })
        commit(root)
      },
      'packages/a/README.md: it has another address: npm run repository',
    ],
    [
      'another version of a dependency',
      root => {
        const dependencies = { b: '1.1.0' }
        writeFiles(root, {
          'packages/a/package.json': manifest('packages/a', 'a', { dependencies }),
        })
        commit(root)
      },
      'packages/a: it depends on b 1.1.0, expected 1.2.0',
    ],
    [
      'another version in an example',
      root => {
        writeFiles(root, { 'examples/x/package.json': json({ dependencies: { b: '^1.2.0' } }) })
        commit(root)
      },
      'examples/x: it depends on b ^1.2.0, expected 1.2.0',
    ],
    [
      'another version of a package',
      root => {
        writeFiles(root, {
          'packages/c/package.json': manifest('packages/c', 'c', { version: '1.1.0' }),
        })
        commit(root)
      },
      'packages/c: its version is 1.1.0, expected 1.2.0',
    ],
  ])('is refused with %s', (_, change, problem) => {
    const root = createRepository()
    change(root)
    const refused = release(root)
    expect(refused.output).toContain(`${problem}\n`)
    expect(refused.output).toMatch(/^Nothing was published: \d problems$/m)
    expect({ exitCode: refused.exitCode, asked: refused.asked }).toEqual({ exitCode: 1, asked: [] })
    // A dry run goes on, so that it shows everything.
    const dry = release(root, { argv: ['--dry-run'] })
    expect(dry.output).toContain(`${problem}\n`)
    expect({ exitCode: dry.exitCode, asked: dry.asked }).toEqual({ exitCode: 1, asked: checks })
  })

  it.each(checks)('publishes nothing if npm %s fails', script => {
    const npm = { [script]: { exitCode: 1 } }
    const { exitCode, output, asked } = release(createRepository(), { npm })
    expect(exitCode).toBe(1)
    expect(output).toBe(`Nothing was published: npm ${script} failed\n`)
    expect(asked.at(-1)).toBe(script)
  })

  it('stops at a package that cannot be published, and leaves out what is on npm at the next start', () => {
    const root = createRepository()
    const stopped = release(root, { npm: { 'publish --workspace packages/b': { exitCode: 1 } } })
    expect(stopped.exitCode).toBe(1)
    expect(stopped.asked.at(-1)).toBe('publish --workspace packages/b')
    const next = release(root, { npm: { 'view b@1.2.0 version': { stdout: '1.2.0\n' } } })
    expect(next.exitCode).toBe(0)
    expect(next.output).toContain('b@1.2.0 is on npm already.\na@1.2.0 is published.\n')
    expect(next.asked).not.toContain('publish --workspace packages/b')
  })

  it('explains itself, and refuses options that it does not know', () => {
    const root = createRepository()
    expect(release(root, { argv: ['--help'] })).toMatchObject({ exitCode: 0, asked: [] })
    const wrong = release(root, { argv: ['--dry'] })
    expect(wrong).toMatchObject({ exitCode: 2, asked: [] })
    expect(wrong.output).toContain("Unknown option '--dry'")
  })
})

describe('the changelog', () => {
  it.each([
    ['## 1.0.0 (2031-02-03)\n\n- A.\n', undefined],
    ['## 1.0.0 (2031-02-03)\n\n- A.\n\n## 0.9.0\n', undefined],
    ['## 1.0.0\n\n- A.\n', 'has no day'],
    ['## 1.0.0 (2031-22-03)\n\n- A.\n', 'has no day'],
    ['## 1.0.0 (2031-02-03)\n\n## 0.9.0 (2031-01-01)\n\n- A.\n', 'is empty'],
    ['## 0.9.0 (2031-01-01)\n\n- A.\n', 'the newest section is "0.9.0 (2031-01-01)"'],
    ['', 'the newest section is ""'],
  ])('%j: %s', (text, problem) => {
    const found = findChangelogProblem(`# Changelog\n\n${text}`, '1.0.0')
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(problem)
  })
})
