import { describe, expect, it } from 'vitest'
import { isWholeEnvelope, isWholeList } from '../../src/engine/json/whole-answer.js'

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
    // text                            verdict
    ['', 'wait'],
    [', ', 'wait'],
    [', "par', 'wait'],
    [', "parameters": ', 'wait'],
    [', "parameters": {"minutes": 2}}', 'wait'],
    [', "arguments": {', 'wait'],
    [', "arguments": 5}', 'no'],
    [', "price": 5}', 'no'],
    ['}', 'no'],
  ])('{"name": "timer"|%s: %s', (after, verdict) => {
    expect(isWholeEnvelope(after)).toBe(verdict)
  })
})
