import { describe, expect, it } from 'vitest'
import { createSource, type Source } from '../../src/engine/source.js'

/** The window with `|` at the cursor. */
const windowOf = ({ cursor: { text, at } }: Source) => `${text.slice(0, at)}|${text.slice(at)}`

/** A source that has read some chunks up to the `|` in each, and is reading markup. */
function sourceOf(...chunks: readonly string[]): Source {
  const source = createSource()
  source.beginRaw()
  for (const chunk of chunks) {
    const before = source.cursor.text.length - source.cursor.at
    source.append(chunk.replace('|', ''), true)
    source.cursor.at = before + chunk.indexOf('|')
  }
  return source
}

// biome-ignore format: a table
it.each([
  // chunks, each read up to `|`   window     offset   raw text
  [['ab|c'],                       'ab|c',    2,       'ab'],
  [['ab|c', 'd|e'],                'cd|e',    4,       'abcd'],
  [['abc|', 'd|'],                 'd|',      4,       'abcd'],
  [['a|', 'b|', 'c|'],             'c|',      3,       'abc'],
])('%j: the window is %s', (chunks, expected, offset, raw) => {
  const source = sourceOf(...chunks)
  expect(windowOf(source)).toBe(expected)
  expect(source.offset()).toBe(offset)
  expect(source.takeRaw()).toBe(raw)
  expect(source.takeRaw(), 'taken twice').toBe('')
})

it('keeps no raw text outside of markup', () => {
  const source = createSource()
  source.append('abc', false)
  source.cursor.at = 3
  source.append('def', false)
  source.beginRaw()
  source.cursor.at = 2
  expect(source.takeRaw()).toBe('de')
})

// biome-ignore format: a table
describe('a cursor that is set back', () => {
  it.each([
    // chunks                      by   window      offset   raw text before the cursor
    [['ab|c'],                     0,   'ab|c',     2,       'ab'],
    [['ab|c'],                     1,   'a|bc',     1,       'a'],
    [['ab|c'],                     2,   '|abc',     0,       ''],
    // The characters have left the window.
    [['abc|', 'd|e'],              1,   '|de',      3,       'abc'],
    [['ab|', 'c|', 'd|e'],         2,   '|cde',     2,       'ab'],
    [['abc|', 'd|e'],              3,   '|bcde',    1,       'a'],
    [['abc|', 'd|e'],              4,   '|abcde',   0,       ''],
  ])('%j by %i: %s', (chunks, chars, expected, offset, raw) => {
    const source = sourceOf(...chunks)
    source.rewindRaw(chars)
    expect(windowOf(source)).toBe(expected)
    expect(source.offset()).toBe(offset)
    expect(source.takeRaw()).toBe(raw)
  })

  it('reads the same raw text again', () => {
    const source = sourceOf('abc|', 'd|e')
    source.rewindRaw(3)
    source.cursor.at += 4
    expect(source.takeRaw()).toBe('abcde')
  })
})

// biome-ignore format: a table
describe('text after an offset', () => {
  it.each([
    // chunks               offset   window     hidden
    [['ab|cd'],             3,       'ab|c',    'd'],
    [['ab|cd'],             4,       'ab|cd',   ''],
    [['ab|cd'],             9,       'ab|cd',   ''],
    // What was read stays.
    [['ab|cd'],             1,       'ab|',     'cd'],
    [['ab|', 'cd|ef'],      5,       'cd|e',    'f'],
  ])('%j after %i is hidden: %s', (chunks, end, expected, hidden) => {
    const source = sourceOf(...chunks)
    const whole = windowOf(source)
    expect(source.hideAfter(end)).toBe(hidden)
    expect(windowOf(source)).toBe(expected)
    source.show(hidden)
    expect(windowOf(source)).toBe(whole)
  })
})
