import { describe, expect, it } from 'vitest'
import { ANY_TYPE, anyShape, JsonType } from '../../src/engine/values/shape.js'
import { Token } from '../../src/engine/values/tokens.js'
import {
  continuesText,
  endsLikeCode,
  putEmptyValue,
  putPlain,
  withoutOuterQuotes,
} from '../../src/engine/yaml/scalar.js'

const { string, number, boolean, null: nothing } = JsonType

/** The text or literal that is put, and the token that it begins with. */
function record(put: (sink: (token: Token, text: string) => void) => void) {
  const tokens: [Token, string][] = []
  put((token, text) => tokens.push([token, text]))
  return { first: tokens[0]?.[0], text: tokens.map(([, text]) => text).join('') }
}

describe('text without quotes', () => {
  it.each([
    // line          column of its key  is continued by it
    ['  more', 0, true],
    ['', 0, true],
    ['   ', 0, true],
    ['more', 0, false],
    ['  more', 2, false],
    ['  # comment', 0, false],
    ['  ---', 0, false],
    ['  days: 3', 0, false],
    ['  My plan: go', 0, true],
    ['  - a', 0, false],
    ['  </f>', 0, false],
  ])('%j after a key in column %i continues it: %s', (line, column, isMore) => {
    expect(continuesText(line, '</f>', column)).toBe(isMore)
  })

  it.each([
    ['if (a) {', true],
    ['}', true],
    ['x = 1;', true],
    ['else:', true],
    ['Paris', false],
    ['', false],
  ])('%j ends like code: %s', (line, isCode) => {
    expect(endsLikeCode(line)).toBe(isCode)
  })

  it.each([
    // text    types                     begins with         is
    ['Paris', string, Token.beginUntyped, 'Paris'],
    ['yes', boolean, Token.beginUntyped, 'true'],
    ['Off', boolean | nothing, Token.beginUntyped, 'false'],
    ['yes', boolean | string, Token.beginUntyped, 'yes'],
    ['yes', ANY_TYPE, Token.beginUntyped, 'yes'],
    ['yes', number, Token.beginUntyped, 'yes'],
    ['true', boolean, Token.beginUntyped, 'true'],
    ['~', number | nothing, Token.literal, 'null'],
    ['~', string | nothing, Token.literal, 'null'],
    ['~', string, Token.beginUntyped, '~'],
    ['~', ANY_TYPE, Token.beginUntyped, '~'],
  ])('%j of the types %i begins with token %i and is %j', (text, types, first, written) => {
    const found = record(put => putPlain(text, { ...anyShape, types }, put))
    expect(found).toEqual({ first, text: written })
  })
})

describe('quotes around quotes', () => {
  it.each([
    ['"He said "hi" to me"', 'He said "hi" to me'],
    ["'it's fine'", "it's fine"],
    ['"oil" and "gas"', '"oil" and "gas"'],
    ['"climate change" 2024', '"climate change" 2024'],
  ])('%j is %j', (text, expected) => {
    expect(withoutOuterQuotes(text)).toBe(expected)
  })
})

describe('a value that is missing', () => {
  it.each([
    [string, Token.beginUntyped, ''],
    [number, Token.beginUntyped, ''],
    [string | nothing, Token.literal, 'null'],
    [ANY_TYPE, Token.literal, 'null'],
  ])('of the types %i begins with token %i and is %j', (types, first, text) => {
    expect(record(put => putEmptyValue({ ...anyShape, types }, put))).toEqual({ first, text })
  })
})
