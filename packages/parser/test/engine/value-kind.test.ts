import { describe, expect, it } from 'vitest'
import { ANY_TYPE, anyShape, JsonType } from '../../src/engine/values/shape.js'
import { kindOfValue } from '../../src/engine/yaml/value-kind.js'

const { string, number, array, object } = JsonType

describe('the kind of a value', () => {
  it.each([
    // text                    types         may nest  kind
    ['- a', array, true, 'list'],
    ['- a', string, true, 'list'],
    ['- a', string, false, 'plain'],
    ['name: Ann', object, true, 'mapping'],
    ['name: Ann', object | string, true, 'mapping'],
    ['name: Ann', ANY_TYPE, true, 'mapping'],
    ['name: Ann', string, true, 'plain'],
    ['name: Ann', object, false, 'plain'],
    ['{a: 1}: b', object, true, 'brackets'],
    ['{a: 1}: b', string | object, true, 'brackets'],
    ['{a: 1}', object, false, 'brackets'],
    ['[a, b]', array, false, 'brackets'],
    ['[a, b]', number, false, 'brackets'],
    ['[x] y', string, false, 'plain'],
    ['[x] y', string | array, false, 'brackets'],
    ['|', string, false, 'block'],
    ['>-', object, true, 'block'],
    ['| a', string, false, 'plain'],
    ['"Paris"', string, false, 'quoted'],
    ['"Paris" # comment', string, false, 'quoted'],
    ['"Paris', string, false, 'quoted'],
    ["'it''s'", string, false, 'quoted'],
    ['"" x', string, false, 'quoted'],
    ['"5" x', number, false, 'quoted'],
    ['"climate change" 2024', string, false, 'quoted-words'],
    ['"He said "hi" to me"', string, false, 'quoted-words'],
    ["'it's fine'", string, false, 'quoted-words'],
    ['"name": Ann', object, true, 'mapping'],
    ['Paris', string, false, 'plain'],
    ['5', number, true, 'plain'],
  ])('%j of the types %i, may nest %s: %s', (text, types, mayNest, kind) => {
    expect(kindOfValue(text, { ...anyShape, types }, mayNest)).toBe(kind)
  })
})
