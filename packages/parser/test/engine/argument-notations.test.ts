import { describe, expect, it } from 'vitest'
import { matchAttributeTags, matchNotation } from '../../src/engine/tags/argument-notations.js'

const names = ['path', 'text']

/** The open mark of the notation that was found. */
const shown = (found: ReturnType<typeof matchNotation>) =>
  typeof found === 'string' ? found : found.open

// biome-ignore format: a table
describe('the notation of an argument', () => {
  it.each([
    // text                         notation
    ['<parameter=path>a',           '<parameter='],
    ['<parameter name="path">a',    '<parameter name="'],
    ['<param name="text">a',        '<param name="'],
    ['<arg_key>path</arg_key>',     '<arg_key>'],
    ['<parameter>path</parameter>', '<parameter>'],
    ['<path>a</path>',              'elements'],
    ['<path lang="x">a</path>',     'elements'],
    // Only declared arguments count.
    ['<parameter=other>a',          'unknown'],
    ['<b>a</b>',                    'unknown'],
    ['a text',                      'unknown'],
    // The text ends too early.
    ['',                            'wait'],
    ['<param',                      'wait'],
    ['<parameter name="pa',         'wait'],
    ['<pat',                        'wait'],
  ])('|%s', (text, notation) => {
    expect(shown(matchNotation(text, names))).toBe(notation)
  })

  it.each([
    [']<]minimax[>[<parameter name="path">a', ']<]minimax[>[<parameter name="'],
    [']<]minimax[>[<path>a',                  'none'],
    [']<]minimax[>[<para',                    'wait'],
  ])('of elements: |%s', (text, notation) => {
    const found = matchAttributeTags(text, ']<]minimax[>[<', names)
    expect(typeof found === 'string' ? found : found.open).toBe(notation)
  })
})
