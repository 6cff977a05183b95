import { describe, expect, it } from 'vitest'
import { matchEnvelopeHead } from '../../src/engine/yaml/yaml-envelope.js'

// biome-ignore format: a table
describe('the lines before the arguments of a call in YAML', () => {
  it.each([
    // text                                    head
    ['\nname: find\narguments:\n  city: x',    { name: 'find', length: 23 }],
    ['name: "find"\nparameters:\n',            { name: 'find', length: 25 }],
    ['name: find\narguments: {"city": "x"}',   { name: 'find', length: 22 }],
    ['name: find\ncity: x\nmore',              'none'],
    ['name: find\n',                           'wait'],
    ['name: fi',                               'wait'],
  ] as const)('|%j', (text, head) => {
    expect(matchEnvelopeHead(text)).toEqual(head)
  })
})
