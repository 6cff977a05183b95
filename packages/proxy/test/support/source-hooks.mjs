// Lets Node run the packages from their sources, as vitest does, so that tests of the command need no build.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = new URL('../../../', import.meta.url)
const names = new Map([
  ['@toolglot/parser', 'parser/src/index.ts'],
  ['@toolglot/parser/formats', 'parser/src/formats.ts'],
  ['@toolglot/parser/protocol', 'parser/src/protocol.ts'],
  ['@toolglot/proxy', 'proxy/src/index.ts'],
  ['@toolglot/proxy/node', 'proxy/src/node.ts'],
])
const require = createRequire(import.meta.url)
const cache = join(tmpdir(), `toolglot-sources-${process.getuid?.() ?? 0}`)
mkdirSync(cache, { recursive: true, mode: 0o700 })
// Loaded only for a file that has changed: the compiler takes longer than all else.
let compiler

export async function resolve(specifier, context, next) {
  const own = names.get(specifier)
  if (own) return { url: new URL(own, packages).href, shortCircuit: true }
  const isRelative = specifier.startsWith('.') && context.parentURL?.endsWith('.ts')
  if (!isRelative || !specifier.endsWith('.js')) return next(specifier, context)
  const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL)
  return existsSync(url) ? { url: url.href, shortCircuit: true } : next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const text = readFileSync(fileURLToPath(url), 'utf8')
  return { format: 'module', source: transpile(text), shortCircuit: true }
}

function transpile(text) {
  const file = join(cache, `${createHash('sha256').update(text).digest('hex')}.js`)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  compiler ??= require('typescript')
  const { ModuleKind, ScriptTarget } = compiler
  const { outputText } = compiler.transpileModule(text, {
    compilerOptions: {
      module: ModuleKind.ESNext,
      target: ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
    },
  })
  // Moved into place when it is whole: other tests read at the same time.
  const part = `${file}.${process.pid}`
  writeFileSync(part, outputText)
  renameSync(part, file)
  return outputText
}
