import { describe, expect, it } from 'vitest'
import {
  lineMarks,
  type PairContext,
  splitKey,
  whatFollows,
  whatFollowsAtTextEnd,
} from '../../src/engine/pairs/after-value.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'

const shape = shapeOfSchema({
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    'a.b': { type: 'string' },
    profile: { type: 'object', properties: { name: { type: 'string' } } },
  },
})
const inTags: PairContext = {
  marks: { open: '<call>', close: '</call>', isLine: false },
  shape,
  seenKeys: new Set(['city']),
  parenthesis: '',
}
const contexts = {
  tags: inTags,
  line: { ...inTags, marks: lineMarks },
  'tags (': { ...inTags, parenthesis: '(' },
  'line (': { ...inTags, marks: lineMarks, parenthesis: '(' },
  'tags, a = b': { ...inTags, hasSpaces: true },
  'tags, a: b': { ...inTags, hasColons: true },
  'line, first key': { ...inTags, marks: lineMarks, seenKeys: new Set<string>() },
} satisfies Record<string, PairContext>
type ContextName = keyof typeof contexts

/** The type, the characters it takes, and the path if it is a pair: `pair 6 days`. */
function summary(found: ReturnType<typeof whatFollows>): string {
  if (found === 'wait') return 'wait'
  return [found.type, found.chars, found.path.join('/')].join(' ').trim()
}

describe('text after a value that may continue: city=New York|', () => {
  // biome-ignore format: a table
  it.each<[string, ContextName, string]>([
    // after the value       read in         what it is
    [' days=3',              'tags',         'pair 6 days'],
    [', days=3',             'tags',         'pair 7 days'],
    ['\u00a0days=3',         'tags',         'pair 6 days'],
    ['\ndays=3',             'line',         'pair 6 days'],
    [' profile.name=Ann',    'tags',         'pair 14 profile/name'],
    // no separator, so it is inside a word
    ['days=3',               'tags',         'text 1'],
    // already given, not declared, in quotes, with whitespace, with a colon
    [' city=x',              'tags',         'text 1'],
    [' zone=CET',            'tags',         'text 1'],
    [' "days"=3',            'tags',         'text 1'],
    [' days = 3',            'tags',         'text 1'],
    [' days = 3',            'tags, a = b',  'pair 7 days'],
    [' days: 3',             'tags',         'text 1'],
    [' days: 3',             'tags, a: b',   'pair 6 days'],
    ['  York, NY',           'tags',         'text 2'],
    // not enough text
    ['',                     'tags',         'wait'],
    [' ',                    'tags',         'wait'],
    [' day',                 'tags',         'wait'],
    [' </cal',               'tags',         'wait'],
    ['\n',                   'line',         'wait'],
    // the end of the call
    ['</call> Text',         'tags',         'end 7'],
    [' </call>',             'tags',         'end 8'],
    ['\n<call>f',            'tags',         'end 0'],
    ['\nText goes on',        'line',         'end 0'],
    [' \n\ndays=3',          'line',         'end 1'],
    [') York',               'tags (',       'text 1'],
    [')</call>',             'tags (',       'end 8'],
    [')<call>',              'tags (',       'end 1'],
    [')\nText',              'line (',       'end 1'],
  ])('%j in %s: %s', (text, context, expected) => {
    expect(summary(whatFollows(contexts[context], false, text))).toBe(expected)
  })
})

describe('text after a value that is complete: city="Paris"|', () => {
  // biome-ignore format: a table
  it.each<[string, ContextName, string]>([
    // after the value       read in            what it is
    ['days=3',               'tags',            'pair 5 days'],
    [' days = 3',            'tags',            'pair 7 days'],
    [' days: 3',             'tags',            'pair 6 days'],
    [' "days"=3',            'tags',            'pair 8 days'],
    [' zone=CET',            'tags',            'pair 6 zone'],
    [' city=x',              'tags',            'pair 6 city'],
    // a key that the tool does not have, as it may also be written inside of text
    [' zone: CET',           'tags',            'text 1'],
    [' "zone"=CET',          'tags',            'text 1'],
    [' "da',                 'tags',            'wait'],
    // in the next line a key needs more proof, except after the name of the tool
    ['\nzone=CET',           'line',            'end 0'],
    ['\ndays: 3',            'line',            'end 0'],
    ['\ndays: 3',            'line, first key', 'pair 6 days'],
    // no text can follow
    [') Text',               'tags (',          'end 1'],
    [' is',                  'tags',            'wait'],
    [' is it',               'tags',            'text 1'],
  ])('%j in %s: %s', (text, context, expected) => {
    expect(summary(whatFollows(contexts[context], true, text))).toBe(expected)
  })
})

describe('text after a value, if no more text comes', () => {
  // biome-ignore format: a table
  it.each<[string, ContextName, string]>([
    // after the value       read in     what it is
    ['',                     'tags',     'end 0'],
    [' ',                    'tags',     'end 1'],
    [' \n',                  'line',     'end 1'],
    [') ',                   'tags (',   'end 1'],
    [' </cal',               'tags',     'end 6'],
    [' <',                   'tags',     'text 1'],
    [' day',                 'tags',     'text 1'],
    ['\nday',                'line',     'end 0'],
  ])('%j in %s: %s', (text, context, expected) => {
    expect(summary(whatFollowsAtTextEnd(contexts[context], false, text))).toBe(expected)
  })
})

// biome-ignore format: a table
it.each([
  // after the value   style of the key
  [' days=3',          { hasColon: false, hasSpace: false }],
  [' days: 3',         { hasColon: true, hasSpace: false }],
  [' days = 3',        { hasColon: false, hasSpace: true }],
  [' "days" = 3',      { hasColon: false, hasSpace: false }],
])('the look returns the style of the key: %j', (text, style) => {
  expect(whatFollows(inTags, true, text)).toMatchObject(style)
})

// biome-ignore format: a table
it.each([
  // key             path
  ['city',           ['city']],
  ['profile.name',   ['profile', 'name']],
  ['profile.a.b',    ['profile', 'a.b']],
  ['a.b',            ['a.b']],
  ['zone.x',         ['zone.x']],
  ['city.x',         ['city.x']],
  ['.x',             ['.x']],
])('the path of %s', (key, path) => {
  expect(splitKey(shape, key)).toEqual(path)
})
