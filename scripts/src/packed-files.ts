import type { Manifest } from './packages.js'

/** The files that every package has, though no field names them. */
const always = ['package.json', 'README.md', 'LICENSE']

/** What must not be published. */
const unwanted = /(?:^|\/)(?:test|node_modules)\/|\.tsbuildinfo$|\.env|\.log$|\.tgz$/

/**
 * Returns what is wrong with the files of a tarball: one that package.json names is missing, a source
 * was not compiled, or a file is in `dist` whose source is gone.
 */
export function findPackProblems(manifest: Manifest, packed: readonly string[]): string[] {
  const paths = new Set(packed)
  const missing = [...always, ...namedFiles(manifest)].filter(path => !paths.has(path))
  const emptyEntries = (manifest.files ?? []).filter(
    entry => !entry.startsWith('!') && !packed.some(path => isInside(path, entry)),
  )
  return [
    ...missing.map(path => `${path} is missing`),
    ...emptyEntries.map(entry => `no file of "${entry}" (field "files") is in it`),
    ...packed.filter(path => unwanted.test(path)).map(path => `${path} must not be in it`),
    ...findBuildProblems(packed),
  ].map(problem => `${manifest.name}: ${problem}`)
}

/** Returns the files that the fields `exports` and `bin` name. */
export function namedFiles({ exports, bin }: Manifest): string[] {
  const paths = [...stringsIn(exports), ...Object.values(bin ?? {})]
  return [...new Set(paths.map(path => path.replace(/^\.\//, '')))]
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

function isInside(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}/`)
}

/** Compares `src/a.ts` with `dist/a.js` and `dist/a.d.ts`. */
function findBuildProblems(packed: readonly string[]): string[] {
  const sources = namesOf(packed, /^src\/(.*)(?<!\.d)\.ts$/)
  const built = [/^dist\/(.*)\.js$/, /^dist\/(.*)\.d\.ts$/].map(pattern => namesOf(packed, pattern))
  const uncompiled = [...sources].filter(name => built.some(names => !names.has(name)))
  const stale = [...new Set(built.flatMap(names => [...names]))].filter(name => !sources.has(name))
  return [
    ...uncompiled.map(name => `src/${name}.ts is not compiled: npm run build`),
    ...stale.map(name => `dist/${name}.js has no source: remove dist and build again`),
  ]
}

function namesOf(paths: readonly string[], pattern: RegExp): Set<string> {
  return new Set(paths.flatMap(path => pattern.exec(path)?.[1] ?? []))
}
