import type { ArgumentWriter } from '../argument-writer.js'
import { Kind, type Shape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'
import type { PairPlace } from './pair-value.js'

type Branch = Map<string, Branch | ValueRecorder>

/**
 * The values of a call by their keys. From the first dotted key on (`address.city=Paris`) they are held until all of them are there, since they
 * may come in any order; what is too much to hold is put raw.
 */
export function createKeyTree(shape: Shape, maxHeldChars: number, putRaw: (text: string) => void) {
  const given = new Set<string>()
  const held: Branch = new Map()
  let room = maxHeldChars
  const recordIn =
    (leaf: ValueRecorder): ValueSink =>
    (token, text) => {
      if (room > 0) leaf.put(token, text.slice(0, room))
      putRaw(text.slice(room))
      // Not counted by the piece: how a text is cut into pieces must make no difference.
      room = Math.max(0, room - text.length - (token === Token.text ? 0 : 1))
    }
  return {
    isOpenKey: (key: string) => shape.propertyNames.includes(pathOfKey(shape, key)[0] ?? '') && !given.has(key),
    /** Where the value of this key goes, which is the writer if it need not be held; undefined where that place is taken. */
    open(key: string, writer: ArgumentWriter): PairPlace | undefined {
      if (given.size === 0) writer.put(Token.beginObject, '')
      const path = pathOfKey(shape, key)
      const [first = key] = path
      if (given.has(key) || given.has(first)) return undefined
      given.add(key)
      const valueShape = path.reduce((at, part) => at.property(part), shape)
      if (path.length === 1 && held.size === 0) {
        writer.put(Token.key, key)
        return { ...writer, shape: valueShape }
      }
      const leaf = createValueRecorder()
      return hang(held, path, leaf) ? { put: recordIn(leaf), shape: valueShape } : undefined
    },
    error: () => (room > 0 ? undefined : `more than ${maxHeldChars} characters under dotted keys`),
    /** All keys were given: puts what was held. */
    close({ put }: ArgumentWriter) {
      if (given.size === 0) put(Token.beginObject, '')
      replay(held, put)
    },
  }
}

export type KeyTree = ReturnType<typeof createKeyTree>

/** Gives false where something else hangs there. */
function hang(branch: Branch, [key = '', ...path]: readonly string[], leaf: ValueRecorder): boolean {
  const child = branch.get(key) ?? (path.length ? new Map() : leaf)
  branch.set(key, child)
  return child instanceof Map ? path.length > 0 && hang(child, path, leaf) : child === leaf
}

function replay(branch: Branch, sink: ValueSink): void {
  for (const [key, child] of branch) {
    sink(Token.key, key)
    if (child instanceof Map) {
      sink(Token.beginObject, '')
      replay(child, sink)
    } else child.replay(sink)
  }
  sink(Token.endObject, '')
}

/**
 * A key as a path into the arguments. A dot leads into an object that the schema declares; a key that is declared with its
 * dot, or that nobody declares, is what it is.
 */
function pathOfKey(shape: Shape, key: string): readonly string[] {
  const at = key.indexOf('.')
  const head = key.slice(0, at)
  if (at <= 0 || shape.propertyNames.includes(key)) return [key]
  const inner = shape.property(head)
  const isDeclared = shape.propertyNames.includes(head) && (inner.kinds & Kind.object) !== 0
  return isDeclared || inner.kinds === Kind.object ? [head, ...pathOfKey(inner, key.slice(at + 1))] : [key]
}
