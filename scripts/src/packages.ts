import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().optional(),
  description: z.string().optional(),
  license: z.string().optional(),
  repository: z.unknown().optional(),
  homepage: z.unknown().optional(),
  bugs: z.unknown().optional(),
  publishConfig: z.unknown().optional(),
  engines: z.unknown().optional(),
  files: z.array(z.string()).optional(),
  bin: z.record(z.string(), z.string()).optional(),
  exports: z.unknown().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
})

/** The fields of a package.json that a release depends on. */
export type Manifest = z.infer<typeof manifest>

export interface Package {
  /** Relative to the root: `packages/parser`. */
  readonly directory: string
  readonly manifest: Manifest
}

/** Reads all packages, in the order of their directories. */
export function readPackages(root: string): Package[] {
  return readdirSync(join(root, 'packages'))
    .map(name => `packages/${name}`)
    .filter(directory => existsSync(join(root, directory, 'package.json')))
    .map(directory => {
      const text = readFileSync(join(root, directory, 'package.json'), 'utf8')
      return { directory, manifest: manifest.parse(JSON.parse(text)) }
    })
}

/** Returns the packages that are published. A package comes after those that it depends on. */
export function publicPackages(packages: readonly Package[]): Package[] {
  const waiting = packages.filter(each => !each.manifest.private)
  const sorted: Package[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex(each => !waiting.some(other => dependsOn(each, other)))
    if (next < 0) throw new Error('The packages depend on each other in a circle.')
    sorted.push(...waiting.splice(next, 1))
  }
  return sorted
}

function dependsOn(one: Package, other: Package): boolean {
  return Object.hasOwn(one.manifest.dependencies ?? {}, other.manifest.name)
}

/**
 * Returns where versions differ. All packages have one version, and depend on exactly that version
 * of each other: `"@toolglot/parser": "0.1.0"`.
 */
export function findVersionProblems(packages: readonly Package[], version: string): string[] {
  const names = new Set(packages.map(each => each.manifest.name))
  return packages.flatMap(({ directory, manifest }) => {
    const wanted = Object.entries(manifest.dependencies ?? {}).filter(([name]) => names.has(name))
    const own = manifest.version === version ? [] : [`its version is ${manifest.version}`]
    const others = wanted
      .filter(([, range]) => range !== version)
      .map(([name, range]) => `it depends on ${name} ${range}`)
    return [...own, ...others].map(problem => `${directory}: ${problem}, expected ${version}`)
  })
}
