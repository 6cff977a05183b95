import type { Shape } from './shape.js'

/** The keys of a shape by their plain names; undefined where several keys have the same plain name. */
type PlainKeys = ReadonlyMap<string, string | undefined>

const plainKeysOfShapes = new WeakMap<Shape, PlainKeys>()

/**
 * Returns the declared key that a key means (decision 85): `to_port` and `to-port` are `toPort` if
 * the schema requires that one and it was not given yet. Any other key means itself.
 */
export function findDeclaredKey(
  shape: Shape,
  key: string,
  givenKeys: { has(key: string): boolean },
): string {
  const { propertyNames, requiredNames } = shape
  if (requiredNames.length === 0 || propertyNames.includes(key)) return key
  const declared = plainKeysOf(shape).get(plainName(key))
  const isMissing =
    declared !== undefined && requiredNames.includes(declared) && !givenKeys.has(declared)
  return isMissing ? declared : key
}

/** `to_port`, `toPort`: words that are joined, so that it hardly is a word of a text. */
export const hasSeveralWords = (key: string) =>
  /[\p{L}\p{N}][-_][\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(key)

function plainKeysOf(shape: Shape): PlainKeys {
  const known = plainKeysOfShapes.get(shape)
  if (known) return known
  const keys = new Map<string, string | undefined>()
  for (const name of shape.propertyNames) {
    const plain = plainName(name)
    keys.set(plain, keys.has(plain) ? undefined : name)
  }
  plainKeysOfShapes.set(shape, keys)
  return keys
}

/** `toPort`, `to_port` and `TO-PORT` are the same. */
const plainName = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '')
