import { describe, expect, it } from 'vitest'
import type { JsonSyntax } from '../../src/engine/json/json-syntax.js'
import { readJson } from '../../src/engine/json/read-json.js'
import { Token } from '../../src/engine/values/tokens.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { runReader } from '../support/run-reader.js'

const json: JsonSyntax = { endMarks: ['</call>'] }
const python: JsonSyntax = { python: { isTool: () => false } }
const yaml: JsonSyntax = { isYaml: true }
const marked: JsonSyntax = { quoteMark: '<|"|>' }

/** Reads the value of `a`: its text, what is wrong, and how far the reader asked to go back. */
function readValue(chunks: readonly string[], syntax: JsonSyntax, isCut = false) {
  let text = ''
  let rewoundChars = 0
  const rewind = (chars: number) => {
    rewoundChars += chars
  }
  const put = (token: Token, piece: string) => {
    if (token === Token.text) text += piece
  }
  const { result } = runReader(
    cursor => readJson(cursor, put, { ...syntax, rewind }),
    chunks,
    isCut,
  )
  return { text, problem: result?.message, rewoundChars }
}

// biome-ignore format: a table
describe('a string', () => {
  it.each([
    // JSON                                    syntax    text
    ['{"a": "b"}',                             json,     'b'],
    ['{"a": ""}',                              json,     ''],
    ["{'a': 'b \"c\" d'}",                     json,     'b "c" d'],
    ['{"a": "b\\nc \\d"}',                     json,     'b\nc \\d'],
    ['{"a": "b\nc"}',                          json,     'b\nc'],
    // An unescaped quote is text if nothing valid follows it (decision 9).
    ['{"a": "say "hi" to Bob"}',               json,     'say "hi" to Bob'],
    ['{"a": "say "hi""}',                      json,     'say "hi"'],
    // Without an unescaped quote the end of the call is text (decision 21).
    ['{"a": "b</call>c"}',                     json,     'b</call>c'],
    // The text ends, and the model has stopped by itself.
    ['{"a": "Paris"',                          json,     'Paris'],
    ['{"a": "say "hi" to"',                    json,     'say "hi" to'],
    // Python: three quotes, of four the last three close; raw strings.
    ["a='')",                                  python,   ''],
    ['a="""say "hi" to""")',                   python,   'say "hi" to'],
    ["a='''b'''')",                            python,   "b'"],
    ["a=r'\\d\\n')",                           python,   '\\d\\n'],
    ["a=b'\\x41')",                            python,   'A'],
    // YAML: two quotes are one.
    ["{a: 'it''s'}",                           yaml,     "it's"],
    // A quote mark always ends the string, and nothing in it is escaped (decision 28).
    ['{a:<|"|>b "c" \\n<|"|>}',                marked,   'b "c" \\n'],
    ['{a:"b"}',                                marked,   'b'],
  ] as const)('%j', (text, syntax, expected) => {
    for (const chunks of allSplits(text)) {
      const read = readValue(chunks, syntax)
      expect(read, describeChunks(chunks)).toEqual({ text: expected, rewoundChars: 0 })
    }
  })
})

const noEnd = 'expected " at the end of a string, found the end of the call'

// biome-ignore format: a table
describe('a string without its closing quote', () => {
  it.each([
    // JSON                                         text before the problem       characters to go back
    ['{"a": "say "hi" to</call> more',              'say "hi" to',                0],
    // The string has swallowed the end of the call: back to there (decision 21).
    ['{"a": "b}</call> <call>{"name": "c"}',        'b}</call> <call>{',          '</call> <call>{'.length],
  ])('%s', (text, expected, rewoundChars) => {
    for (const chunks of allSplits(text)) {
      const read = readValue(chunks, json)
      expect(read, describeChunks(chunks)).toEqual({ text: expected, problem: noEnd, rewoundChars })
    }
  })

  it('is not ended by the last quote if the text was cut', () => {
    const text = '{"a": "say "hi" to"'
    expect(readValue([text], json, false)).toMatchObject({ text: 'say "hi" to' })
    expect(readValue([text], json, true)).toMatchObject({ text: 'say "hi" to"' })
  })
})
