import { describe, expect, it } from 'vitest'
import {
  isPartialEscapedSpace,
  startsWithEscapedSpace,
  withoutEscapedSpace,
} from '../../src/engine/json/escaped-space.js'

describe('whitespace between values that is written as an escape (decision 85)', () => {
  // biome-ignore format: a table
  it.each([
    // text        starts   without
    ['\\n "a"',    true,    '  "a"'],
    ['\\t1',       true,    ' 1'],
    ['\\r\\n}',    true,    '  }'],
    // A letter follows, so it is a word.
    ['\\new',      false,   '\\new'],
    ['\\u0041',    false,   '\\u0041'],
    // More text must show what it is.
    ['\\n',        false,   ''],
    ['} \\',       false,   '} '],
  ])('%j', (text, starts, without) => {
    expect([startsWithEscapedSpace(text), withoutEscapedSpace(text)]).toEqual([starts, without])
  })

  it('may begin where the text ends', () => {
    expect(['\\', '\\n', '\\n ', '\\x', ''].map(isPartialEscapedSpace)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
