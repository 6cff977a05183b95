import { describe, expect, it } from 'vitest'
import { beginsArguments, findCallName, startsLoop } from '../../src/engine/json/python-calls.js'

describe('the name of a Python call', () => {
  it.each([
    // ahead              found
    ['get_weather(city', { name: 'get_weather' }],
    ['files.read(', { name: 'files.read' }],
    ['get_weather is', { name: '' }],
    ['(', { name: '' }],
    ['{"name"', { name: '' }],
    ['get_wea', 'wait'],
    ['', 'wait'],
  ] as const)('|%s', (ahead, expected) => {
    expect(findCallName(ahead)).toEqual(expected)
  })
})

describe('the arguments of a Python call', () => {
  it.each([
    // after `f(`    bare list  between marks
    ["city='Paris'", true, true],
    ["**{'a': 1}", true, true],
    ["'Paris')", true, true],
    ['5)', true, true],
    ['None)', true, true],
    ["r'\\d')", true, true],
    [')', true, true],
    [')]', true, true],
    ['), g()', true, true],
    [')](https://x.org)', false, true],
    [') is a function', false, true],
    ['the city)', false, false],
    ['ci', false, false],
  ] as const)('f(|%s', (after, inBareList, betweenMarks) => {
    expect(beginsArguments(after, true, false)).toBe(inBareList)
    expect(beginsArguments(after, false, false)).toBe(betweenMarks)
  })

  it.each(['ci', '', '*', 'city '])('f(|%s may be cut', after => {
    expect(beginsArguments(after, true, true)).toBe(true)
  })
})

it.each([
  // after the call   verdict
  [' for x in y]', 'yes'],
  [' fo', 'wait'],
  ['', 'wait'],
  [', g()]', 'no'],
  [' format', 'no'],
] as const)('f(a=x)|%s is a loop: %s', (after, expected) => {
  expect(startsLoop(after)).toBe(expected)
})
