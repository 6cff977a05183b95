import { describe, expect, it } from 'vitest'
import {
  createRawValue,
  dropPartialMark,
  endsValue,
  isEndInDoubt,
  type RawValue,
} from '../../src/engine/tags/raw-text.js'
import { matchMarks } from '../../src/engine/text/read-marks.js'
import { JsonType } from '../../src/engine/values/shape.js'

/**
 * A value `<path>…</path>` after which `<content>` or `</write>` can follow, and `<write>` after
 * that.
 */
const createPath = (types: number = JsonType.string, isCdata = false) =>
  createRawValue(
    {
      types,
      marks: {
        close: '</path>',
        opens: ['<path>'],
        call: { ends: ['</write>'], opens: ['<write>'] },
      },
      tag: '<path>',
      isEnd: (mark, after) =>
        matchMarks(after, mark === '</path>' ? ['<content>', '</write>'] : ['<write>']),
      isCall: after => matchMarks(after, ['<path>']),
    },
    isCdata,
    false,
  )

const anyMark = /<\/?(?:path|write)>/

/** Asks for each mark of a text in turn whether it ends the value, as far as the answer is no. */
function readMarks(value: RawValue, text: string): string[] {
  const verdicts: string[] = []
  let rest = text
  for (let found = anyMark.exec(rest); found; found = anyMark.exec(rest)) {
    rest = rest.slice(found.index + found[0].length)
    const verdict = endsValue(value, found[0], rest)
    verdicts.push(verdict)
    if (verdict !== 'no') break
  }
  return verdicts
}

describe('endsValue', () => {
  it.each([
    // text after `<path>`                                      verdict for each mark
    ['a</path>\n<content>', 'yes'],
    ['a</path>\n', 'likely'],
    ['a</path><con', 'likely'],
    ['a</path>b</path><content>', 'no yes'],
    ['a</path></path><content>', 'yes'],
    ['a</path></pa', 'wait'],
    ['a</write><write>', 'yes'],
    ['a</write>\n', 'likely-last'],
    ['a</write>b', 'no'],
    ['a</path></path>b', 'no no'],
    // What the text has opened, the first close tag closes.
    ['a<path>b</path></path><content>', 'no no yes'],
    // A quoted call.
    ['a<write><path>b</path></write></path><content>', 'no no no no yes'],
    ['a<write><path>b</path></write>', 'no no no no'],
    ['a<write><pa', 'wait'],
    ['a<write> to write</path><content>', 'no yes'],
  ])('<path>%s: %s', (text, verdicts) => {
    expect(readMarks(createPath(), text).join(' ')).toBe(verdicts)
  })

  it.each([
    ['a number', createPath(JsonType.number), '3<write>'],
    ['CDATA', createPath(JsonType.string, true), '</path> and so on'],
  ])('%s ends at the first mark', (_name, value, text) => {
    expect(readMarks(value, text)).toEqual(['yes'])
  })
})

describe('isEndInDoubt', () => {
  it.each([
    // read before the end   mark that ended it   starts with its own tag   in doubt
    ['a', '</path>', false, false],
    ['a', '</path>', true, true],
    ['a</path>b', '</path>', true, false],
    ['a</path>b', '</write>', false, true],
    ['a<path>b</path>c', '</write>', false, false],
    ['a', '</write>', false, false],
    ['a</path>b', '', false, false],
  ])('<path>%s|%s, starts with <path>: %s, in doubt: %s', (text, mark, startsWithOwnTag, want) => {
    const value = { ...createPath(), startsWithOwnTag }
    readMarks(value, text)
    expect(isEndInDoubt(value, mark)).toBe(want)
  })
})

describe('dropPartialMark', () => {
  it.each([
    ['a</pa', 'a'],
    ['a<', 'a'],
    ['a</p>', 'a</p>'],
    ['a', 'a'],
  ])('%s: %s', (text, want) => {
    expect(dropPartialMark(text, '</path>')).toBe(want)
  })
})
