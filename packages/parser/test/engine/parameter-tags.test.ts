import { describe, expect, it } from 'vitest'
import { endsParameter, findWrongClose } from '../../src/engine/tags/parameter-tags.js'

const follow = {
  open: '<parameter=',
  close: '</parameter>',
  afterClose: ['<parameter=', '</function>', '</tool_call>', '<function='],
  afterCall: ['</tool_call>', '<function='],
  newKeys: ['content>'],
}

describe('endsParameter', () => {
  it.each([
    // mark            text after it     verdict
    ['</parameter>', '', 'wait'],
    ['</parameter>', '<para', 'wait'],
    ['</parameter>', '<parameter=x>', 'yes'],
    ['</parameter>', '</function>', 'yes'],
    ['</parameter>', 'is a tag', 'no'],
    ['<parameter=', 'content>', 'yes'],
    ['<parameter=', 'con', 'wait'],
    ['<parameter=', 'path>', 'no'],
    ['</function>', '</tool_call>', 'yes'],
    ['</function>', '<function=', 'yes'],
    ['</function>', '</parameter>', 'no'],
  ])('a.ts|%s%s: %s', (mark, after, verdict) => {
    expect(endsParameter(follow, mark, after)).toBe(verdict)
  })
})

describe('findWrongClose', () => {
  it.each([
    // end of the value     wrong close tag
    ['a.ts', ''],
    ['a.ts</path>\n', '</path>'],
    ['a.ts</param>', '</param>'],
    ['a.ts</parameter', '</parameter'],
    ['a.ts<parameter>\n', '<parameter>'],
    ['a.ts</content>', ''],
    ['</param> a.ts', ''],
  ])('%j of `path`: %j', (tail, want) => {
    expect(findWrongClose(tail, 'path')).toBe(want)
  })
})
