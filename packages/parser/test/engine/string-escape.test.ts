import { describe, expect, it } from 'vitest'
import {
  escapeAt,
  jsonEscapes,
  pythonEscapes,
  rawEscapes,
  unescaped,
} from '../../src/engine/json/string-escape.js'

const languages = { json: jsonEscapes, python: pythonEscapes, raw: rawEscapes }

// biome-ignore format: a table
describe('an escape', () => {
  it.each([
    // text           language   escape         text that it means
    ['\\nb',          'json',    '\\n',         '\n'],
    ['\\"b',          'json',    '\\"',         '"'],
    ["\\'b",          'json',    "\\'",         "'"],
    ['\\\\n',         'json',    '\\\\',        '\\'],
    ['\\/b',          'json',    '\\/',         '/'],
    ['\\u0041B',      'json',    '\\u0041',     'A'],
    ['\\ud83d',       'json',    '\\ud83d',     '\ud83d'],
    // A line break after a backslash is kept in JSON, and removed in Python.
    ['\\\nb',         'json',    '\\\n',        '\n'],
    ['\\\nb',         'python',  '\\\n',        ''],
    // An escape that the language does not have stays as it was written.
    ['\\d+',          'json',    '\\d',         '\\d'],
    ['\\u00zz',       'json',    '\\u',         '\\u'],
    ['\\x41B',        'json',    '\\x',         '\\x'],
    ['\\/b',          'python',  '\\/',         '\\/'],
    ['\\UFFFFFFFF',   'python',  '\\UFFFFFFFF', '\\UFFFFFFFF'],
    // Numbers in Python.
    ['\\x41B',        'python',  '\\x41',       'A'],
    ['\\101B',        'python',  '\\101',       'A'],
    ['\\0a',          'python',  '\\0',         '\0'],
    ['\\U0001F600b',  'python',  '\\U0001F600', '😀'],
    // A raw string keeps its backslashes.
    ['\\nb',          'raw',     '\\n',         '\\n'],
    ['\\"b',          'raw',     '\\"',         '\\"'],
  ] as const)('|%j in %s: %j means %j', (text, language, source, meaning) => {
    expect(escapeAt(`a${text}`, 1, languages[language])).toEqual({ source, text: meaning })
  })

  it.each([
    // text so far   language
    ['\\',           'json'],
    ['\\u',          'json'],
    ['\\u004',       'json'],
    ['\\x4',         'python'],
    ['\\10',         'python'],
    ['\\U0001F60',   'python'],
    ['\\',           'raw'],
  ] as const)('|%j in %s waits for more characters', (text, language) => {
    expect(escapeAt(text, 0, languages[language])).toBeUndefined()
  })
})

// biome-ignore format: a table
it.each([
  // source                       language   text
  ['a\\tb\\u0041 \\d \\\\n',      'json',    'a\tbA \\d \\n'],
  ['a\\tb\\x41 \\/ \\\nc',        'python',  'a\tbA \\/ c'],
  ['a\\tb\\u0041',                'raw',     'a\\tb\\u0041'],
  ['no escape',                   'json',    'no escape'],
] as const)('%j in %s without escapes: %j', (source, language, text) => {
  expect(unescaped(source, languages[language])).toBe(text)
})
