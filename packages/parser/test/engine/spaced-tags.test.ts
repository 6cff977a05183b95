import { expect, it } from 'vitest'
import { isSpacedTag, withoutTagSpaces, withSpacedTags } from '../../src/engine/spaced-tags.js'

it.each([
  // mark                    ways to write it
  ['</city>', ['</city>', '</city >', '</ city>', '</ city >']],
  [
    ']<]minimax[>[</city>',
    [
      ']<]minimax[>[</city>',
      ']<]minimax[>[</city >',
      ']<]minimax[>[</ city>',
      ']<]minimax[>[</ city >',
    ],
  ],
  // It is not a close tag.
  ['<city>', ['<city>']],
  ['<tool_call|>', ['<tool_call|>']],
])('%s may be written with a space (decision 86)', (mark, written) => {
  expect(withSpacedTags(mark)).toEqual(written)
  expect(written.map(withoutTagSpaces)).toEqual(written.map(() => mark))
  expect(written.map(isSpacedTag)).toEqual(written.map(each => each !== mark))
})
