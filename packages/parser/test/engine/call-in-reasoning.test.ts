import { describe, expect, it } from 'vitest'
import { type HeldMark, readHeldMark } from '../../src/engine/call-in-reasoning.js'
import { advance, createLineContext } from '../../src/engine/text/line-context.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { callMarks, searchReasoning } from '../support/reasoning-search.js'

/** Reads the text after `<call>`, and returns what the mark means and where the reader stopped. */
function read(text: string, chunks: readonly string[], isUnclosed: boolean, isCut: boolean) {
  const mark = callMarks.find(each => each.text === '<call>')
  if (!mark) throw new Error('no mark')
  const context = createLineContext()
  advance(context, text.slice(0, text.indexOf('<call>')))
  const place = { isUnclosed, context, reasoningEnds: ['</think>'] }
  const { result, offset } = searchReasoning(search => readHeldMark(mark, place, search), chunks, {
    isCut,
  })
  return { ...result, unread: text.split('<call>')[1]?.slice(offset - (result?.unreadChars ?? 0)) }
}

const json = '{"name": "f", "arguments": {"a": "</think>"}}'

// biome-ignore format: a table
describe('the mark of a call in reasoning', () => {
  it.each<[string, HeldMark['meaning'], string]>([
    // text                                      meaning      not read
    ['<think>maybe <call>{} no</think>So.',      'reasoning', '</think>So.'],
    ['<think>maybe <call>{}',                    'call',      ''],
    // The reasoning began at the start of a line: the first close mark ends it.
    [`<think>maybe <call>${json}`,               'reasoning', '</think>"}}'],
    // After a mention there may be no reasoning at all.
    ['Use <think>. A <call> opens a call.',      'no-call',   ' opens a call.'],
    [`Use <think>. <call>${json}`,               'call',      ''],
    [`Use <think>. <call>${json} a</think>`,     'reasoning', '</think>'],
  ])('%s: %s', (text, meaning, unread) => {
    const after = text.slice(text.indexOf('<call>') + '<call>'.length)
    const isUnclosed = text.startsWith('Use')
    for (const chunks of allSplits(after)) {
      const found = read(text, chunks, isUnclosed, false)
      expect(found, describeChunks(chunks)).toMatchObject({ meaning, unread })
    }
  })

  it.each([
    ['<think>maybe <call>{}', false],
    ['Use <think>. <call>{"name": "f", "arguments": {}}', true],
  ])('is reasoning in a text that was cut: %s', (text, isUnclosed) => {
    const after = text.slice(text.indexOf('<call>') + '<call>'.length)
    expect(read(text, [after], isUnclosed, true)).toMatchObject({ meaning: 'reasoning' })
  })
})
