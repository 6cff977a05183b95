import { describe, expect, it } from 'vitest'
import {
  createQuotedText,
  endsHeredoc,
  matchOpening,
  matchQuotedWords,
  putInnerQuote,
  reopensQuotes,
} from '../../src/engine/pairs/quoted-value.js'

// biome-ignore format: a table
it.each([
  // beginning of a value   what it opens
  ['New York',              { type: 'none' }],
  ['<div> limit=3',         { type: 'none' }],
  ['<< 3',                  { type: 'none' }],
  ['<<3\n',                 { type: 'none' }],
  ['`x` and',               { type: 'none' }],
  ['| grep x',              { type: 'none' }],
  ['"New York"',            { type: 'quote', quote: '"' }],
  ["'t Hooft",              { type: 'quote', quote: "'" }],
  ['""',                    { type: 'quote', quote: '"' }],
  ['"""x"""',               { type: 'quote', quote: '"""' }],
  ["'''it's'''",            { type: 'quote', quote: "'''" }],
  ['<<END\nx',              { type: 'heredoc', chars: 5, closing: '\nEND' }],
  ['<<END \r\nx',           { type: 'heredoc', chars: 6, closing: '\r\nEND' }],
  ["<<-'EOF'\nx",           { type: 'heredoc', chars: 8, closing: '\nEOF' }],
  ['"""\nx',                { type: 'heredoc', chars: 3, closing: '\n"""' }],
  ['<<END path=x\n',        { type: 'broken-heredoc', sign: '<<END' }],
  ['```py\nx',              { type: 'block', name: 'a code fence' }],
  ['|\n  x',                { type: 'block', name: 'a YAML block' }],
  ['>-\n  x',               { type: 'block', name: 'a YAML block' }],
])('x=|%j', (ahead, expected) => {
  expect(matchOpening(ahead)).toEqual(expected)
})

// biome-ignore format: a table
it.each([
  // beginning of a value              words in quotes that belong to a longer text
  ['"climate change" 2024 limit=5',    '"climate change"'],
  ['"climate change" AND "oil"',       '"climate change"'],
  ["'a' (b) limit=5",                  "'a'"],
  // the second quote closes, so the first one opens the whole text
  ['"15" screen" limit=5',             ''],
  ['"He said "hi" to me"',             ''],
  ['"New York"',                       ''],
  ['"New York", days=3',               ''],
  ['"a" + "b"',                        ''],
  ['"a\\n" b',                         ''],
])('query=|%s', (ahead, words) => {
  expect(matchQuotedWords(ahead)).toBe(words)
})

// biome-ignore format: a table
it.each([
  // after the closing word          lines of code   end
  [{ type: 'text' },                 false,          false],
  [{ type: 'pair' },                 false,          true],
  [{ type: 'end' },                  false,          true],
  [{ type: 'text' },                 true,           false],
  [{ type: 'pair' },                 true,           true],
  [{ type: 'end' },                  true,           false],
  [{ type: 'end', isAtTextEnd: true },   true,           true],
] as const)('a closing word before %j, strict %s: %s', (found, isStrict, isEnd) => {
  expect(endsHeredoc({ chars: 0, path: [], ...found }, isStrict)).toBe(isEnd)
})

describe('a quote inside a text in quotes that was not escaped', () => {
  // biome-ignore format: a table
  it.each([
    // before the first   after it   before the second   the quotes are around words
    ['a',                 ' ',       ' ',                true],
    ['done.',             ' ',       '(',                true],
    // `'It's a 'test'`: an apostrophe
    ['It',                's',       ' ',                false],
    // `"say "hi" to`: the first one opens
    ['say ',              'h',       'i',                false],
    // `"15" screen"`
    ['15',                ' ',       'n',                false],
  ])('%s|"%s… %s|"', (before, after, beforeSecond, isSeveral) => {
    const text = createQuotedText('"', () => {}, false)
    text.lastChar = before.slice(-1)
    putInnerQuote(text, after)
    text.lastChar = beforeSecond
    expect(reopensQuotes(text)).toBe(isSeveral)
    expect(text.isStrict).toBe(true)
  })

  // biome-ignore format: a table
  it.each([
    // quote   in a line   strict from the beginning
    ['"',      true,       false],
    ["'",      true,       true],
    ["'",      false,      false],
    ["'''",    true,       false],
  ])('%s in a line %s: strict %s', (quote, isLine, isStrict) => {
    expect(createQuotedText(quote, () => {}, isLine).isStrict).toBe(isStrict)
  })
})
