import { describe, expect, it } from 'vitest'
import { matchHeader, type StrippedGrammar } from '../../src/engine/json/stripped-calls.js'

const words: StrippedGrammar = {
  starts: ['to=functions.'],
  fillers: ['commentary', 'json'],
  ends: [],
}
const ids: StrippedGrammar = { starts: [''], hasIndex: true, fillers: ['<|args|>'], ends: [] }

// biome-ignore format: tables
describe('the header of a call without its special tokens', () => {
  it.each([
    // text                        header
    ['find {"city": 1}',           { name: 'find', length: 5 }],
    ['find{}',                     { name: 'find', length: 4 }],
    ['find json{city: 1}',         { name: 'find', length: 9 }],
    ['find commentary json\n{"a"', { name: 'find', length: 21 }],
    ['find(city="x")',             'none'],
    // Prose
    ['find, and so on',            'none'],
    ['find is a tool {"city"',     'none'],
    ['find {…}',                   'none'],
    ['find:0{"city": 1}',          'none'],
    // The text ends too early.
    ['fi',                         'wait'],
    ['find ',                      'wait'],
    ['find comm',                  'wait'],
    ['find {ci',                   'wait'],
  ] as const)('to=functions.|%s', (text, header) => {
    expect(matchHeader(text, '', words)).toEqual(header)
  })

  it.each([
    [':0{"city": 1}', { name: 'find', length: 2 }],
    ['er:a1{"city": 1}', { name: 'finder', length: 5 }],
    ['<|args|>{"city": 1}', { name: 'find', length: 8 }],
    // A word, and then an object
    ['{"city": 1}',   'none'],
    ['er {"city": 1}', 'none'],
    [': {"city": 1}', 'none'],
    [', {"city": 1}', 'none'],
    ['',              'wait'],
  ] as const)('find|%s', (text, header) => {
    expect(matchHeader(text, 'find', ids)).toEqual(header)
  })
})
