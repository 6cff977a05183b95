import { describe, expect, it } from 'vitest'
import { mentions, mentionsNumber } from '../../src/live/answer.js'
import {
  anyOrder,
  checkCalls,
  code,
  findMismatch,
  oneOf,
  optional,
  pairUp,
  sql,
  words,
} from '../../src/live/match.js'

describe('matching of arguments', () => {
  it('compares values exactly and says where they differ', () => {
    expect(findMismatch({ a: [1, { b: 'x' }] }, { a: [1, { b: 'x' }] })).toBeUndefined()
    expect(findMismatch({ a: [1, { b: 'y' }] }, { a: [1, { b: 'x' }] })).toBe(
      '.a[1].b is "y" instead of "x"',
    )
    expect(findMismatch({ a: '1' }, { a: 1 })).toBe('.a is "1" instead of 1')
    expect(findMismatch({}, { a: null })).toBe('.a is missing')
    expect(findMismatch({ a: 1, b: 2 }, { a: 1 })).toBe('has "b", which is not expected')
    expect(findMismatch('x', { a: 1 })).toContain('instead of an object')
    expect(findMismatch([1], [1, 2])).toBe('has 1 items instead of 2')
  })

  it('knows alternatives, optional values and lists in any order', () => {
    expect(findMismatch(2, oneOf(1, 2))).toBeUndefined()
    expect(findMismatch(3, oneOf(1, 2))).toContain('none of the 2')
    expect(findMismatch({}, { a: optional(1) })).toBeUndefined()
    expect(findMismatch({ a: 2 }, { a: optional(1) })).toBe('.a is 2 instead of 1')
    expect(findMismatch([2, 1], anyOrder(1, 2))).toBeUndefined()
    expect(findMismatch([2, 2], anyOrder(1, 2))).toContain('different items')
  })

  it('normalises words, code and SQL each in its own way', () => {
    expect(findMismatch(' design  Review. ', words('Design review'))).toBeUndefined()
    expect(findMismatch('a\r\n  b\n\n', code('a\n  b'))).toBeUndefined()
    expect(findMismatch('a\n b', code('a\n  b'))).toContain('at character 3')
    expect(
      findMismatch('select a\n from "t" where b = \'X y\';', sql("SELECT a FROM t WHERE b='X y'")),
    ).toBeUndefined()
    expect(
      findMismatch("SELECT a FROM t WHERE b='x y'", sql("SELECT a FROM t WHERE b='X y'")),
    ).toBeDefined()
  })

  it('pairs calls up even where the first fit is not the right one', () => {
    const expected = [
      { name: 'f', args: { x: oneOf(1, 2) } },
      { name: 'f', args: { x: 1 } },
    ]
    const call = (x: number) => ({ name: 'f', args: { x } })
    expect(checkCalls([call(1), call(2)], expected)).toEqual([])
    expect(checkCalls([call(2), call(1)], expected)).toEqual([])
    expect(checkCalls([call(2), call(2)], expected)).toEqual(['f: .x is 2 instead of 1'])
    expect(checkCalls([call(1)], expected)).toEqual(['1 calls (f) instead of 2 (f, f)'])
    expect(pairUp(0, () => false)).toBe(true)
  })

  it('finds numbers however they are written', () => {
    for (const text of ['1234.5', 'EUR 1,234.50.', "1'234.5 all in all", '1 234.5']) {
      expect(mentionsNumber(text, 1234.5), text).toBe(true)
    }
    expect(mentionsNumber('12345', 1234.5)).toBe(false)
    expect(mentions('The CAFÉ  is open', 'café is')).toBe(true)
  })
})
