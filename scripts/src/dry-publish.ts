import { z } from 'zod'
import type { Package } from './packages.js'
import { findPackProblems } from './packed-files.js'
import type { RunCommand } from './run-command.js'

const tarball = z.object({ files: z.array(z.object({ path: z.string() })) })

/**
 * Runs `npm publish --dry-run` for all packages, and returns what is wrong. It sends nothing and asks
 * no registry. The packages must be built.
 */
export function dryPublish(packages: readonly Package[], run: RunCommand): string[] {
  const { exitCode, stdout, stderr } = run('npm', [
    'publish',
    ...['--dry-run', '--offline', '--json', '--ignore-scripts'],
    ...packages.flatMap(({ directory }) => ['--workspace', directory]),
  ])
  if (exitCode !== 0) return [`npm publish --dry-run failed:\n${stderr.trim()}`]
  return [...findCorrections(stderr), ...findTarballProblems(packages, stdout)]
}

function findTarballProblems(packages: readonly Package[], stdout: string): string[] {
  const tarballs = z.record(z.string(), tarball).parse(JSON.parse(stdout))
  return packages.flatMap(({ manifest }) => {
    const files = tarballs[manifest.name]?.files.map(({ path }) => path)
    return files ? findPackProblems(manifest, files) : [`${manifest.name}: nothing was packed`]
  })
}

/**
 * Returns what npm had to change in a package.json:
 * `npm warn publish "bin[toolglot]" script name was cleaned`.
 */
function findCorrections(stderr: string): string[] {
  const warnings = stderr.split('\n').filter(line => line.startsWith('npm warn publish '))
  return warnings.filter(line => !line.includes('requires you to be logged in'))
}
