import { describe, expect, it } from 'vitest'
import { jsonCalls } from '../../src/engine/json/json-calls.js'
import { lineBreak, readToReasoningEnd } from '../../src/engine/reasoning-end.js'
import type { ReasoningMark } from '../../src/engine/reasoning-marks.js'
import { createSource } from '../../src/engine/source.js'
import { createMarkFinder } from '../../src/engine/text/find-mark.js'
import { advance, createLineContext } from '../../src/engine/text/line-context.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { chunksOf } from '../support/chunks.js'

const tools = createToolShapes([{ type: 'function', name: 'f', inputSchema: {} }])
const close: ReasoningMark = {
  text: '</think>',
  direction: 'out',
  isKept: false,
  isMentionable: false,
}
const calls = jsonCalls({ open: '<call>', close: '</call>' })(tools)
const find = createMarkFinder([close, ...calls, lineBreak])

/** The text after the open tag, with `|` where a close tag was found; without one if none was. */
function findEnd(text: string, chunks: readonly string[], mayReadAgain = true): string {
  const [before = ''] = text.split('<think>', 1)
  const context = createLineContext()
  advance(context, `${before}<think>`)
  const source = createSource()
  const { cursor } = source
  source.beginRaw()
  const search = {
    cursor,
    tools,
    maxHeldChars: 10_000,
    find,
    rewind: source.rewindRaw,
    mayReadAgain: () => mayReadAgain,
  }
  const reading = readToReasoningEnd(search, context)
  let step: ReturnType<typeof reading.next> | undefined
  for (const chunk of chunks) {
    source.append(chunk, true)
    if (!step?.done) step = reading.next()
  }
  cursor.isFinal = true
  if (!step?.done) step = reading.next()
  const after = text.slice(before.length + '<think>'.length)
  const offset = source.offset()
  return step.value === false ? after : `${after.slice(0, offset)}|${after.slice(offset)}`
}

const whole = '<call>{"name": "f", "arguments": {"a": "</think>"}}</call>'
const broken = '<call>{"name": "f", "arguments": {"a": '

// biome-ignore format: a table
const texts: string[] = [
  '<think>hm|</think> so',
  '<think>hm',
  '<think>hm</thin',
  // A close tag in code (decision 80).
  '<think> `</think>` hm',
  '<think> `</think>` hm|</think>',
  '<think> ``a ` </think>`` hm',
  '<think> `a |</think> so',
  '<think> `a\n|</think>`',
  '<think>\n```\n</think>\n```\n|</think>',
  // From a place in a code block on, only that block counts.
  '```\n<think>hm|</think>\n```\n',
  '```\n<think>`hm`|</think>\n```\n',
  '```\n<think>hm\n```\n</think>',
  '```\n<think>hm\n```\n```\n</think>',
  // A close tag in the arguments of a whole call.
  `<think>hm ${whole} so`,
  `<think>hm ${whole}${whole} so|</think>`,
  `<think>hm ${broken}|</think>`,
  '<think>hm <call>|</think>',
]

describe.each(texts)('the end of the reasoning: %j', stop => {
  const text = stop.replace('|', '')
  const after = text.slice(text.indexOf('<think>') + '<think>'.length)
  const expected = stop.slice(stop.indexOf('<think>') + '<think>'.length)

  it.each([1, 2, 5, 1000])('in chunks of %d', chars => {
    expect(findEnd(text, chunksOf(after, chars))).toBe(expected)
  })
})

it('reads no call if too much was read again', () => {
  const text = `<think>${whole}`
  expect(findEnd(text, [whole], false)).toBe(whole.replace('</think>', '|</think>'))
})
