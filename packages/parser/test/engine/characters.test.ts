import { expect, it } from 'vitest'
import {
  isCloser,
  isLiteral,
  isQuote,
  isSpace,
  isSpaceOrStrayBrace,
  isWordStart,
  markedAt,
  quotedAt,
  wordAt,
} from '../../src/engine/text/characters.js'

// biome-ignore format: a table
it.each([
  // name                   test                  characters that pass         characters that do not
  ['isSpace',               isSpace,              [' ', '\n', '\t', '\r'],     ['a', '', '\u00a0', '\v']],
  ['isSpaceOrStrayBrace',   isSpaceOrStrayBrace,  [' ', '\n', '}'],            ['{', ']', 'a', '']],
  ['isQuote',               isQuote,              ['"', "'"],                  ['`', '“', '']],
  ['isCloser',              isCloser,             ['}', ']', ')'],             ['{', '>', '']],
  ['isWordStart',           isWordStart,          ['a', 'Z', 'é', '_', '$'],   ['1', '-', '.', ' ', '"', '']],
])('%s', (_, test, passing, failing) => {
  expect(passing.filter(char => !test(char)), 'should pass').toEqual([])
  expect(failing.filter(char => test(char)), 'should not pass').toEqual([])
})

// biome-ignore format: a table
it.each([
  // word        number or constant
  ['5',          true],
  ['-1.5e-3',    true],
  ['+5',         true],
  ['.5',         true],
  ['5.',         true],
  ['1_000',      true],
  ['null',       true],
  ['True',       true],
  ['None',       true],
  ['5  ',        true],
  [' 5',         false],
  ['',           false],
  ['.',          false],
  ['1a',         false],
  ['5 days',     false],
  ['TRUE',       false],
  ['Paris',      false],
])('%j is a literal: %s', (word, expected) => {
  expect(isLiteral(word)).toBe(expected)
})

/** The text without the `|`, and the position that it shows. */
const positionIn = (picture: string) => [picture.replace('|', ''), picture.indexOf('|')] as const

// biome-ignore format: a table
it.each([
  // text                word
  ['|days: 3',           'days'],
  ['{|a.b-c_$1: 3',      'a.b-c_$1'],
  ['{|größe=1',          'größe'],
  ['a|bc',               'bc'],
  ['|"a"',               ''],
  ['| a',                ''],
  ['a|',                 ''],
])('the word at %s: %j', (picture, word) => {
  expect(wordAt(...positionIn(picture))).toBe(word)
})

// biome-ignore format: a table
it.each([
  // text                   text in quotes
  ['|"a b" c',              '"a b"'],
  ["x=|'a'",                "'a'"],
  ['|"it\'s"',              '"it\'s"'],
  ['|"a \\" b" c',          '"a \\" b"'],
  ['|"a\nb"',               '"a\nb"'],
  ['|""',                   '""'],
  ['|"a',                   undefined],
  ['|"a\\"',                undefined],
  ['|a "b"',                undefined],
])('the text in quotes at %j: %j', (picture, quoted) => {
  expect(quotedAt(...positionIn(picture))).toBe(quoted)
})

// biome-ignore format: a table
it.each([
  // text                      text between marks
  ['<|"|>a "b"<|"|>: 1',       '<|"|>a "b"<|"|>'],
  ['<|"|><|"|>',               '<|"|><|"|>'],
  ['<|"|>a',                   undefined],
])('the text between marks at the beginning of %s: %s', (text, marked) => {
  expect(markedAt(text, '<|"|>')).toBe(marked)
})
