import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { damageText, findValues } from '../../src/damage/damage-text.js'
import { addCounts, measureDamage } from '../../src/damage/measure-damage.js'
import { isAccepted } from '../../src/damage/samples.js'

/** One damaged text in this many is read: all of them are read by `npm run bench:damage`. */
const EVERY = 8

describe('one damaged character of markup', () => {
  const measured = listProtocols().map(name => measureDamage(name, EVERY))
  const safe = addCounts(measured.map(each => each.safe))
  const eager = addCounts(measured.map(each => each.eager))

  it('runs a wrong call in at most 0.4 % of the texts', () => {
    expect(safe.texts).toBeGreaterThan(20_000)
    const wrong = measured.flatMap(each => each.wrongTexts.map(({ text }) => text))
    expect(safe.wrong / safe.texts, wrong.slice(0, 20).join('\n')).toBeLessThanOrEqual(0.004)
    // The measure can tell: without the doubts far more would run.
    expect(eager.wrong / eager.texts).toBeGreaterThan(0.04)
  })

  it('loses at most 1 % of the right calls', () => {
    const lost = measured.flatMap(each => each.lostTexts.map(({ text }) => text))
    expect(eager.right, lost.slice(0, 20).join('\n')).toBeGreaterThan(eager.texts / 5)
    expect(safe.right / eager.right).toBeGreaterThanOrEqual(0.99)
  })

  // What is left are signs and spaces at the edge of a value, which no reader can notice.
  it.each(measured)('runs a wrong call in few texts of $protocol', ({ safe, wrongTexts }) => {
    const texts = wrongTexts.map(({ text }) => text).join('\n')
    expect(safe.wrong / safe.texts, texts).toBeLessThanOrEqual(0.02)
  })
})

describe('the values of a call in its text', () => {
  it('are found in any spelling', () => {
    const input = { path: 'a "b"', lines: 'x\n  y\n', days: 3, flag: true }
    for (const text of [
      JSON.stringify(input),
      "path='a \"b\"', lines='x\\n  y\\n', days=3, flag=True",
      'path: a "b"\nlines: |\n  x\n    y\ndays: 3\nflag: true',
    ]) {
      const values = findValues(text, input) ?? []
      const shown = values.map(({ from, to }) => text.slice(from, to))
      expect(shown.at(-2), text).toBe('3')
      expect(shown[0]?.startsWith('a '), text).toBe(true)
    }
    expect(findValues('{"path": "b"}', { path: 'a' })).toBeUndefined()
    // `3` is not the 3 of another number.
    expect(findValues('[13, 3]', [3])).toEqual([{ from: 5, to: 6 }])
  })

  it('are not damaged', () => {
    const damaged = [...damageText('<a>b</a>', [{ from: 3, to: 4 }], () => ['+'])]
    for (const { text } of damaged) expect(text).toContain('b')
    expect(damaged.filter(({ kind }) => kind === 'dropped')).toHaveLength(7)
    expect(damaged.filter(({ kind }) => kind === 'inserted').map(({ text }) => text)).toEqual([
      '<+a>b</a>',
      '<a+>b</a>',
      '<a>b<+/a>',
      '<a>b</+a>',
      '<a>b</a+>',
    ])
  })
})

describe('a strict schema', () => {
  it.each([
    ['get_weather', { location: 'a' }, true],
    ['get_weather', { location: 'a', town: 'b' }, false],
    ['get_weather', { location: 5 }, false],
    ['get_weather', {}, false],
    ['get_rain', {}, false],
  ])('%s(%j): %s', (name, input, want) => {
    expect(isAccepted(name, input)).toBe(want)
  })
})
