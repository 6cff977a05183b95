import { describe, expect, it } from 'vitest'
import {
  createUnescaper,
  endUnescaper,
  putUnescaped,
  startsEscapedJson,
} from '../../src/engine/tags/escaped-json.js'

describe('startsEscapedJson', () => {
  it.each([
    // text              verdict
    ['', 'wait'],
    [' [', 'wait'],
    ['[{', 'wait'],
    ['[{\\', 'wait'],
    ['[{\\"id\\": 1}]', 'yes'],
    ['[{"id": 1}]', 'no'],
    ['\\"id', 'no'],
    ['[1]', 'no'],
  ])('%s: %s', (text, verdict) => {
    expect(startsEscapedJson(text)).toBe(verdict)
  })
})

describe('an unescaper', () => {
  it.each([
    // text                   without one level of escapes
    ['[{\\"id\\": 1}]', '[{"id": 1}]'],
    ['[\\"a\\\\\\"b\\"]', '["a\\"b"]'],
    ['[\\"a\\\\nb\\"]', '["a\\nb"]'],
    ['[\\"a\\', '["a\\'],
  ])('%s: %s', (text, want) => {
    for (const pieces of [[text], text.split('')]) {
      let found = ''
      const unescaper = createUnescaper(piece => {
        found += piece
      })
      for (const piece of pieces) putUnescaped(unescaper, piece)
      endUnescaper(unescaper)
      expect(found, `in ${pieces.length} pieces`).toBe(want)
    }
  })
})
