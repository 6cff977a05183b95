import { describe, expect, it } from 'vitest'
import { findStart } from '../../src/engine/yaml/yaml-calls.js'

const tool = { closeTag: '</f>', argumentNames: ['city', 'days'] }

describe('the text after <f>', () => {
  it.each([
    // text                          more text may come  at the end  cut
    // The first line is not complete.
    ['', 'wait', 'text', 'text'],
    ['\n', 'wait', 'text', 'text'],
    ['\nci', 'wait', 'text', 'text'],
    ['\ncity: Pa', 'wait', 'yaml', 'yaml'],
    ['\nother: a', 'wait', 'text', 'yaml'],
    ['\n# comment\n', 'wait', 'text', 'text'],
    // No arguments.
    ['</f>', 'yaml', 'yaml', 'yaml'],
    ['\n\n</f>', 'yaml', 'yaml', 'yaml'],
    ['\n---\n</f>', 'yaml', 'yaml', 'yaml'],
    // JSON and elements.
    ['{', 'json', 'json', 'json'],
    ['\n```json\n  {', 'json', 'json', 'json'],
    ['<city>Paris', 'wait', 'elements', 'elements'],
    ['\n<city>Paris\n', 'elements', 'elements', 'elements'],
    ['\n<b>Paris\n', 'text', 'text', 'text'],
    // An argument of the tool.
    ['city: Paris\n', 'yaml', 'yaml', 'yaml'],
    [' city: Paris</f>', 'yaml', 'yaml', 'yaml'],
    ['# comment\ncity: Paris\n', 'yaml', 'yaml', 'yaml'],
    ['\n# comment\n  "city": Paris\n', 'yaml', 'yaml', 'yaml'],
    ['\ncity:Paris\n', 'yaml', 'yaml', 'yaml'],
    // Text.
    [' is a tool.\n', 'text', 'text', 'text'],
    ['```\ncity: Paris\n', 'text', 'text', 'text'],
    ['# comment\nis a tool\n', 'text', 'text', 'text'],
    ['\nMy plan: go\n', 'text', 'text', 'text'],
    // A key that the tool does not have.
    ['other: a</f>', 'text', 'text', 'text'],
    ['\nother: a</f>', 'yaml', 'yaml', 'yaml'],
    ['\nother: a\n', 'wait', 'text', 'yaml'],
    ['\nother: a\n</', 'wait', 'yaml', 'yaml'],
    ['\nother: a\nThat', 'wait', 'text', 'yaml'],
    ['\nother: a\nThat is it.\n', 'text', 'text', 'text'],
    ['\nother: a\nThat is it.</f>', 'text', 'text', 'text'],
    ['\nother: a\n  more\n- b\n}\n# c\n</f>', 'yaml', 'yaml', 'yaml'],
  ])('%j: %s, at the end %s, cut %s', (text, open, final, truncated) => {
    expect(findStart(text, tool, 'open')).toBe(open)
    expect(findStart(text, tool, 'final')).toBe(final)
    expect(findStart(text, tool, 'truncated')).toBe(truncated)
  })

  it.each([
    ['\nother: a\nmore: b', 'yaml'],
    ['\nother: a\nThat', 'text'],
    ['\nother: a', 'yaml'],
    ['\n\n', 'text'],
    [' is a tool', 'text'],
  ])('%j up to the look-ahead limit: %s', (text, start) => {
    expect(findStart(text, tool, 'limit')).toBe(start)
  })
})
