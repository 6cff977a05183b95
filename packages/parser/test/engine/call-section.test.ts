import { describe, expect, it } from 'vitest'
import { createArgumentWriter } from '../../src/engine/argument-writer.js'
import { type CallSection, createCallSection } from '../../src/engine/call-section.js'
import { CUT, malformed, type Problem } from '../../src/engine/events.js'
import type { CallOutput } from '../../src/engine/grammar.js'
import type { Reading } from '../../src/engine/text/cursor.js'
import { anyObjectShape } from '../../src/engine/values/shape.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { runReader } from '../support/run-reader.js'

const MAX_HELD_CHARS = 8
const marks = { endMarks: ['</call>'], openMarks: ['<call>'] }
const bad = malformed('expected a value')

/** Reads a text with a section; also returns the raw text and the problems that were put out. */
function readWith<Result>(read: (section: CallSection) => Reading<Result>, text: string) {
  const raw: string[] = []
  const problems: (Problem | undefined)[] = []
  const begun: string[] = []
  const output: CallOutput = {
    maxHeldChars: MAX_HELD_CHARS,
    tools: createToolShapes([]),
    beginCall(name) {
      begun.push(name)
      return createArgumentWriter(anyObjectShape, MAX_HELD_CHARS)
    },
    appendRaw: piece => raw.push(piece),
    endCall: problem => problems.push(problem),
    emitMarkup() {},
    emitText() {},
    report() {},
    reportText() {},
    mayReadAgain: () => false,
    isTextStart: false,
    isAfterCall: false,
    isLineStart: true,
    textBefore: () => '',
    rewind() {},
  }
  const run = runReader(cursor => read(createCallSection(cursor, output, marks)), [text])
  return { ...run, raw: raw.join(''), problems, begun }
}

// biome-ignore format: a table
describe('the end of a call', () => {
  it.each<[string, Problem | undefined, boolean, string, string]>([
    // text                  problem      end mark read   raw text   not read
    ['</call> more',         undefined,   false,          '',        '</call> more'],
    // A call that cannot be read ends with its end mark (decision 58), or before the next call.
    ['x y</call> more',      bad,         true,           'x y',     ' more'],
    ['x y<call>more',        bad,         false,          'x y',     '<call>more'],
    ['x y',                  bad,         false,          'x y',     ''],
  ])('|%s with the problem %o', (text, problem, isEnd, raw, unread) => {
    const read = readWith(section => section.endCall(problem), text)
    expect(read).toMatchObject({ raw, unread, problems: [problem] })
    expect(read.result ?? false).toBe(isEnd)
  })

  // biome-ignore format: a table
  it.each<[boolean, Problem, string]>([
    // no more text comes   problem                                               not read
    // To a call that was cut all of the text belongs.
    [true,                  CUT,                                                  ''],
    // A look that was too short for the text is not the end of the text.
    [false,                 malformed('a tag, a name or space that is too long'), ' more'],
  ])('|x </call> more, cut, at the end of the text: %s', (isFinal, problem, unread) => {
    function* read(section: CallSection): Reading<boolean> {
      if (isFinal) yield
      return yield* section.endCall(CUT)
    }
    expect(readWith(read, 'x </call> more')).toMatchObject({ problems: [problem], unread })
  })
})

// biome-ignore format: a table
describe('the beginning of a mark at the end of the text', () => {
  it.each([
    // rest          taken, or nothing is left   not read
    ['',             true,                       ''],
    ['</',           true,                       ''],
    ['</call>',      true,                       ''],
    // A single character proves nothing.
    ['<',            false,                      '<'],
    ['</b',          false,                      '</b'],
    ['</call> ',     false,                      '</call> '],
  ])('|%j: %s', (rest, isTaken, unread) => {
    function* read(section: CallSection): Reading<boolean> {
      // Waits for the end of the text.
      yield
      return section.takePartialMark(marks.endMarks)
    }
    expect(readWith(read, rest)).toMatchObject({ result: isTaken, unread })
  })

  it('is not taken as long as more text may come', () => {
    // biome-ignore lint/correctness/useYield: it must not wait for the end
    function* read(section: CallSection): Reading<boolean> {
      return section.takePartialMark(marks.endMarks)
    }
    expect(readWith(read, '</ca')).toMatchObject({ result: false, unread: '</ca' })
  })
})

describe('what follows the last call', () => {
  it('is not markup, and without any call the mark was prose', () => {
    // biome-ignore lint/correctness/useYield: there is nothing to wait for
    function* read(section: CallSection): Reading<number | 'prose'> {
      return section.finish() ?? 'prose'
    }
    expect(readWith(read, 'more').result).toBe('prose')
  })

  it.each([
    // text            mark        characters that are not markup
    ['  more', '', 2],
    ['\n</call> more', '</call>', 8],
    ['more', '', 0],
  ])('|%j: the mark %j, %i characters', (text, mark, chars) => {
    function* read(section: CallSection): Reading<unknown> {
      section.beginCall('f')
      section.closeCall()
      const found = yield* section.nextMark(marks.endMarks)
      return { found, chars: section.finish() }
    }
    expect(readWith(read, text).result).toEqual({ found: mark, chars })
  })

  it('is markup if it is confirmed', () => {
    function* read(section: CallSection): Reading<unknown> {
      section.closeCall()
      yield* section.nextMark(marks.endMarks)
      section.confirm()
      return section.finish()
    }
    expect(readWith(read, ' </call> more')).toMatchObject({ result: 0, unread: ' more' })
  })
})

it('looks for a mark no further than text may be held, unless a call is open', () => {
  const text = `${' '.repeat(MAX_HELD_CHARS + 1)}</call>`
  const before = readWith(section => section.nextMark(marks.endMarks), text)
  expect(before).toMatchObject({ result: '', unread: ' </call>' })
  const inside = readWith(section => {
    section.beginCall('f')
    return section.nextMark(marks.endMarks)
  }, text)
  expect(inside).toMatchObject({ result: '</call>', unread: '' })
})

it('begins one call at a time', () => {
  // biome-ignore lint/correctness/useYield: there is nothing to wait for
  function* read(section: CallSection): Reading<unknown> {
    const isSame = section.beginCall('f') === section.beginCall('g')
    section.closeCall()
    return { isSame, writer: section.writer(), hasCalled: section.hasCalled() }
  }
  expect(readWith(read, 'x')).toMatchObject({
    result: { isSame: true, writer: undefined, hasCalled: true },
    begun: ['f'],
  })
})
