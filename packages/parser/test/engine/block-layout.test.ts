import { describe, expect, it } from 'vitest'
import {
  createBlock,
  endBlock,
  findLayoutStart,
  putInBlock,
  trimLayout,
} from '../../src/engine/tags/block-layout.js'

describe('findLayoutStart', () => {
  it.each([
    // text             start of the layout
    ['a.ts', 4],
    ['a.ts\n', 4],
    ['a.ts\n  ', 4],
    ['a.ts\n\n', 5],
    ['a.ts\nb', 6],
    [`a\n${' '.repeat(1023)}`, 1],
    [`a\n${' '.repeat(1024)}`, 1026],
  ])('%j: %i', (text, start) => {
    expect(findLayoutStart(text)).toBe(start)
  })
})

describe('trimLayout', () => {
  it.each([
    // held                text
    ['', ''],
    ['  ', ''],
    ['  a.ts', '  a.ts'],
    ['  a.ts\n', '  a.ts'],
    ['    a.ts\n  ', 'a.ts'],
    ['  a.ts\n  ', '  a.ts'],
    ['\n  ', ''],
  ])('%j: %j', (held, text) => {
    expect(trimLayout(held)).toBe(text)
  })
})

describe('a block', () => {
  it.each([
    // text after the first line break   closed   not closed
    ['a.ts\n', 'a.ts', 'a.ts\n'],
    ['    a.ts\n  ', 'a.ts', '    a.ts\n  '],
    ['    a\n    b\n  ', '    a\n    b', '    a\n    b\n  '],
    ['a\n\n', 'a\n', 'a\n\n'],
    ['', '', ''],
  ])('%j: %j, and %j without a close tag', (text, closed, unclosed) => {
    for (const pieces of [[text], text.split('')]) {
      expect(readBlock(pieces, true), `closed, in ${pieces.length} pieces`).toBe(closed)
      expect(readBlock(pieces, false), `not closed, in ${pieces.length} pieces`).toBe(unclosed)
    }
  })
})

function readBlock(pieces: readonly string[], isClosed: boolean): string {
  let text = ''
  const block = createBlock(piece => {
    text += piece
  })
  for (const piece of pieces) putInBlock(block, piece)
  endBlock(block, isClosed)
  return text
}
