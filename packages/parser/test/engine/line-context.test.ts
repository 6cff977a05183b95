import { expect, it } from 'vitest'
import {
  advance,
  createContextAfter,
  createLineContext,
  type LineContext,
} from '../../src/engine/text/line-context.js'

const textStart = createLineContext()
const insideLine = { ...textStart, isLineStart: false, isItemStart: false, isTextStart: false }
const lineStart = { ...textStart, isTextStart: false }
const itemStart = { ...lineStart, isLineStart: false }

// biome-ignore format: a table
const contexts: [string, LineContext][] = [
  // text           what comes before the place after it
  ['',              textStart],
  [' \t',           textStart],
  [' \n\n ',        textStart],
  ['a',             insideLine],
  ['a ',            insideLine],
  ['a\n',           lineStart],
  ['a\n\t ',        lineStart],
  // Signs of lists and quotes.
  ['- ',            itemStart],
  ['1. ',           itemStart],
  ['> * ',          itemStart],
  ['a - ',          insideLine],
  ['- a\n',         lineStart],
  // Inline code: text after a backtick is quoted up to the end of the line (decision 34).
  ['a `',           { ...insideLine, tickRun: 1 }],
  ['a `b',          { ...insideLine, openTicks: 1 }],
  ['a `b`',         { ...insideLine, openTicks: 1, tickRun: 1 }],
  ['a `b` ',        insideLine],
  ['a ``b` ',       { ...insideLine, openTicks: 2 }],
  ['a ``b`` ',      insideLine],
  ['a `b\n',        lineStart],
  // Brackets.
  ['a {[',          { ...insideLine, depth: 2 }],
  ['a {[]',         { ...insideLine, depth: 1 }],
  ['a }]',          insideLine],
  ['a {\n',         { ...lineStart, depth: 1 }],
  ['a {\nb\n',      { ...lineStart, depth: 1 }],
  ['a {\n \n',      lineStart],
]

// biome-ignore format: a table
const fences: [string, string][] = [
  // text                     the fence of the code block that is open after it
  ['```\n',                   '```'],
  ['```js\na',                '```'],
  ['a\n~~~\n',                '~~~'],
  ['- ```\n',                 '```'],
  ['> ````md\n',              '````'],
  ['```\na\n```\n',           ''],
  ['```\na\n  ``` \r\n',      ''],
  ['````\na\n`````\n',        ''],
  // Neither of them ends the block.
  ['````\na\n```\n',          '````'],
  ['```\n~~~\n',              '```'],
  ['```\na ```\n',            '```'],
  ['```\n```js\n',            '```'],
  // Inline code begins no block.
  ['```a```\n',               ''],
  ['a ```\n',                 ''],
  ['``\n',                    ''],
  // The line of the fence is not yet in the block.
  ['```js',                   ''],
]

it.each(fences)('the code block at the end of %j: %j', (text, fence) => {
  for (let at = 0; at <= text.length; at++) {
    const context = createLineContext()
    advance(context, text, 0, at)
    advance(context, text, at)
    expect(context.fence, `in two steps: ${text.slice(0, at)}|${text.slice(at)}`).toBe(fence)
  }
})

it('keeps a code block open after a call', () => {
  const context = createLineContext()
  advance(context, 'a\n```\n<call> `')
  expect(createContextAfter(context)).toEqual({ ...textStart, fence: '```', blockCount: 1 })
})

it.each(contexts)('%j|', (text, expected) => {
  for (let at = 0; at <= text.length; at++) {
    const context = createLineContext()
    advance(context, text.slice(0, at))
    advance(context, text, at)
    expect(context, `in two steps: ${text.slice(0, at)}|${text.slice(at)}`).toEqual(expected)
  }
})

it('moves on over a part of a text', () => {
  const context = createLineContext()
  advance(context, '{- [', 1, 3)
  expect(context).toEqual(itemStart)
})
