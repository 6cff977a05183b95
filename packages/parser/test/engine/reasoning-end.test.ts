import { describe, expect, it } from 'vitest'
import { readToReasoningEnd } from '../../src/engine/reasoning-end.js'
import { advance, createLineContext } from '../../src/engine/text/line-context.js'
import { chunksOf } from '../support/chunks.js'
import { searchReasoning } from '../support/reasoning-search.js'

/** The text after the open tag, with `|` where a close tag was found; without one if none was. */
function findEnd(text: string, chunks: readonly string[], mayReadAgain = true): string {
  const [before = ''] = text.split('<think>', 1)
  const context = createLineContext()
  advance(context, `${before}<think>`)
  const { result, offset } = searchReasoning(
    search => readToReasoningEnd(search, context),
    chunks,
    { mayReadAgain },
  )
  const after = text.slice(before.length + '<think>'.length)
  return result === false ? after : `${after.slice(0, offset)}|${after.slice(offset)}`
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
