import { describe, expect, it } from 'vitest'
import {
  isDeeper,
  isSameLevel,
  isSkipped,
  type Level,
  outermost,
} from '../../src/engine/yaml/yaml-state.js'

const key = (column: number): Level => ({ column, isItem: false })
const item = (column: number): Level => ({ column, isItem: true })

describe('the level of an entry', () => {
  it.each([
    // inner     outer      is deeper
    [key(2), key(0), true],
    [key(2), item(0), true],
    [item(0), key(0), true],
    [key(0), item(0), false],
    [key(0), key(0), false],
    [item(2), item(2), false],
    [key(0), key(2), false],
    [item(0), key(2), false],
    [key(0), outermost, true],
    [outermost, outermost, false],
  ])('%j is deeper than %j: %s', (inner, outer, isInside) => {
    expect(isDeeper(inner, outer)).toBe(isInside)
  })

  it('is the same by column and kind', () => {
    expect(isSameLevel(key(2), key(2))).toBe(true)
    expect(isSameLevel(key(2), item(2))).toBe(false)
    expect(isSameLevel(key(2), key(0))).toBe(false)
  })
})

describe('a line after an entry', () => {
  it.each([
    // line          column  entry       is skipped
    ['city: Paris', 0, key(0), false],
    ['', 0, key(0), true],
    ['# comment', 4, key(0), true],
    ['---', 0, key(0), true],
    ['---', 2, key(0), false],
    ['```', 2, key(2), true],
    ['```', 2, outermost, true],
  ])('%j in column %i after %j is skipped: %s', (line, column, entry, skipped) => {
    expect(isSkipped(line, column, entry)).toBe(skipped)
  })
})
