import { describe, expect, it } from 'vitest'
import { anyShape, JsonType } from '../../src/engine/values/shape.js'
import {
  findKey,
  findTagName,
  isDash,
  isEntry,
  isIgnorableLine,
  isPartialCloseTag,
  unquote,
  withoutComment,
} from '../../src/engine/yaml/lines.js'

describe('a line of YAML', () => {
  it.each([
    ['', true],
    ['# comment', true],
    ['#fff', true],
    ['---', true],
    ['--- # arguments', true],
    ['---a', false],
    ['...', true],
    ['```yaml', true],
    ['```', true],
    ['``` a b', false],
    ['city: Paris', false],
  ])('%j is ignorable: %s', (text, isIgnorable) => {
    expect(isIgnorableLine(text)).toBe(isIgnorable)
  })

  it.each([
    // text               key            end  is a word
    ['city: Paris', 'city', 5, true],
    ['city:', 'city', 5, true],
    ['city : Paris', 'city', 6, true],
    ['a.b/c-d: 1', 'a.b/c-d', 8, true],
    ['größe: 1', 'größe', 6, true],
    ['My plan: go', 'My plan', 8, false],
    ['if (x): y', 'if (x)', 7, false],
    ['a:b: c', 'a:b', 4, false],
    ['"city":"Paris"', 'city', 7, true],
    ['"a \\"b\\"" : 1', 'a "b"', 11, true],
    ["'it's': 1", undefined, 0, false],
    ["'a b': 1", 'a b', 6, true],
    ['city:Paris', undefined, 0, false],
    ['https://a.b', undefined, 0, false],
    ['a #b: c', undefined, 0, false],
    ['a#b: c', 'a#b', 4, false],
    ['# a: b', undefined, 0, false],
    ['and so on', undefined, 0, false],
    ['', undefined, 0, false],
  ])('%j has the key %j, up to %i, a word: %s', (text, name, end, isWord) => {
    expect(findKey(text)).toEqual(name === undefined ? undefined : { name, end, isWord })
  })

  it.each([
    ['- a', true],
    ['-', true],
    ['-\ta', true],
    ['-a', false],
    ['--', false],
  ])('%j is an item: %s', (text, isItem) => {
    expect(isDash(text)).toBe(isItem)
  })

  it.each([
    ['  - a', true],
    ['  days: 3', true],
    ['  </search>', true],
    ['  </sear', false],
    ['  My plan: go', false],
    ['  more text', false],
    ['', false],
  ])('%j in <search> is an entry: %s', (line, isAnEntry) => {
    expect(isEntry(line, '</search>')).toBe(isAnEntry)
  })

  it.each([
    ['', true],
    ['  </sear', true],
    ['</search>', true],
    ['</search> x', false],
    ['a', false],
  ])('%j begins </search>: %s', (line, isPartial) => {
    expect(isPartialCloseTag(line, '</search>')).toBe(isPartial)
  })

  it.each([
    ['<get_time/>', 'get_time'],
    ['<get_time attribute="a">', 'get_time'],
    ['</get_time>', ''],
    ['a <get_time>', ''],
  ])('%j has the tag name %j', (text, name) => {
    expect(findTagName(text)).toBe(name)
  })
})

describe('what is between quotes', () => {
  it.each([
    ['a \\"b\\" \\x41\\u0042\\n', '"', 'a "b" AB\n'],
    ['\\d', '"', '\\d'],
    ["it''s", '"', "it''s"],
    ["it''s", "'", "it's"],
    ['a\\n', "'", 'a\\n'],
  ])('%j between %s is %j', (source, quote, text) => {
    expect(unquote(source, quote)).toBe(text)
  })
})

describe('a comment', () => {
  const text = { ...anyShape, types: JsonType.string }
  const number = { ...anyShape, types: JsonType.number }
  const choice = { ...text, values: new Set(['"fast"']) }
  it.each([
    // line            as a text      as a number   as one of some texts
    ['5 # days', '5', '5', '5'],
    ['5 #days', '5 #days', '5', '5'],
    ['#fff', '#fff', '', ''],
    ['# comment', '', '', ''],
    ['a#b', 'a#b', 'a#b', 'a#b'],
  ])('%j is %j as a text, %j as a number, %j as one of some texts', (line, ...expected) => {
    expect([text, number, choice].map(shape => withoutComment(line, shape))).toEqual(expected)
  })
})
