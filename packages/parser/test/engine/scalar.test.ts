import { describe, expect, it } from 'vitest'
import {
  calculate,
  isJson,
  mayBecomeScalar,
  type ScalarSource,
  scalarAsJson,
  typeOfJson,
} from '../../src/engine/values/scalar.js'
import { JsonType } from '../../src/engine/values/shape.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'

const digits = '123456789012345678901234567890.10'

// biome-ignore format: a table
describe('a scalar as JSON (decision 64)', () => {
  it.each<[string, ScalarSource, unknown, string]>([
    // text         written as   schema                  JSON
    // Without a type, what was written decides.
    ['3',           'bare',      {},                     '3'],
    ['3',           'quoted',    {},                     '"3"'],
    ['3',           'raw',       {},                     '3'],
    ['true',        'raw',       {},                     'true'],
    ['True',        'bare',      {},                     'true'],
    ['None',        'bare',      {},                     'null'],
    ['None',        'raw',       {},                     '"None"'],
    ['007',         'raw',       {},                     '"007"'],
    ['Paris',       'bare',      {},                     '"Paris"'],
    // A number.
    ['3',           'quoted',    { type: 'integer' },    '3'],
    [' 5 ',         'raw',       { type: 'integer' },    '5'],
    ['007',         'raw',       { type: 'integer' },    '7'],
    ['00',          'raw',       { type: 'integer' },    '0'],
    ['+5',          'raw',       { type: 'number' },     '5'],
    ['-.5',         'raw',       { type: 'number' },     '-0.5'],
    ['5.',          'raw',       { type: 'number' },     '5'],
    ['1e5',         'raw',       { type: 'number' },     '1e5'],
    [digits,        'raw',       { type: 'number' },     digits],
    ['1_000',       'bare',      { type: 'number' },     '1000'],
    ['1_000',       'raw',       { type: 'number' },     '"1_000"'],
    ['0x1f',        'bare',      { type: 'number' },     '31'],
    ['0x1f',        'raw',       { type: 'number' },     '"0x1f"'],
    // A boolean, and null.
    ['TRUE',        'raw',       { type: 'boolean' },    'true'],
    ['False',       'quoted',    { type: 'boolean' },    'false'],
    ['None',        'raw',       { type: ['integer', 'null'] }, 'null'],
    // A text stays a text. A bare `null` is never the word "null".
    ['5',           'bare',      { type: 'string' },     '"5"'],
    ['007',         'raw',       { type: 'string' },     '"007"'],
    [' a ',         'raw',       { type: 'string' },     '" a "'],
    ['null',        'raw',       { type: 'string' },     '"null"'],
    ['null',        'bare',      { type: 'string' },     'null'],
    ['null',        'quoted',    { type: ['string', 'null'] }, '"null"'],
    // A scalar that fits no type keeps the type in which it was written.
    ['many',        'raw',       { type: 'integer' },    '"many"'],
    ['many',        'quoted',    { type: 'integer' },    '"many"'],
    ['5',           'bare',      { type: 'boolean' },    '5'],
    ['5',           'quoted',    { type: 'boolean' },    '"5"'],
    // Only some values are allowed.
    [' celsius ',   'raw',       { enum: ['celsius'] },  '"celsius"'],
    ["'celsius'",   'quoted',    { enum: ['celsius'] },  '"celsius"'],
    [' "celsius" ', 'raw',       { enum: ['celsius'] },  '"celsius"'],
    ['"celsius"',   'quoted',    { enum: ['celsius', '"celsius"'] }, '"\\"celsius\\""'],
    ["'other'",     'quoted',    { enum: ['celsius'] },  '"\'other\'"'],
    ['1',           'bare',      { enum: ['1'] },        '"1"'],
    ['1',           'bare',      { enum: [1] },          '1'],
    ['1',           'quoted',    { enum: [1] },          '1'],
    ['1',           'bare',      { enum: [1, '1'] },     '1'],
  ])('%j, written as %s, for %j: %s', (text, source, schema, json) => {
    const shape = shapeOfSchema(schema)
    expect(scalarAsJson(text, source, shape)).toBe(json)
  })
})

// biome-ignore format: a table
it.each([
  ['"5"',     JsonType.string],
  ['null',    JsonType.null],
  ['{}',      JsonType.object],
  ['[1]',     JsonType.array],
  ['true',    JsonType.boolean],
  ['false',   JsonType.boolean],
  ['-5',      JsonType.number],
])('the type of %s: %i', (json, type) => {
  expect(typeOfJson(json)).toBe(type)
})

// biome-ignore format: a table
it.each([
  // beginning   may become a number or a constant
  ['',           true],
  [' ',          true],
  ['1',          true],
  [' 12.',       true],
  ['-',          true],
  ['1.5e',       true],
  ['1.5e-',      true],
  ['t',          true],
  ['Tru',        true],
  ['FALSE',      true],
  ['N',          true],
  ['nu',         true],
  ['1 d',        false],
  ['12a',        false],
  ['trux',       false],
  ['None of',    false],
  ['Paris',      false],
])('%j| may become a scalar: %s', (beginning, expected) => {
  expect(mayBecomeScalar(beginning)).toBe(expected)
})

// biome-ignore format: a table
it.each([
  // text       JSON
  ['{}',        true],
  [' [1] ',     true],
  ['"a"',       true],
  ['',          false],
  ['{',         false],
  ['{} x',      false],
  ['{a: 1}',    false],
])('%j is JSON: %s', (text, expected) => {
  expect(isJson(text)).toBe(expected)
})

// biome-ignore format: a table
describe('a number that is written as a calculation', () => {
  it.each([
    ['1/4',             0.25],
    ['3*0.5',           1.5],
    ['2 + 3 * 4 - 1',   13],
    ['8/4/2',           1],
    ['-2*-3',           6],
    ['1e3/4',           250],
    ['5',               undefined],
    ['1/0',             undefined],
    ['2024-01-05',      undefined],
    ['07*2',            undefined],
    ['1/',              undefined],
    ['a/b',             undefined],
    ['2**3',            undefined],
    [`${'1+'.repeat(40)}1`, undefined],
  ])('%s', (text, number) => expect(calculate(text)).toBe(number))
})
