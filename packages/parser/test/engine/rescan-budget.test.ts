import { expect, it } from 'vitest'
import { createRescanBudget } from '../../src/engine/rescan-budget.js'

it.each([
  // characters of the text   how many of them may be read again
  [0, 65_536],
  [1, 65_544],
  [1_000_000, 8_065_536],
])('of %i characters, %i may be read again', (offset, chars) => {
  expect(createRescanBudget(() => offset)(chars)).toBe(true)
  expect(createRescanBudget(() => offset)(chars + 1)).toBe(false)
})

it('is used up by all that was read again, and grows with the text', () => {
  let offset = 0
  const take = createRescanBudget(() => offset)
  expect(take(65_536)).toBe(true)
  expect(take(0)).toBe(true)
  expect(take(1)).toBe(false)
  offset = 1
  expect(take(0)).toBe(true)
  expect(take(8)).toBe(false)
})
