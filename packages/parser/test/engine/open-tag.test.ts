import { describe, expect, it } from 'vitest'
import { attributesOf, matchOpenTag, matchTagRest, noTag } from '../../src/engine/tags/open-tag.js'

/** A tag in one line: its name, `/` if it closes itself, and its length. */
const show = (tag: ReturnType<typeof matchOpenTag>) =>
  tag === 'wait' ? 'wait' : `${tag.name}${tag.isSelfClosing ? '/' : ''} ${tag.length}`

describe('matchOpenTag', () => {
  it.each([
    // text                       tag
    ['', 'wait'],
    ['<', 'wait'],
    ['<us', 'wait'],
    ['<user na', 'wait'],
    ['<user name="An', 'wait'],
    ['<user /', 'wait'],
    ['<user>', 'user 6'],
    ['<user/>', 'user/ 7'],
    ['<user name="Ann">x', 'user 17'],
    ['<0>', '0 3'],
    ['<größe>', 'größe 7'],
    ['</user>', ' 0'],
    ['< b', ' 0'],
    ['<user name=Ann>', ' 0'],
    ['user', ' 0'],
  ])('%s: %s', (text, want) => {
    const tag = matchOpenTag('<', text)
    // Where there is no tag only the name counts.
    expect(tag !== 'wait' && tag.name === '' ? ' 0' : show(tag)).toBe(want)
  })

  it.each([
    [']<]minimax', 'wait'],
    [']<]minimax[>[<a>', 'a 16'],
    ['<a>', ' 0'],
  ])('%s in MiniMax M3: %s', (text, want) => {
    expect(show(matchOpenTag(']<]minimax[>[<', text))).toBe(want)
  })
})

describe('matchTagRest', () => {
  it.each([
    // text after the name     tag
    ['>', ' 1'],
    ['/>', '/ 2'],
    [' path="a.ts">', ' 13'],
    [' path="a', 'wait'],
  ])('<write_file|%s: %s', (text, want) => {
    expect(show(matchTagRest(text))).toBe(want)
  })

  it('returns noTag for other text', () => {
    expect(matchTagRest(' tool is >')).toBe(noTag)
  })
})

describe('attributesOf', () => {
  it('finds the attributes with the names', () => {
    const tag = { ...noTag, attributes: ' a="1" b=\'2\' c="3"' }
    const found = attributesOf(tag, ['a', 'b']).map(([, name, value]) => [name, value])
    expect(found).toEqual([
      ['a', '"1"'],
      ['b', "'2'"],
    ])
  })
})
