import { Kind, type Shape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'

type Branch = Map<string, Branch | ValueRecorder>

function replay(branch: Branch, sink: ValueSink): void {
  for (const [key, child] of branch) {
    sink(Token.key, key)
    if (!(child instanceof Map)) {
      child.replay(sink)
      continue
    }
    sink(Token.beginObject, '')
    replay(child, sink)
    sink(Token.endObject, '')
  }
}

/** Values under dotted keys (`address.city=Paris`), in any order, held until all of them are there; what is too much to hold is put raw. */
export function createKeyTree(maxHeldChars: number, putRaw: (text: string) => void) {
  const root: Branch = new Map()
  let heldChars = 0
  let isFull = false
  return {
    /** The sink of the value at this place; undefined where the place is taken. */
    at(path: readonly string[]): ValueSink | undefined {
      let branch = root
      for (const key of path.slice(0, -1)) {
        const child = branch.get(key) ?? new Map()
        if (!(child instanceof Map)) return undefined
        branch.set(key, child)
        branch = child
      }
      const last = path.at(-1) ?? ''
      if (branch.has(last)) return undefined
      const leaf = createValueRecorder()
      branch.set(last, leaf)
      return (token, text) => {
        const room = isFull ? 0 : Math.max(0, maxHeldChars - heldChars)
        if (!isFull) {
          heldChars -= leaf.heldChars()
          leaf.put(token, text.slice(0, room))
          heldChars += leaf.heldChars()
        }
        isFull = heldChars >= maxHeldChars
        putRaw(text.slice(room))
      }
    },
    error: () => (isFull ? `more than ${maxHeldChars} characters under dotted keys` : undefined),
    replay: (sink: ValueSink) => replay(root, sink),
  }
}

export type KeyTree = ReturnType<typeof createKeyTree>

/**
 * A key as a path into the arguments. A dot leads into an object that the schema declares; a key that is declared with its
 * dot, or that nobody declares, is what it is.
 */
export function pathOfKey(shape: Shape, key: string): readonly string[] {
  const at = key.indexOf('.')
  const head = key.slice(0, at)
  if (at <= 0 || shape.propertyNames.includes(key)) return [key]
  const inner = shape.property(head)
  const isDeclared = shape.propertyNames.includes(head) && (inner.kinds & Kind.object) !== 0
  return isDeclared || inner.kinds === Kind.object ? [head, ...pathOfKey(inner, key.slice(at + 1))] : [key]
}

export function shapeAtPath(shape: Shape, path: readonly string[]): Shape {
  return path.reduce((at, key) => at.property(key), shape)
}
