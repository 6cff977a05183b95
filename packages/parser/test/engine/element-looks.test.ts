import { describe, expect, it } from 'vitest'
import {
  contentOf,
  endsText,
  matchClosedElement,
  matchListItem,
  matchUntagged,
} from '../../src/engine/tags/element-looks.js'
import { matchOpenTag } from '../../src/engine/tags/open-tag.js'
import { ANY_TYPE, anyShape, JsonType, type Shape } from '../../src/engine/values/shape.js'

function openTag(text: string) {
  const tag = matchOpenTag('<', text)
  if (tag === 'wait') throw new Error(`${text} is not a whole tag`)
  return tag
}

/** The shape of a value of some types, with the property `name`. */
const shapeWith = (types: number): Shape => ({ ...anyShape, types, propertyNames: ['name'] })

const { string, object, array } = JsonType

describe('endsText', () => {
  const follow = {
    bracket: '<',
    close: '</path>',
    callClose: '</write>',
    afterClose: ['</file>', '</write>', '<!--'],
    afterCall: ['<write', '<search'],
    siblings: ['path', 'content'],
  }

  it.each([
    // mark     text after it         had open, close   verdict
    ['</path>', '', '', 'wait'],
    ['</path>', '</file>', '', 'yes'],
    ['</path>', '<!-- a -->', '', 'yes'],
    ['</path>', '<content>', '', 'yes'],
    ['</path>', '<other>', '', 'yes'],
    ['</path>', '<con', '', 'wait'],
    ['</path>', 'is a tag', '', 'no'],
    ['</path>', '<content>', 'open', 'yes'],
    ['</path>', '<other>', 'open', 'no'],
    // The end of a call that is quoted in the text.
    ['</path>', '</write></path>', 'open', 'no'],
    ['</path>', '</write>', 'open', 'wait'],
    ['</path>', '</write> done', 'open', 'yes'],
    ['</path>', '</write></path>', '', 'yes'],
    // The close tag is missing.
    ['</write>', '<search>', '', 'yes'],
    ['</write>', 'and so on', '', 'no'],
    ['</write>', 'and so on', 'close', 'yes'],
    ['<path>', '</write>', '', 'no'],
  ])('<path>a|%s%s with %j: %s', (mark, after, had, verdict) => {
    const contained = { hadOpen: had === 'open', hadClose: had === 'close' }
    expect(endsText(follow, mark, after, contained)).toBe(verdict)
  })
})

describe('contentOf', () => {
  it.each([
    // tag                types              child    content
    ['<user>', object, 'name', 'object'],
    ['<user>', object, '', 'text'],
    ['<user/>', object, '', 'empty'],
    ['<user name="Ann"/>', object, '', 'object'],
    ['<user other="Ann"/>', object, '', 'empty'],
    ['<user>', string | object, 'name', 'object'],
    ['<user>', string | object, 'b', 'text'],
    ['<user>', ANY_TYPE, 'b', 'object'],
    ['<tags>', array, 'item', 'list'],
    ['<tags>', array, 'tag', 'list'],
    ['<tags>', string | array, 'item', 'list'],
    ['<tags>', string | array, 'b', 'text'],
    ['<tags>', object | array, 'item', 'list'],
    ['<tags>', object | array, 'tag', 'object'],
  ])('%s of types %i before <%s>: %s', (tag, types, child, content) => {
    expect(contentOf(openTag(tag), shapeWith(types), child)).toBe(content)
  })
})

describe('matchListItem', () => {
  const item = { ...anyShape, propertyNames: ['id'] }

  it.each([
    // text                       types            verdict
    ['<user>', array, 'wait'],
    ['<user><id>', array, 'yes'],
    ['<user><name>', array, 'no'],
    ['<user><other>', array, 'no'],
    ['<user>Ann', array, 'yes'],
    ['<user>["Ann"]', array, 'no'],
    ['<user></user>', array, 'yes'],
    ['<user>Ann', string | array, 'wait'],
    ['<user>Ann</user> <user>', string | array, 'yes'],
    ['<user>Ann</user> <name>', string | array, 'no'],
  ])('%s of types %i: %s', (text, types, verdict) => {
    const shape = { ...shapeWith(types), item: () => item }
    expect(matchListItem('<', openTag('<user>'), shape, text)).toBe(verdict)
  })
})

describe('matchClosedElement', () => {
  it.each([
    // text                                       verdict
    ['<place>Oslo</place></find>', 'yes'],
    ['<place>Oslo</place>\n<zip>', 'yes'],
    ['<place>Oslo</place> </find >', 'yes'],
    ['<place>Oslo</place> is', 'no'],
    ['<place>Oslo</place>', 'wait'],
    ['<place>Oslo</find>', 'wait'],
  ])('%s: %s', (text, verdict) => {
    expect(matchClosedElement('<', openTag('<place>'), ['</find>', '</find >'], text)).toBe(verdict)
  })

  it('looks at what follows a tag that is closed itself', () => {
    const look = (text: string) => matchClosedElement('<', openTag('<place/>'), ['</find>'], text)
    expect(['<place/></find>', '<place/> <zip/>', '<place/> is'].map(look)).toEqual([
      'yes',
      'yes',
      'no',
    ])
  })
})

describe('matchUntagged', () => {
  const bracket = ']<]minimax[>[<'

  it.each([
    // text                                    name     text
    [`a.docx${bracket}/path>`, 'path', 'a.docx'],
    [`]<]minimax[>[a.docx${bracket}/path>`, 'path', 'a.docx'],
    [`a.docx${bracket}/other>`, '', 'a.docx'],
  ])('%s: %j, %s', (content, name, text) => {
    const length = content.length
    expect(matchUntagged(bracket, ['path'], content)).toEqual({ name, text, length })
  })

  it('waits for the close tag', () => {
    expect(matchUntagged(bracket, ['path'], `a.docx${bracket}/pa`)).toBe('wait')
  })
})
