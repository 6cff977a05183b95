import { describe, expect, it } from 'vitest'
import {
  type Block,
  countTrailingBreaks,
  createBlock,
  findIndent,
  isBlockHeader,
  isCloseTagOfCall,
  isFenceAsBlock,
  parseBlockHeader,
  separatorBefore,
  withoutIndent,
} from '../../src/engine/yaml/block.js'

const block = (header: string, changes: Partial<Block> = {}): Block => ({
  ...createBlock(parseBlockHeader(header), 0, true),
  ...changes,
})

describe('the header of a block', () => {
  it.each([
    // text  folded chomping indent
    ['|', false, '', 0],
    ['>', true, '', 0],
    ['|-', false, '-', 0],
    ['>+', true, '+', 0],
    ['|2', false, '', 2],
    ['|2-', false, '-', 2],
    ['>-2', true, '-', 2],
  ])('%s: folded %s, chomping %j, indent %i', (text, isFolded, chomping, indent) => {
    expect(isBlockHeader(text)).toBe(true)
    expect(parseBlockHeader(text)).toEqual({ isFolded, chomping, indent })
  })

  it.each(['', '||', '|x', '| a', '|0', '>=', '|+-', 'a|'])('%j is not one', text => {
    expect(isBlockHeader(text)).toBe(false)
  })
})

describe('the indentation of a block', () => {
  it.each([
    // line    column of its key  is an argument  indentation
    ['  x', 0, true, 2],
    ['  x', 0, false, 2],
    ['', 0, true, undefined],
    ['   ', 0, true, undefined],
    ['x', 0, true, 0],
    ['x', 2, true, 2],
    ['x', 0, false, Infinity],
    ['  x', 2, false, Infinity],
  ])('%j after a key in column %i, an argument %s: %s', (line, column, isArgument, indent) => {
    expect(findIndent(createBlock(parseBlockHeader('|'), column, isArgument), line)).toBe(indent)
  })

  it('is counted from the key if the header says it', () => {
    expect(createBlock(parseBlockHeader('|2'), 4, false).indent).toBe(6)
  })

  it.each([
    // line        indentation  text
    ['    x', 2, '  x'],
    ['  x\r', 2, 'x'],
    [' ', 2, ''],
    ['', 2, ''],
    ['   ', undefined, ''],
  ])('%j without an indentation of %s is %j', (line, indent, text) => {
    expect(withoutIndent(block('|', { indent }), line)).toBe(text)
  })
})

describe('the lines of a block', () => {
  it.each([
    // header  last line  breaks  line     between them
    ['|', '', 0, 'a', ''],
    ['|', '', 2, 'a', '\n\n'],
    ['|', 'a', 1, 'b', '\n'],
    ['|', 'a', 3, 'b', '\n\n\n'],
    ['>', 'a', 1, 'b', ' '],
    ['>', 'a', 2, 'b', '\n'],
    ['>', 'a', 3, 'b', '\n\n'],
    ['>', 'a', 1, '  b', '\n'],
    ['>', '  a', 1, 'b', '\n'],
    ['>', '', 1, 'b', '\n'],
  ])('%s: between %j, %i line breaks and %j is %j', (header, lastLine, breaks, line, between) => {
    expect(separatorBefore(block(header, { lastLine, breaks }), line)).toBe(between)
  })

  it.each([
    // header last line  breaks  kept
    ['|', 'a', 0, 0],
    ['|', 'a', 1, 1],
    ['|', 'a', 3, 1],
    ['|', '', 2, 0],
    ['|-', 'a', 3, 0],
    ['|+', 'a', 3, 3],
    ['|+', '', 2, 2],
    ['|+', '', -1, 0],
  ])('%s: after %j and %i line breaks %i are kept', (header, lastLine, breaks, kept) => {
    expect(countTrailingBreaks(block(header, { lastLine, breaks }))).toBe(kept)
  })

  it.each([
    // line     indentation  last line  is a fence
    ['```py', 0, '', true],
    ['```py', 0, 'a', false],
    ['  ```py', 2, '', false],
    ['a', 0, '', false],
  ])('%j, indented by %i, after %j is a fence in place of it: %s', (line, indent, lastLine, is) => {
    expect(isFenceAsBlock(block('|', { indent, lastLine }), line)).toBe(is)
  })
})

describe('a close tag that is indented like the block', () => {
  it.each([
    // text from the line break before the tag  ends the call
    ['\n  </f>', true],
    ['\n  </f>\n', true],
    ['\n  </f>\n\nMore text.\n', true],
    ['\n  </f>\n\n  more\n', false],
    ['\n  </f>\n</f>\n', false],
    ['\n  </f>\npath: a\n', false],
    ['\n  </f>\n- a\n', false],
    ['\n  </f> x\n', false],
  ])('%j ends the call: %s', (ahead, isEnd) => {
    expect(isCloseTagOfCall(ahead, '</f>', 2)).toBe(isEnd)
  })
})
