import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../src/engine/json/dialect.js'
import type { JsonSyntax } from '../../src/engine/json/json-syntax.js'
import { findWordEnd, MAX_WORD_CHARS } from '../../src/engine/json/json-word.js'

function wordEnd(ahead: string, syntax: JsonSyntax) {
  const wordEndMarks = ['</call>', ...(syntax.quoteMark ? [syntax.quoteMark] : [])]
  return findWordEnd(ahead, { dialect: dialectOf(syntax), open: [], wordEndMarks })
}
const value = (word: string) => ({ type: 'value', word })
const python: JsonSyntax = { python: { isTool: () => false } }

describe('the end of a word', () => {
  it.each([
    // ahead                   in JSON
    ['true, "b"', value('true')],
    ['New York}', value('New York')],
    ['New York\n"b"', value('New York')],
    ['*.{js,ts}, 1', value('*.{js,ts}')],
    ['5"b": 1', value('5')],
    ["it's fine}", value("it's fine")],
    ['a // why', value('a')],
    ['http://x.org}', value('http://x.org')],
    ['true</call>', value('true')],
    ['New Yo</call>', { type: 'cut', found: '</call>' }],
    ['true</ca', 'wait'],
    ['f(1)}', value('f(1)')],
    ['true', 'wait'],
    ['New Yo', 'wait'],
  ] as const)('{"a": |%s', (ahead, expected) => {
    expect(wordEnd(ahead, {})).toEqual(expected)
  })

  it.each([
    // ahead                   in Python
    ['True)', value('True')],
    ["r'\\d'", { type: 'prefix', word: 'r' }],
    ['f(1)', { type: 'code', found: '(' }],
    ['a // b)', value('a // b')],
  ] as const)('f(a=|%s', (ahead, expected) => {
    expect(wordEnd(ahead, python)).toEqual(expected)
  })

  it.each([
    // ahead              before a quote mark
    // It opens another text.
    ['5<|"|>a', { type: 'cut', found: '<|"|>' }],
    // It closes this one.
    ['New York<|"|>}', { type: 'unopened', word: 'New York' }],
    ['New York<|"|> , b', { type: 'unopened', word: 'New York' }],
    ['New York<|"|>', 'wait'],
  ] as const)('{a:|%s', (ahead, expected) => {
    expect(wordEnd(ahead, { quoteMark: '<|"|>' })).toEqual(expected)
  })

  it('is looked for only so far', () => {
    const longest = 'a'.repeat(MAX_WORD_CHARS - 1)
    expect(wordEnd(longest, {})).toBe('wait')
    expect(wordEnd(`${longest}}`, {})).toEqual(value(longest))
    expect(wordEnd(`${longest}a`, {})).toEqual({ type: 'too-long' })
    expect(wordEnd(`${longest}a}`, {})).toEqual({ type: 'too-long' })
    expect(wordEnd(`${longest}</call>`, {})).toEqual({ type: 'cut', found: '</call>' })
  })
})
