import { describe, expect, it } from 'vitest'
import { createCursor } from '../../src/engine/text/cursor.js'
import {
  MAX_LOOKAHEAD_CHARS,
  matchMarks,
  readUntil,
  tryPeek,
} from '../../src/engine/text/read-marks.js'
import { startReader } from '../../src/engine/text/run.js'
import type { EndVerdict } from '../../src/engine/text/verdict.js'

describe('a look at the text ahead', () => {
  const look = (ahead: string) => matchMarks(ahead, ['<call>'])
  it.each([
    // text          is final   answer
    ['<call>', false, 'yes'],
    ['<b>', false, 'no'],
    ['<ca', false, 'wait'],
    ['<call>', true, 'yes'],
    ['<ca', true, undefined],
  ] as const)('|%s, final: %s', (text, isFinal, expected) => {
    expect(tryPeek({ ...createCursor(), text, isFinal }, look)).toBe(expected)
  })

  it('does not wait at the limit', () => {
    expect(tryPeek({ ...createCursor(), text: 'abc' }, () => 'wait', 0, 3)).toBeUndefined()
  })
})

/** Where a text ends that has one mark, for which the look says that. */
type End = 'mark' | 'text' | 'open'
function endOf(verdict: EndVerdict, after: string, end: 'cut' | 'final' | 'open'): End {
  const reader = startReader(cursor =>
    readUntil(
      cursor,
      ['</a>'],
      () => {},
      () => verdict,
    ),
  )
  reader.feed(`b</a>${after}`)
  if (end !== 'open') reader.end(end === 'cut')
  if (!reader.isDone()) return reader.unread().startsWith('</a>') ? 'open' : 'text'
  return reader.result() === '</a>' ? 'mark' : 'text'
}

describe('a mark inside a text', () => {
  it.each([
    //               more text comes, final, truncated, beyond the limit
    ['yes', 'mark', 'mark', 'mark', 'mark'],
    ['no', 'text', 'text', 'text', 'text'],
    ['wait', 'open', 'text', 'text', 'text'],
    ['likely', 'open', 'mark', 'mark', 'mark'],
    ['likely-last', 'open', 'mark', 'text', 'text'],
  ] as const)('%s', (verdict, whileOpen, atEnd, whenCut, beyondLimit) => {
    expect(endOf(verdict, ' ', 'open')).toBe(whileOpen)
    expect(endOf(verdict, ' ', 'final')).toBe(atEnd)
    expect(endOf(verdict, ' ', 'cut')).toBe(whenCut)
    expect(endOf(verdict, ' '.repeat(MAX_LOOKAHEAD_CHARS), 'open')).toBe(beyondLimit)
  })
})
