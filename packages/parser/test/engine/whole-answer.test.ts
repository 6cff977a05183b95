import { describe, expect, it } from 'vitest'
import {
  isWholeEnvelope,
  isWholeList,
  startsArguments,
} from '../../src/engine/json/whole-answer.js'

describe('the text after the bracket of a list', () => {
  it.each([
    // text               verdict
    ['timer(minutes=2)]', 'wait'],
    ['timer(minutes=2)]\n', 'wait'],
    ['timer', 'wait'],
    ['timer(a=1), timer(a=2)]', 'wait'],
    ['timer(minutes=2)] is it', 'no'],
    ['timer](docs.md)', 'no'],
    ['1, 2]', 'no'],
    ['"a"]', 'no'],
  ])('[|%s: %s', (after, verdict) => {
    expect(isWholeList(after)).toBe(verdict)
  })
})

describe('the text after the name of an envelope', () => {
  it.each([
    // text                            arguments  all of an answer
    ['', 'wait', 'wait'],
    [', ', 'wait', 'wait'],
    [', "par', 'wait', 'wait'],
    [', "parameters": ', 'wait', 'wait'],
    [', "parameters": {"minutes": 2}}', 'yes', 'wait'],
    [', "arguments": {', 'yes', 'wait'],
    [', "arguments": 5}', 'no', 'no'],
    [', "input": "hello"}', 'no', 'no'],
    [', "price": 5}', 'no', 'no'],
    ['}', 'no', 'no'],
  ])('{"name": "timer"|%s: %s, %s', (after, next, whole) => {
    expect(startsArguments(after)).toBe(next)
    expect(isWholeEnvelope(after)).toBe(whole)
  })
})
