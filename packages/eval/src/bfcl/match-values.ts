import { isRecord } from '../is-record.js'
import { isEqualJson, type JsonObject } from '../live/json.js'

/**
 * Removes case, spaces and some punctuation, so that "April 1, 2024" and "April 1 2024" are equal.
 */
export function normaliseText(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}

function normalise(value: unknown): unknown {
  return typeof value === 'string' ? normaliseText(value) : value
}

/** Compares two values with normalised strings: the value itself, or the items of a list. */
export function isSameValue(value: unknown, allowed: unknown): boolean {
  if (Array.isArray(value) && Array.isArray(allowed)) {
    return isEqualJson(value.map(normalise), allowed.map(normalise))
  }
  return isEqualJson(normalise(value), normalise(allowed))
}

/** Returns true if "" is one of the values: the parameter may be left out. */
export function isOptional(allowed: readonly unknown[]): boolean {
  return allowed.includes('')
}

/** Compares an object with objects that list the allowed values of each key. */
export function matchesObject(value: JsonObject, alternatives: readonly unknown[]): boolean {
  return alternatives.some(alternative => {
    if (!isRecord(alternative)) return false
    const hasOnlyKnown = Object.entries(value).every(([key, each]) => {
      const allowed = Object.hasOwn(alternative, key) ? alternative[key] : undefined
      return Array.isArray(allowed) && matchesEntry(each, allowed)
    })
    const lacksNothing = Object.entries(alternative).every(
      ([key, allowed]) =>
        Object.hasOwn(value, key) || (Array.isArray(allowed) && isOptional(allowed)),
    )
    return hasOnlyKnown && lacksNothing
  })
}

/** Compares an entry. Nested objects are given as values, or with the allowed values of each key. */
function matchesEntry(value: unknown, allowed: readonly unknown[]): boolean {
  if (allowed.some(each => isSameValue(value, each))) return true
  if (isRecord(value)) return matchesObject(value, allowed)
  return isObjectList(value) && matchesObjectList(value, allowed)
}

export function isObjectList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
}

/** Compares a list of objects with lists of such objects. The order matters. */
export function matchesObjectList(
  value: readonly JsonObject[],
  alternatives: readonly unknown[],
): boolean {
  return alternatives.some(
    alternative =>
      Array.isArray(alternative) &&
      alternative.length === value.length &&
      value.every((each, i) => matchesObject(each, [alternative[i]])),
  )
}
