import { expect, it } from 'vitest'
import { matchHead, opensLineCall, opensTagCall } from '../../src/engine/pairs/pair-calls.js'

// biome-ignore format: a table
it.each([
  // after the mark               name            parenthesis  object  characters before the arguments
  ['get_weather city=Paris',      'get_weather',  '',          false,  0],
  ['get_weather</call>',          'get_weather',  '',          false,  0],
  ['get_weather(city=Paris)',     'get_weather',  '(',         false,  1],
  ['get_weather ( city=Paris)',   'get_weather',  '(',         false,  2],
  ['get_weather {"city": 1}',     'get_weather',  '',          true,   1],
  ['get_weather({"city": 1})',    'get_weather',  '(',         true,   1],
  ['get_weather: {"city": 1}',    'get_weather:', '',          true,   1],
])('<call>|%s', (ahead, name, parenthesis, isObject, charsBeforeArguments) => {
  const expected = { name, parenthesis, isObject, charsBeforeArguments }
  expect(matchHead(ahead, false)).toMatchObject(expected)
})

// biome-ignore format: a table
it.each([
  // after the mark   text after a name that is none
  ['a="b"'],
  ['x>'],
  ['"get_weather"'],
])('<call>|%s has no name', ahead => {
  expect(matchHead(ahead, false)).toBeUndefined()
})

// biome-ignore format: a table
it.each([
  // after the name      call
  [' city=Paris',        true],
  ['',                   true],
  ['(city=Paris)',       true],
  [': {"city": 1}',      true],
  [': the weather',      false],
  ['Now city=Paris',     false],
  // an empty line ends the call
  [':\n\n{"city": 1}',   false],
])('@get_weather|%j is a call: %s', (ahead, isCall) => {
  const head = matchHead(ahead, true)
  expect(head && opensLineCall(head)).toBe(isCall)
})

// biome-ignore format: a table
it.each([
  // after the mark   a tool   after whitespace   call
  ['get_time',        true,    true,              true],
  ['nope a=1',        false,   false,             true],
  ['nope</call>',     false,   false,             true],
  ['to call a tool',  false,   true,              false],
  ['nope',            false,   false,             false],
  [' ',               false,   false,             false],
])('<call>|%j, a tool %s, after whitespace %s: %s', (ahead, isTool, isSpaced, isCall) => {
  const head = matchHead(ahead, false)
  expect(head && opensTagCall(head, isTool, isSpaced)).toBe(isCall)
})
