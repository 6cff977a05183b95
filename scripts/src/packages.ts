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
  return listManifests(root, 'packages').map(({ directory, json }) => {
    return { directory, manifest: manifest.parse(json) }
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

/** Something with dependencies: a package, or an example that installs packages from npm. */
export interface Dependent {
  /** Relative to the root: `examples/use-chat`. */
  readonly directory: string
  readonly dependencies: Readonly<Record<string, string>>
}

const exampleManifest = manifest.pick({ dependencies: true })

/** Reads the examples, which have no version of their own. */
export function readExamples(root: string): Dependent[] {
  return listManifests(root, 'examples').map(({ directory, json }) => {
    return { directory, dependencies: exampleManifest.parse(json).dependencies ?? {} }
  })
}

/**
 * Returns where versions differ. All packages have one version, and packages and examples depend on
 * exactly that version: `"@toolglot/parser": "0.1.0"`.
 */
export function findVersionProblems(
  packages: readonly Package[],
  examples: readonly Dependent[],
  version: string,
): string[] {
  const names = new Set(packages.map(each => each.manifest.name))
  const own = packages
    .filter(({ manifest }) => manifest.version !== version)
    .map(({ directory, manifest }) => `${directory}: its version is ${manifest.version}`)
  const dependents = [
    ...packages.map(({ directory, manifest }): Dependent => {
      return { directory, dependencies: manifest.dependencies ?? {} }
    }),
    ...examples,
  ]
  const others = dependents.flatMap(({ directory, dependencies }) =>
    Object.entries(dependencies)
      .filter(([name, range]) => names.has(name) && range !== version)
      .map(([name, range]) => `${directory}: it depends on ${name} ${range}`),
  )
  return [...own, ...others].map(problem => `${problem}, expected ${version}`)
}

function listManifests(root: string, folder: string) {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder))
    .map(name => `${folder}/${name}`)
    .filter(directory => existsSync(join(root, directory, 'package.json')))
    .map(directory => {
      const text = readFileSync(join(root, directory, 'package.json'), 'utf8')
      const json: unknown = JSON.parse(text)
      return { directory, json }
    })
}
