import { describe, expect, it } from 'vitest'
import { type ArgumentWriter, createArgumentWriter } from '../../src/engine/argument-writer.js'
import { Token } from '../../src/engine/values/tokens.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'

const MAX_HELD_CHARS = 32

/** How a value arrives: as a word, as a text in quotes, or as a text without a type. */
type Source = 'word' | 'quoted' | 'untyped'

function putValue({ put }: ArgumentWriter, source: Source, pieces: readonly string[]): void {
  if (source === 'word') {
    put(Token.literal, pieces.join(''))
    return
  }
  put(source === 'quoted' ? Token.beginQuoted : Token.beginUntyped, '')
  for (const piece of pieces) put(Token.text, piece)
  put(Token.endText, '')
}

/** Writes the argument `a`, whose schema is given, and returns its JSON. */
function writeArgument(schema: unknown, source: Source, pieces: readonly string[]) {
  const root = shapeOfSchema({ type: 'object', properties: { a: schema } })
  const writer = createArgumentWriter(root, MAX_HELD_CHARS)
  writer.put(Token.beginObject, '')
  writer.put(Token.key, 'a')
  putValue(writer, source, pieces)
  writer.put(Token.endObject, '')
  const json = writer.take()
  return { json: json.slice('{"a":'.length, -1), problem: writer.error()?.message }
}

const texts = { type: 'array', items: { type: 'string' } }
const numbers = { type: 'array', items: { type: 'integer' } }
const point = { type: 'object', properties: { x: { type: 'integer' } } }

// biome-ignore format: a table
describe('a value as JSON', () => {
  it.each<[string, Source, unknown, string]>([
    // text                   arrives as   schema                         JSON
    ['Paris',                 'word',      { type: 'string' },            '"Paris"'],
    ['3',                     'word',      { type: 'string' },            '"3"'],
    ['3',                     'quoted',    { type: 'integer' },           '3'],
    ['3',                     'untyped',   { type: 'integer' },           '3'],
    ['3',                     'untyped',   { type: ['string', 'integer'] }, '3'],
    ['3 days',                'untyped',   { type: ['string', 'integer'] }, '"3 days"'],
    ['3',                     'untyped',   {},                            '3'],
    ['a "b"\n\u0001',         'quoted',    { type: 'string' },            '"a \\"b\\"\\n\\u0001"'],
    ['😀',                    'quoted',    { type: 'string' },            '"😀"'],
    ['\ud83d',                'quoted',    { type: 'string' },            '"\\ud83d"'],
    // A single value becomes a list where only a list is allowed (decision 64).
    ['a',                     'quoted',    texts,                         '["a"]'],
    ['3',                     'word',      numbers,                       '[3]'],
    ['3',                     'quoted',    numbers,                       '[3]'],
    ['a',                     'quoted',    { type: ['array', 'string'] }, '"a"'],
    // Text that is JSON.
    ['[1, 2]',                'quoted',    numbers,                       '[1,2]'],
    ["{'x': '1'}",            'quoted',    point,                         '{"x":1}'],
    ['{"x": 1}',              'quoted',    { type: 'string' },            '"{\\"x\\": 1}"'],
    ['{"x": 1}',              'untyped',   { type: ['string', 'object'] }, '{"x":1}'],
    ['{x}',                   'untyped',   { type: ['string', 'object'] }, '"{x}"'],
    ['{"x": 1}',              'quoted',    { type: ['string', 'object'] }, '"{\\"x\\": 1}"'],
    ['{"x": 1}',              'untyped',   { type: 'array', items: point }, '[{"x":1}]'],
    // An empty text.
    ['',                      'untyped',   point,                         '{}'],
    ['',                      'untyped',   texts,                         '[]'],
    ['',                      'quoted',    texts,                         '[""]'],
    ['',                      'untyped',   { type: 'string' },            '""'],
  ])('%j as %s for %j: %s', (text, source, schema, json) => {
    for (let at = 0; at <= text.length; at++) {
      const pieces = [text.slice(0, at), text.slice(at)].filter(piece => piece !== '')
      const written = writeArgument(schema, source, pieces)
      expect(written, `in pieces: ${pieces.join('|')}`).toEqual({ json })
    }
  })
})

// biome-ignore format: a table
describe('a value that cannot be written', () => {
  it.each<[string, unknown, string]>([
    // text               schema       message
    ['[1, 2] more',       numbers,     'unexpected text after the JSON value'],
    ['{"x": }',           point,       'expected a value, found `}`'],
    ['1'.repeat(33),      { type: 'integer' }, 'a value of more than 32 characters whose type shows only at its end'],
  ])('%j', (text, schema, problem) => {
    expect(writeArgument(schema, 'untyped', [text]).problem).toBe(problem)
  })

  it('is copied, with all text after it', () => {
    const writer = createArgumentWriter(shapeOfSchema({}), MAX_HELD_CHARS)
    writer.put(Token.beginObject, '')
    writer.fail('expected a key', '<b>')
    writer.put(Token.key, 'a')
    writer.fail('a second problem', '.')
    expect(writer.take()).toBe('{<b>a.')
    expect(writer.error()?.message).toBe('expected a key')
  })
})

// biome-ignore format: a table
describe('a text that comes in pieces', () => {
  it.each<[string[], unknown, string[]]>([
    // pieces             schema                            JSON after each
    [['New ', 'York'],    { type: 'string' },               ['"New ', 'York', '"']],
    // Its type shows later, or only at the end.
    [['1', '2'],          { type: 'integer' },              ['', '', '12']],
    [['1', '2 days'],     { type: ['string', 'integer'] },  ['', '"12 days', '"']],
    [['tr', 'ip'],        {},                               ['', '"trip', '"']],
    [['cel', 'sius'],     { enum: ['celsius'] },            ['', '', '"celsius"']],
    [['[1, ', '2', ']'],  numbers,                          ['[1', '', ',2]', '']],
    // A chunk ends inside a surrogate pair.
    [['a\ud83d', '\ude00'], { type: 'string' },             ['"a', '😀', '"']],
  ])('%j for %j: %j', (pieces, schema, expected) => {
    const writer = createArgumentWriter(shapeOfSchema(schema), MAX_HELD_CHARS)
    writer.put(Token.beginUntyped, '')
    const taken = [...pieces, undefined].map(piece => {
      if (piece === undefined) writer.put(Token.endText, '')
      else writer.put(Token.text, piece)
      return writer.take()
    })
    expect(taken).toEqual(expected)
    expect(writer.isComplete()).toBe(true)
  })
})

// biome-ignore format: a table
describe('a key that may come next', () => {
  const root = shapeOfSchema({
    type: 'object',
    properties: { city: {}, point, any: { type: 'object' }, points: { type: 'array', items: point } },
  })
  const key = (name: string) => [Token.key, name] as const
  const beginObject = [Token.beginObject, ''] as const
  const beginList = [Token.beginArray, ''] as const

  it.each([
    // before                                            key      levels up   expected
    [[],                                                 'city',  0,          undefined],
    [[beginObject],                                      'city',  0,          true],
    [[beginObject],                                      'town',  0,          false],
    [[beginObject, key('city')],                         'city',  0,          false],
    [[beginObject, key('point'), beginObject],           'x',     0,          true],
    [[beginObject, key('point'), beginObject],           'city',  0,          false],
    [[beginObject, key('point'), beginObject],           'city',  1,          true],
    [[beginObject, key('point'), beginObject],           'point', 1,          false],
    // An object without declared keys takes any.
    [[beginObject, key('any'), beginObject],             'x',     0,          true],
    // In a list, a key of its next item.
    [[beginObject, key('points'), beginList],            'x',     0,          true],
    [[beginObject, key('points'), beginList],            'y',     0,          false],
  ])('%j|%s, %i levels up: %s', (tokens, name, levelsUp, expected) => {
    const writer = createArgumentWriter(root, MAX_HELD_CHARS)
    for (const [token, text] of tokens) writer.put(token, text)
    expect(writer.expectsKey(name, levelsUp)).toBe(expected)
  })
})

it('writes an empty object for arguments that are null', () => {
  const writer = createArgumentWriter(shapeOfSchema({ type: 'object' }), MAX_HELD_CHARS)
  writer.put(Token.literal, 'null')
  expect(writer.take()).toBe('{}')
})

it('types a value by the member of a union that the object belongs to', () => {
  const member = (type: string, size: unknown) => ({
    type: 'object',
    properties: { type: { const: type }, size },
  })
  const union = {
    anyOf: [member('circle', { type: 'integer' }), member('label', { type: 'string' })],
  }
  const write = (type: string) => {
    const writer = createArgumentWriter(shapeOfSchema(union), MAX_HELD_CHARS)
    writer.put(Token.beginObject, '')
    writer.put(Token.key, 'type')
    putValue(writer, 'quoted', [type])
    writer.put(Token.key, 'size')
    putValue(writer, 'untyped', ['3'])
    writer.put(Token.endObject, '')
    return writer.take()
  }
  expect(write('circle')).toBe('{"type":"circle","size":3}')
  expect(write('label')).toBe('{"type":"label","size":"3"}')
})

describe('a key', () => {
  const write = (schema: unknown, key: string, value: string) => {
    const writer = createArgumentWriter(shapeOfSchema(schema), MAX_HELD_CHARS)
    writer.put(Token.beginObject, '')
    writer.put(Token.key, key)
    writer.put(Token.literal, value)
    writer.put(Token.endObject, '')
    return writer.take()
  }
  const properties = { city: { type: 'string' }, limit: { type: ['integer', 'null'] } }
  const patternProperties = {
    '^x-': { type: 'integer' },
    '^s-': { type: 'string' },
    '(': { type: 'integer' },
  }
  const required = ['city']

  // biome-ignore format: a table
  it.each([
    // schema                                   key       value    JSON
    // Null is left out where it is neither required nor allowed.
    [{ properties },                            'city',   'null',  '{}'],
    [{ properties, required },                  'city',   'null',  '{"city":null}'],
    [{ properties },                            'limit',  'null',  '{"limit":null}'],
    [{ properties },                            'other',  'null',  '{"other":null}'],
    // A pattern gives a type to the keys that match, unless they are very long.
    [{ patternProperties },                     'x-a',    'null',  '{}'],
    [{ patternProperties },                     's-a',    '3',     '{"s-a":"3"}'],
    [{ patternProperties },                     'x-a',    '3',     '{"x-a":3}'],
    [{ patternProperties },                     'y-a',    'null',  '{"y-a":null}'],
    [{ patternProperties },                     `x-${'a'.repeat(200)}`, 'null', `{"x-${'a'.repeat(200)}":null}`],
  ])('%j, %s: %s', (schema, key, value, json) => {
    expect(write(schema, key, value)).toBe(json)
  })

  it('is written with what follows it if its value never comes', () => {
    const writer = createArgumentWriter(shapeOfSchema({ properties }), MAX_HELD_CHARS)
    writer.put(Token.beginObject, '')
    writer.put(Token.key, 'city')
    expect(writer.take()).toBe('{')
    writer.finish()
    expect(writer.take()).toBe('"city":')
  })
})
