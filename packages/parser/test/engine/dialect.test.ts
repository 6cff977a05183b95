import { expect, it } from 'vitest'
import { dialectOf, isStringPrefix } from '../../src/engine/json/dialect.js'
import type { JsonSyntax } from '../../src/engine/json/json-syntax.js'

const python = { isTool: () => false }

// biome-ignore format: a table
it.each<[string, JsonSyntax, boolean, boolean, string]>([
  // notation                     syntax                        triple quotes  '' is '  quote mark
  ['{"city": "Paris"}',           {},                           false,         false,   ''],
  ["city='Paris')",               { python },                   true,          false,   ''],
  ['{city: [a b, c]}',            { isYaml: true },             false,         true,    ''],
  ['{city:<|"|>Paris<|"|>}',      { quoteMark: '<|"|>' },       false,         false,   '<|"|>'],
  // Arguments of Python with a quote mark keep all other rules of Python.
  ['city=<|"|>Paris<|"|>)',       { python, quoteMark: '<|"|>' }, true,        false,   '<|"|>'],
])('%s', (_, syntax, hasTripleQuotes, doublesQuotes, quoteMark) => {
  expect(dialectOf(syntax)).toMatchObject({ hasTripleQuotes, doublesQuotes, quoteMark })
})

// biome-ignore format: a table
it.each<[string, JsonSyntax, boolean, boolean, boolean, boolean]>([
  // notation     syntax              `{"a": 1`  `["a"}`  `"a": 1 "b": 2`  `00501` stays text
  ['JSON',        {},                 true,      true,    true,            true],
  ['Python',      { python },         true,      false,   false,           false],
  ['YAML',        { isYaml: true },   false,     true,    true,            true],
])('what %s allows', (_, syntax, closersMayBeMissing, closersMayCross, commasMayBeMissing, keepsLeadingZeros) => {
  const rules = { closersMayBeMissing, closersMayCross, commasMayBeMissing, keepsLeadingZeros }
  expect(dialectOf(syntax)).toMatchObject(rules)
})

// biome-ignore format: a table
it.each([
  // word    before the quote of a Python string
  ['r',      true],
  ['B',      true],
  ['u',      true],
  ['f',      true],
  ['Rb',     true],
  ['bR',     true],
  ['fr',     true],
  ['',       false],
  ['rr',     false],
  ['bf',     false],
  ['x',      false],
  ['get',    false],
])('%j is a prefix of a string: %s', (word, expected) => {
  expect(isStringPrefix(word)).toBe(expected)
})
