import { expect, it } from 'vitest'
import { dialectOf } from '../../src/engine/json/dialect.js'
import { findKey } from '../../src/engine/json/json-key.js'

const found = (name: string, source: string, chars: number, next: string) => ({
  name,
  source,
  chars,
  next,
})

it.each([
  // ahead                  found
  ['"a": 1', found('a', '"a"', 3, ':')],
  ["'a' : 1", found('a', "'a'", 4, ':')],
  ['"a\\n": 1', found('a\n', '"a\\n"', 5, ':')],
  ['a=1', found('a', 'a', 1, '=')],
  ['True)', found('True', 'True', 4, ')')],
  ['<|"|>a<|"|>:1', found('a', '<|"|>a<|"|>', 11, ':')],
  ['"a', 'wait'],
  ['"a"', 'wait'],
  ['"a" ', 'wait'],
  ['ab', 'wait'],
  ['<|"', 'wait'],
  ['<|"|>a', 'wait'],
  ['<b>', undefined],
  ['[1]', undefined],
] as const)('{|%s', (ahead, expected) => {
  expect(findKey(ahead, dialectOf({ quoteMark: '<|"|>' }))).toEqual(expected)
})
