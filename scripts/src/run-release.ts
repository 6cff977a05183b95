import { parseArgs } from 'node:util'
import { findReleaseProblems } from './find-release-problems.js'
import { type Package, publicPackages, readPackages } from './packages.js'
import type { RunCommand } from './run-command.js'

export const help = `Checks that the packages can be published, and publishes them.

  npm run release -- --dry-run   all checks; publishes nothing
  npm run release                the same, then npm publish for each package

What is checked: a clean tree on main, one version, its section in CHANGELOG.md, the owner in the addresses, the
build, npm run check:packages (with npm publish --dry-run). Run .ci/run before. A package whose version is on npm
already is left out, so a release that stopped can be started again.
`

export interface Release {
  readonly root: string
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly run: RunCommand
  readonly write: (text: string) => void
}

/** Runs the release, and returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export function runRelease(release: Release): number {
  const options = readOptions(release)
  switch (options.type) {
    case 'help':
      release.write(help)
      return 0
    case 'wrong':
      release.write(`${options.message}\n\n${help}`)
      return 2
    case 'dry':
      return checkOnly(release)
    case 'publish':
      return checkAndPublish(release)
  }
}

type Options =
  | { readonly type: 'help' | 'dry' | 'publish' }
  | { readonly type: 'wrong'; readonly message: string }

function readOptions({ argv, env }: Release): Options {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } },
    })
    if (values.help) return { type: 'help' }
    // `npm run release --dry-run`, without `--`: npm keeps the option for itself.
    const isDry = values['dry-run'] || env.npm_config_dry_run === 'true'
    return { type: isDry ? 'dry' : 'publish' }
  } catch (error) {
    return { type: 'wrong', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Goes on after a problem, so that one run shows all of them. */
function checkOnly(release: Release): number {
  const { version, problems } = checkRepository(release)
  const failed = findFailedScript(release)
  const all = failed === undefined ? problems : [...problems, failed]
  if (failed !== undefined) release.write(`${failed}\n`)
  const verdict = all.length > 0 ? `cannot be: ${all.length} problems` : 'can be: npm run release'
  release.write(`Nothing was published. ${version} ${verdict}\n`)
  return all.length > 0 ? 1 : 0
}

function checkAndPublish(release: Release): number {
  const { packages, version, problems } = checkRepository(release)
  const problem = problems.length > 0 ? `${problems.length} problems` : findFailedScript(release)
  if (problem !== undefined) {
    release.write(`Nothing was published: ${problem}\n`)
    return 1
  }
  return publish(publicPackages(packages), version, release)
}

function checkRepository({ root, run, write }: Release) {
  const packages = readPackages(root)
  const version = packages[0]?.manifest.version ?? ''
  const problems = findReleaseProblems(root, packages, version, run)
  for (const problem of problems) write(`${problem}\n`)
  return { packages, version, problems }
}

/** Builds and checks the packages. Returns what failed. */
function findFailedScript({ run }: Release): string | undefined {
  const failed = ['build', 'check:packages'].find(
    script => run('npm', ['run', script], 'show').exitCode !== 0,
  )
  return failed && `npm run ${failed} failed`
}

function publish(packages: readonly Package[], version: string, { run, write }: Release): number {
  for (const { directory, manifest } of packages) {
    const id = `${manifest.name}@${version}`
    if (isPublished(id, version, run)) {
      write(`${id} is on npm already.\n`)
      continue
    }
    if (run('npm', ['publish', '--workspace', directory], 'show').exitCode !== 0) {
      write(`${id} could not be published. Start again when the reason is gone.\n`)
      return 1
    }
    write(`${id} is published.\n`)
  }
  write(`Now: git tag v${version} && git push origin v${version}\n`)
  return 0
}

function isPublished(id: string, version: string, run: RunCommand): boolean {
  const { exitCode, stdout } = run('npm', ['view', id, 'version'])
  return exitCode === 0 && stdout.trim() === version
}
