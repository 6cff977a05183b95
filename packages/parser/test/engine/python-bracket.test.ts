import { expect, it } from 'vitest'
import { type Bracket, group, object, set, tuple } from '../../src/engine/json/json-syntax.js'
import { findPythonBracket, startsTuple } from '../../src/engine/json/python-bracket.js'

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

it.each([
  // in JSON           tuple
  ['(1, 2)', 'yes'],
  ["('a)', 'b')", 'yes'],
  ['((1, 2), (3, 4))', 'yes'],
  ['([1], [2])', 'yes'],
  ['(None, 1)', 'yes'],
  ['(555) 0199', 'no'],
  ['(maybe) rain', 'no'],
  ['("a")', 'no'],
  ['()', 'no'],
  ['(', 'wait'],
  ['(-1', 'wait'],
  ['("a', 'wait'],
  ['("a" ', 'wait'],
  ['(Tru', 'wait'],
])('[|%s: %s', (ahead, verdict) => {
  expect(startsTuple(ahead)).toBe(verdict)
})
