import { expect, it } from 'vitest'
import {
  type Bracket,
  brackets,
  call,
  group,
  object,
  set,
  spread,
  tuple,
} from '../../src/engine/json/json-syntax.js'
import { Token } from '../../src/engine/values/tokens.js'

const asObject = { begin: Token.beginObject, end: Token.endObject }
const asList = { begin: Token.beginArray, end: Token.endArray }
const asItsContent = {}

// biome-ignore format: a table
it.each<[string, Bracket | undefined, string, string, Partial<Bracket>]>([
  // text        bracket              closer   key sign   value that it is
  ['{"a": 1}',   brackets.get('{'),   '}',     ':',       asObject],
  ['{"a": 1}',   object,              '}',     ':',       asObject],
  ['[1, 2]',     brackets.get('['),   ']',     '',        asList],
  ['(1, 2)',     tuple,               ')',     '',        asList],
  ['(1)',        group,               ')',     '',        asItsContent],
  ['{1, 2}',     set,                 '}',     '',        asList],
  ['f(a=1)',     call,                ')',     '=',       asObject],
  ['**{"a": 1}', spread,              '}',     ':',       asItsContent],
])('%s', (_, bracket, closer, keySign, value) => {
  expect(bracket).toEqual({ closer, keySign, ...value })
})
