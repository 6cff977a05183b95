import { describe, expect, it } from 'vitest'
import { isTooDeep, MAX_JSON_DEPTH } from '../../src/http/json-depth.js'

const isDeep = (json: string) => isTooDeep(new TextEncoder().encode(json))
const nested = (levels: number, inside = '') => '['.repeat(levels) + inside + ']'.repeat(levels)

describe('the depth of JSON', () => {
  it.each([
    ['', false],
    [nested(MAX_JSON_DEPTH), false],
    [nested(MAX_JSON_DEPTH + 1), true],
    ['{"a":'.repeat(257), true],
    ['[{'.repeat(129), true],
    // Brackets in a string are text.
    [`"${'['.repeat(1000)}"`, false],
    [`"\\"${'['.repeat(1000)}"`, false],
    [`"\\\\"${'['.repeat(1000)}`, true],
    [`"\\\\\\"${'['.repeat(1000)}"`, false],
    [`["a","${'['.repeat(1000)}"]`, false],
    // Next to each other is not inside of each other.
    [`[${'[],'.repeat(1000)}[]]`, false],
    // A string that does not end is not JSON at all; the parser says so.
    [`"${'['.repeat(1000)}`, false],
  ])('%.40s is too deep: %s', (json, isSo) => {
    expect(isDeep(json)).toBe(isSo)
  })
})
