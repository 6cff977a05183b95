import { expect, it } from 'vitest'
import { type Bracket, group, object, set, tuple } from '../../src/engine/json/json-syntax.js'
import { findPythonBracket } from '../../src/engine/json/python-bracket.js'

it.each<[string, Bracket | 'wait']>([
  // ahead        bracket
  ['(1)', group],
  ["('a')", group],
  ["(r'\\d')", group],
  ['(1, 2)', tuple],
  ['(1,)', tuple],
  ['()', tuple],
  ['([1])', tuple],
  ["{'a': 1}", object],
  ['{}', object],
  ['{**a}', object],
  ['{1, 2}', set],
  ['{1}', set],
  ['(', 'wait'],
  ["('a", 'wait'],
  ['{1 ', 'wait'],
])('a=|%s', (ahead, expected) => {
  expect(findPythonBracket(ahead)).toBe(expected)
})
