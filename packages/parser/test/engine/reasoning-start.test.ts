import { expect, it } from 'vitest'
import { startsInReasoning } from '../../src/engine/reasoning-start.js'
import { createMarkFinder } from '../../src/engine/text/find-mark.js'
import type { Verdict } from '../../src/engine/text/verdict.js'
import { callMarks, closeThink, openThink } from '../support/reasoning-search.js'

const find = createMarkFinder([openThink, closeThink, ...callMarks])

// biome-ignore format: a table
it.each<[string, boolean, Verdict]>([
  // text                              last    the prompt has opened the reasoning
  ['Hm.</think>Hello',                 false,  'yes'],
  ['</think>Hello',                    false,  'yes'],
  ['<think>Hm.</think>Hello',          false,  'no'],
  ['<call>{"a": "</think>"}',          false,  'no'],
  ['Hm.',                              false,  'wait'],
  ['Hm.</thi',                         false,  'wait'],
  ['Hm.',                              true,   'no'],
  ['',                                 false,  'wait'],
  // No more than 64 characters are held back.
  [`${'a'.repeat(64)}</think>`,        false,  'yes'],
  ['a'.repeat(64),                     false,  'wait'],
  [`${'a'.repeat(65)}</think>`,        false,  'no'],
  ['a'.repeat(65),                     false,  'no'],
])('%s, last text %s: %s', (text, isLast, expected) => {
  expect(startsInReasoning(find, text, isLast)).toBe(expected)
})
