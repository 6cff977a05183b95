import { describe, expect, it } from 'vitest'
import { createLongestFinder, createMarkFinder } from '../../src/engine/text/find-mark.js'
import { createLineContext } from '../../src/engine/text/line-context.js'
import type { MarkRule } from '../../src/engine/text/mark-rule.js'

/** The text with `|` where the search stopped, and the mark that it found there. */
function find(text: string, marks: readonly MarkRule[], isLast: boolean) {
  const { at, mark } = createMarkFinder(marks)(text, 0, isLast, createLineContext())
  return { stop: `${text.slice(0, at)}|${text.slice(at)}`, mark: mark?.text }
}

const inputOf = (stop: string) => stop.replace('|', '')

// biome-ignore format: a table
describe('the first of some marks', () => {
  it.each([
    // text with the place      marks             last    mark
    ['ab |<call> c',            ['<call>'],       true,   '<call>'],
    ['a < |<call>',             ['<call>'],       true,   '<call>'],
    ['|<call><call>',           ['<call>'],       true,   '<call>'],
    ['ab <b> c|',               ['<call>'],       true,   undefined],
    ['ab |</call> <call>',      ['<call>', '</call>'], true, '</call>'],
    // The text ends inside a mark: more text may complete it.
    ['ab |<ca',                 ['<call>'],       false,  undefined],
    ['ab <ca|',                 ['<call>'],       true,   undefined],
    ['ab <b|',                  ['<call>'],       false,  undefined],
    // Several marks in one place: the first in their order.
    ['|<call_all>',             ['<call', '<call_all>'], true, '<call'],
    ['|<call_all>',             ['<call_all>', '<call'], true, '<call_all>'],
    ['|<call',                  ['<call_all>', '<call'], false, undefined],
    ['|<call',                  ['<call_all>', '<call'], true, '<call'],
  ] as const)('%s of %j, last text %s: %s', (stop, texts, isLast, mark) => {
    const marks = texts.map(text => ({ text }))
    expect(find(inputOf(stop), marks, isLast)).toEqual({ stop, mark })
  })

  it('is found in another case by its second character too', () => {
    const marks = [{ text: '</call>', isAnyCase: true as const }, { text: '<Call>', isAnyCase: true as const }]
    expect(find('a <b> <CALL> c', marks, true)).toEqual({ stop: 'a <b> |<CALL> c', mark: '<Call>' })
    expect(find('a <b> </CAll> c', marks, true)).toEqual({
      stop: 'a <b> |</CAll> c',
      mark: '</call>',
    })
  })

  it('is found after signs with more second characters than are remembered', () => {
    const marks = [{ text: '<call>' }]
    const finder = createMarkFinder(marks)
    const signs = Array.from({ length: 600 }, (_, i) => `<${String.fromCharCode(0x4e00 + i)}`)
    const text = `${signs.join('')}<call>`
    for (const _ of [1, 2])
      expect(finder(text, 0, true).at).toBe(text.length - '<call>'.length)
  })

  it('is found if it is one character long', () => {
    expect(find('a [b', [{ text: '[' }], true)).toEqual({ stop: 'a |[b', mark: '[' })
    expect(find('a [', [{ text: '[' }], false)).toEqual({ stop: 'a |[', mark: '[' })
  })

  it('is looked for from a position on', () => {
    expect(createMarkFinder([{ text: '<call>' }])('<call> <call>', 1, true).at).toBe(7)
  })
})

// biome-ignore format: a table
describe('where a mark counts', () => {
  it.each<[keyof MarkRule, string]>([
    // rule               text with the place; at its end if the mark does not count
    ['onlyAtLineStart',   '  |<call>'],
    ['onlyAtLineStart',   'a\n\t|<call>'],
    ['onlyAtLineStart',   '- <call>|'],
    ['onlyAtLineStart',   'a <call>|'],
    ['onlyAtLineStart',   'a <call>\n|<call>'],
    ['onlyAtListItem',    '- |<call>'],
    ['onlyAtListItem',    '> 1. |<call>'],
    ['onlyAtListItem',    'a - <call>|'],
    ['onlyAtTextStart',   ' \n|<call>'],
    ['onlyAtTextStart',   'a\n<call>|'],
    ['onlyAfterText',     ' \n<call>|'],
    ['onlyAfterText',     'a |<call>'],
    ['onlyAfterText',     '<call> |<call>'],
    ['notInInlineCode',   '`<call>`|'],
    ['notInInlineCode',   '`a <call>|'],
    ['notInInlineCode',   '`a` |<call>'],
    ['notInInlineCode',   '`a`|<call>'],
    ['notInInlineCode',   '`a\n|<call>'],
    ['notInInlineCode',   '``a ` <call>``|'],
    ['notInCodeBlock',    '```\n<call>|'],
    ['notInCodeBlock',    '```js\na\n```\n|<call>'],
    ['notInBrackets',     '{"a": <call>|'],
    ['notInBrackets',     '{"a": [1]} |<call>'],
    ['notInBrackets',     '{"a": 1\n<call>|'],
    ['notInBrackets',     '{"a": 1\n\n|<call>'],
    ['notInBrackets',     '} |<call>'],
  ])('%s: %j', (rule, stop) => {
    const marks = [{ text: '<call>', [rule]: true }]
    const mark = stop.endsWith('|') ? undefined : '<call>'
    expect(find(inputOf(stop), marks, true)).toEqual({ stop, mark })
  })

  it('goes to the next mark in the same place if the first does not count', () => {
    const marks = [{ text: '<c', onlyAtTextStart: true }, { text: '<call>' }]
    expect(find('a <call>', marks, true)).toEqual({ stop: 'a |<call>', mark: '<call>' })
  })
})

describe('the longest of some marks', () => {
  it.each([
    // text             last    mark
    ['a <get_all>', true, '<get_all'],
    ['a <get> b', true, '<get'],
    // More text may make it the longer one.
    ['a <get', false, undefined],
    ['a <get', true, '<get'],
  ] as const)('%s, last text %s: %s', (text, isLast, mark) => {
    const findLongest = createLongestFinder(() => [{ text: '<get' }, { text: '<get_all' }])
    expect(findLongest(text, 0, isLast).mark?.text).toBe(mark)
  })
})
