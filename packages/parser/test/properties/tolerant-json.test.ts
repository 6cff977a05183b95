import fc, { type Arbitrary } from 'fast-check'
import { jsonrepair } from 'jsonrepair'
import { describe, expect, it } from 'vitest'
import { runsOf } from './support/configure.js'
import { canonicalJson, type Json, objectOf } from './support/json.js'
import { type Liberty, liberties, writeLoosely } from './support/loose-json.js'
import { readTolerantly } from './support/read-json.js'
import { hardKeyStrings, hardStrings } from './support/strings.js'

describe('tolerant JSON', () => {
  it('reads valid JSON as JSON.parse does, in any pieces', () => {
    fc.assert(
      fc.property(
        structures,
        fc.constantFrom(0, 2),
        fc.integer({ min: 1, max: 9 }),
        (value, indent, size) => {
          const text = JSON.stringify(value, null, indent)
          expect(readTolerantly(text)).toBe(JSON.stringify(value))
          expect(readTolerantly(text, size)).toBe(JSON.stringify(value))
        },
      ),
      { numRuns: runsOf(2) },
    )
  })

  it('reads numbers of any length digit by digit', () => {
    const digits = fc.oneof(
      fc.bigInt().map(String),
      fc.constantFrom('1e400', '-0', '0.10', '1E+2', '0.1000000000000000055511', '-0.0e-0'),
    )
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1 }), numbers => {
        const text = `{"a":[${numbers.join(',')}],"b":${numbers[0]}}`
        expect(readTolerantly(text)).toBe(text)
      }),
    )
  })

  it.each(liberties)('reads JSON written with the liberty of %s', liberty => {
    expectSameMeaning([liberty])
  })

  it('reads JSON written with all liberties together', () => {
    expectSameMeaning(liberties)
  })

  it('closes what is left open at the end, where a value is whole', () => {
    fc.assert(
      fc.property(structures, value => {
        const text = JSON.stringify(value)
        const open = text.replace(/[\]}]+$/, '')
        // A bracket that opens, or a comma, says that more was to come.
        fc.pre(!/[[{,:]$/.test(open))
        expect(readTolerantly(open)).toBe(text)
      }),
    )
  })

  it('agrees with jsonrepair on broken JSON that both can read', () => {
    fc.assert(
      fc.property(
        plainStructures,
        spaces,
        fc.array(damages, { minLength: 1, maxLength: 2 }),
        (value, space, list) => {
          const text = list.reduce(damage, JSON.stringify(value, null, space))
          fc.pre(!isValid(text) && !isDeliberate(text))
          const ours = readTolerantly(text)
          const theirs = repair(text)
          if (ours === undefined || theirs === undefined) return
          expect(canonicalJson(ours), text).toBe(canonicalJson(theirs))
        },
      ),
      { numRuns: runsOf(2) },
    )
  })
})

const scalars: Arbitrary<Json> = fc.oneof(
  hardStrings([]),
  fc.constantFrom('a', 'b c', ''),
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map(number => (Object.is(number, -0) ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
)

const structures = structuresOf(scalars, hardKeyStrings([]))

/**
 * Without brackets, commas and the like in its strings: there jsonrepair guesses, and makes
 * `["",[""]]` of `["["],`.
 */
const plainStructures = structuresOf(
  fc.oneof(
    fc.constantFrom('a', 'b c', '', 'é', 'x1', '5'),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  ),
  fc.constantFrom('a', 'b', 'c', 'd_e', 'f g', '__proto__'),
)

function structuresOf(leaves: Arbitrary<Json>, keys: Arbitrary<string>): Arbitrary<Json> {
  return fc.letrec<{ value: Json; list: Json; object: Json }>(tie => ({
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc
      .uniqueArray(fc.tuple(keys, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map(objectOf),
    value: fc.oneof(
      { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
      { weight: 3, arbitrary: leaves },
      { weight: 1, arbitrary: tie('list') },
      { weight: 1, arbitrary: tie('object') },
    ),
  })).object
}

function expectSameMeaning(allowed: readonly Liberty[]): void {
  const choices = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(structures, choices, fc.integer({ min: 1, max: 9 }), (value, taken, size) => {
      let turn = 0
      const text = writeLoosely(
        value,
        liberty => allowed.includes(liberty) && taken[turn++ % taken.length] === true,
      )
      expect(readTolerantly(text), text).toBe(JSON.stringify(value))
      expect(readTolerantly(text, size), text).toBe(JSON.stringify(value))
    }),
  )
}

/** No space at all, or each value on a line of its own. */
const spaces = fc.constantFrom(0, 1)

interface Damage {
  readonly target: RegExp
  readonly replacement: string
  readonly which: number
}

/** What goes wrong in JSON: at the n-th place where it can. */
const damages: Arbitrary<Damage> = fc
  .tuple(
    fc.constantFrom<readonly [RegExp, string]>(
      // Without a line break only before a quote: `null -1` is a value of two words, as `New York`
      // is.
      [/,/g, '\n'],
      [/,(?=\s*")/g, ''],
      [/,/g, ',,'],
      [/,/g, ', /* c */'],
      [/(?=[\]}])/g, ','],
      [/"(\w+)"(?=:)/g, '$1'],
      [/\btrue\b/g, 'True'],
      [/\bnull\b/g, 'None'],
      [/\n/g, ' // c\n'],
      [/[\]}]$/g, ''],
    ),
    fc.nat({ max: 20 }),
  )
  .map(([[target, replacement], which]) => ({ target, replacement, which }))

function damage(text: string, { target, replacement, which }: Damage): string {
  const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"/gs)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  // Between the strings: what is damaged inside one is another string, or a riddle.
  const places = [...text.matchAll(target)].filter(
    ({ index }) => !strings.some(([from, to]) => index > from && index < to),
  )
  const place = places[which % Math.max(1, places.length)]
  if (!place) return text
  const piece = replacement.replace('$1', place[1] ?? '')
  return text.slice(0, place.index) + piece + text.slice(place.index + place[0].length)
}

function repair(text: string): string | undefined {
  try {
    const repaired = jsonrepair(text)
    JSON.parse(repaired)
    return repaired
  } catch {
    return undefined
  }
}

function isValid(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Where the reader differs on purpose, each for the better. */
const deliberate: readonly RegExp[] = [
  // `[null,, []]`: a comma too many is a slip. jsonrepair ends the list there and puts the rest
  // beside it.
  /,\s*(?:\/\*.*?\*\/\s*)?,/,
  // `{"a":0"b":1}`: the digits are a number, whatever stands behind them. jsonrepair makes them a
  // string.
  /\d"/,
  // `["a""b"]`, `["a"\n0]`, `{"a":"b"\nc:1}`: what stands right behind a quote, or is no string,
  // may just as well be text of a string whose quotes were not escaped. jsonrepair sees the whole
  // text; here the string has already been given out.
  /[^\s:,[{]""|"\s*(?:\/\/ c)?\n\s*[^"'\]},\s]/,
]

function isDeliberate(text: string): boolean {
  return deliberate.some(pattern => pattern.test(text))
}
