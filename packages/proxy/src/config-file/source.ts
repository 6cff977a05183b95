import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
} from 'yaml'
import { type Environment, variableOf } from './environment.js'
import type { ConfigProblem, Path } from './problem.js'

/** A configuration file that was read as YAML. JSON is YAML too. */
export interface Source {
  /** Undefined if the text is not valid YAML. */
  readonly value: unknown
  readonly problems: readonly ConfigProblem[]
  /** Position of the value at a path; if it is missing, of the nearest value around it. */
  position(path: Path): Position
  /** Position of a key. */
  keyPosition(path: Path): Position
  /** True if the value at a path came from the environment. It may be secret then. */
  isFromEnvironment(path: Path): boolean
  /** True if the value at a path names a variable that is not set. That is a problem already. */
  isUnset(path: Path): boolean
}

interface Position {
  readonly line: number
  readonly column: number
}

export interface SourceOptions {
  readonly fileName?: string | undefined
  readonly env: Environment
}

export function readSource(text: string, { fileName, env }: SourceOptions): Source {
  const counter = new LineCounter()
  // A byte order mark is not part of the text.
  const [first, second] = parseAllDocuments(text.replace(/^\uFEFF/, ''), {
    lineCounter: counter,
    logLevel: 'error',
  })
  const document = first && 'contents' in first ? first : undefined
  const at = (offset: number | undefined): Position => {
    const { line, col } = counter.linePos(offset ?? 0)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const problems: ConfigProblem[] = []
  const add = (offset: number | undefined, message: string, fix: string, path = '') =>
    problems.push({ fileName, ...at(offset), path, message, fix })
  for (const { pos, message } of document?.errors ?? []) {
    const [what = message] = message.split(/ at line |\n/)
    add(pos[0], `is not valid YAML or JSON: ${what}`, 'Fix the text at this position.')
  }
  if (second) add(second.range?.[0], 'is a second document', 'Keep one document in the file.')

  const isReadable = problems.length === 0
  const { substituted, unset } = substituteAll(isReadable ? document : undefined, env, add)
  const { node, key } = createLookup(document)
  return {
    value: isReadable
      ? toValue(document, message => add(0, message, 'Use fewer aliases.'))
      : undefined,
    problems,
    position: path => at(offsetOf(nearest(path, node))),
    keyPosition: path => at(offsetOf(key(path) ?? nearest(path, node))),
    isFromEnvironment: path => substituted.has(node(path)),
    isUnset: path => unset.has(node(path)),
  }
}

type AddProblem = (offset: number | undefined, message: string, fix: string) => void

/**
 * Replaces the variables in all values of a document. Returns the values that have changed, and
 * those that name a variable that is not set.
 */
function substituteAll(document: Document | undefined, env: Environment, add: AddProblem) {
  const substituted = new Set<unknown>()
  const unset = new Set<unknown>()
  if (!document) return { substituted, unset }
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return
      const written = node.value
      node.value = substitute(written, env, name => {
        unset.add(node)
        add(
          node.range?.[0],
          `The environment variable ${name} is not set`,
          `Set it, or write $\${${name}} for the literal text.`,
        )
      })
      if (node.value !== written) substituted.add(node)
    },
  })
  return { substituted, unset }
}

/** Replaces `${NAME}` by the variable's value, and `$${NAME}` by the literal text `${NAME}`. */
function substitute(text: string, env: Environment, onMissing: (name: string) => void): string {
  return text.replace(/\$(\$\{)|\$\{([^}]*)\}/g, (_, escaped: string | undefined, name = '') => {
    if (escaped !== undefined) return escaped
    const value = variableOf(env, name)
    if (value === undefined) onMissing(name)
    return value ?? ''
  })
}

function toValue(document: Document | undefined, onProblem: (message: string) => void): unknown {
  try {
    // An empty file is allowed.
    return document?.toJS() ?? {}
  } catch (error) {
    // Aliases of aliases can fill the memory; the YAML parser refuses them.
    onProblem(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

function createLookup(document: Document | undefined) {
  const follow = (node: unknown): unknown =>
    isAlias(node) && document ? node.resolve(document) : node
  const pair = (parent: unknown, key: string | number) => {
    const map = follow(parent)
    return isMap(map)
      ? map.items.find(item => isScalar(item.key) && String(item.key.value) === String(key))
      : undefined
  }
  const child = (parent: unknown, key: string | number): unknown => {
    const seq = follow(parent)
    return isSeq(seq) ? seq.items[Number(key)] : pair(seq, key)?.value
  }
  const node = (path: Path): unknown => path.reduce<unknown>(child, document?.contents)
  const key = (path: Path): unknown => {
    const last = path.at(-1)
    return last === undefined ? undefined : pair(node(path.slice(0, -1)), last)?.key
  }
  return { node, key }
}

function nearest(path: Path, node: (path: Path) => unknown): unknown {
  for (let length = path.length; length > 0; length--) {
    const found = node(path.slice(0, length))
    if (offsetOf(found) !== undefined) return found
  }
  return node([])
}

function offsetOf(node: unknown): number | undefined {
  const range =
    isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : undefined
  return range?.[0]
}
