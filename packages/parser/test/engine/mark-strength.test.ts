import { describe, expect, it } from 'vitest'
import type { Mark, MarkStrength } from '../../src/engine/grammar.js'
import { countsInReasoning, isSpecialToken, markStrength } from '../../src/engine/mark-strength.js'
import * as formats from '../../src/formats/catalogue.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'

const createMark = (text: string, rules: Partial<Mark> = {}): Mark => ({
  text,
  *read() {
    return yield* []
  },
  ...rules,
})

describe('isSpecialToken', () => {
  it.each([
    ['<|tool_call|>', true],
    ['<｜tool▁calls▁begin｜>', true],
    ['<minimax:tool_call>', true],
    ['</seed:think>', true],
    ['[TOOL_CALLS]', true],
    [']<]minimax[>[<tool_call>', true],
    ['<tool_call>', false],
    ['[', false],
    ['Action:', false],
    ['```json', false],
  ])('%s: %s', (mark, expected) => {
    expect(isSpecialToken(mark)).toBe(expected)
  })
})

describe('markStrength', () => {
  it.each<[string, MarkStrength | undefined, MarkStrength]>([
    ['<|tool_call|>', undefined, 'token'],
    ['<tool_call>', undefined, 'tag'],
    ['{', 'weak', 'weak'],
    ['Action:', 'line', 'line'],
  ])('%s, set to %s: %s', (text, strength, expected) => {
    expect(markStrength(createMark(text, { strength }))).toBe(expected)
  })
})

describe('countsInReasoning', () => {
  it.each<[string, Partial<Mark>, boolean]>([
    ['<tool_call>', {}, true],
    ['<|im_end|>', { opensNoCall: true }, false],
    ['{', { strength: 'weak' }, false],
    ['```json', { strength: 'weak', countsInReasoning: true }, true],
    ['<ls', { strength: 'own' }, false],
  ])('%s %o: %s', (text, rules, expected) => {
    expect(countsInReasoning(createMark(text, rules))).toBe(expected)
  })
})

describe('the marks of the built-in formats', () => {
  const tools = createToolShapes([
    { type: 'function', name: 'ls', inputSchema: {} },
    { type: 'function', name: 'get_weather', inputSchema: {} },
  ])
  const marks = Object.values(formats).flatMap(format =>
    format
      .create()
      .definition.grammar(tools)
      .map(mark => ({ ...mark, id: format.id })),
  )

  it.each(marks.filter(mark => markStrength(mark) === 'tag').map(mark => [mark.id, mark.text]))(
    '%s: %s is spelt like a tag, or its format says what it proves',
    (_, text) => {
      expect(text).toMatch(/^<(?:\w{4}|$)/)
    },
  )
})
