import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findChangelogProblem } from './changelog.js'
import { findVersionProblems, type Package, readExamples } from './packages.js'
import { placeholderOwner, readAddressFiles, readRepository } from './repository.js'
import type { RunCommand } from './run-command.js'

/** Returns everything in the repository that speaks against a release of this version. */
export function findReleaseProblems(
  root: string,
  packages: readonly Package[],
  version: string,
  run: RunCommand,
): string[] {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  return [
    ...findGitProblems(version, run),
    ...findVersionProblems(packages, readExamples(root), version),
    ...[findChangelogProblem(changelog, version) ?? []].flat(),
    ...findAddressProblems(root),
  ]
}

function findGitProblems(version: string, run: RunCommand): string[] {
  const branch = run('git', ['branch', '--show-current']).stdout.trim()
  const changed = run('git', ['status', '--porcelain']).stdout.trimEnd()
  const tag = run('git', ['tag', '--list', `v${version}`]).stdout.trim()
  return [
    ...(branch === 'main' ? [] : [`git: the branch is ${branch || 'none'}, expected main`]),
    ...(changed === '' ? [] : [`git: there are changes that are not committed:\n${changed}`]),
    ...(tag === '' ? [] : [`git: the tag ${tag} exists already`]),
  ]
}

function findAddressProblems(root: string): string[] {
  const repository = readRepository(root)
  const outdated = readAddressFiles(root, repository).filter(each => each.found !== each.expected)
  return [
    ...(repository.owner === placeholderOwner
      ? [`package.json: the owner in repository.url is still ${placeholderOwner}`]
      : []),
    ...outdated.map(({ path }) => `${path}: it has another address: npm run repository`),
  ]
}
