import { describe, expect, it } from 'vitest'
import type { Mark } from '../../src/engine/grammar.js'
import { ignoredMarks } from '../../src/engine/ignored-marks.js'
import { jsonCalls } from '../../src/engine/json/json-calls.js'
import { pairCalls } from '../../src/engine/pairs/pair-calls.js'
import { type Candidates, tryFormats } from '../../src/engine/try-formats.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { type Piece, scanPieces } from '../support/read-answer.js'

const tools = createToolShapes([
  {
    type: 'function',
    name: 'get_weather',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
  { type: 'function', name: 'get_time', inputSchema: { type: 'object', properties: {} } },
])

/** The first of some marks, which is read as any of their formats. */
const candidatesMark = (candidates: Candidates): Mark[] =>
  candidates.marks.slice(0, 1).map(mark => ({
    ...mark,
    read: (cursor, output) => tryFormats(cursor, output, candidates),
  }))

const json = jsonCalls({ open: '<call>', close: '</call>' })(tools)
const pairs = pairCalls('<call>', '</call>')(tools)
const bare = jsonCalls({ open: '{', close: '', strength: 'weak' })(tools)

const paris = { tool: 'get_weather', input: { city: 'Paris' } }
const time = { tool: 'get_time', input: {} }

const inEverySplit = (marks: readonly Mark[], text: string, pieces: readonly Piece[]) => {
  for (const chunks of allSplits(text)) {
    const read = scanPieces({ tools, marks }, chunks)
    expect(read, describeChunks(chunks)).toEqual({ pieces, problems: [] })
  }
}

// biome-ignore format: a table
describe('a mark that two formats have', () => {
  const marks = candidatesMark({
    marks: [
      ...json.map(mark => ({ ...mark, proof: 'name' as const })),
      ...pairs.map(mark => ({ ...mark, proof: 'arguments' as const })),
    ],
    acceptsNoCall: () => false,
  })

  it.each<[string, Piece[]]>([
    // text                                                               pieces
    ['<call>{"name": "get_weather", "arguments": {"city": "Paris"}}</call>', [paris]],
    ['<call>get_weather city=Paris</call>',                               [paris]],
    ['<call>get_time</call>',                                             [time]],
    ['So <call>get_weather city=Paris</call> now',                        ['So ', paris, ' now']],
    // Only declared tools are called (decision 34).
    ['<call>nope a=1</call>',                                             ['<call>nope a=1</call>']],
    ['<call>{"name": "nope", "arguments": {}}</call>',                    ['<call>{"name": "nope", "arguments": {}}</call>']],
    // No format finds a call.
    ['Use <call> for it.',                                                ['Use <call> for it.']],
    ['<call>',                                                            ['<call>']],
  ])('%s', (text, pieces) => {
    inEverySplit(marks, text, pieces)
  })
})

// biome-ignore format: a table
describe('what proves a call after a brace', () => {
  const marks = candidatesMark({
    marks: bare.map(mark => ({ ...mark, proof: 'key' as const })),
    acceptsNoCall: () => false,
  })

  it.each<[string, boolean]>([
    // text                                                          call
    ['{"name": "get_weather", "arguments": {"city": "Paris"}}',      true],
    // The first key must be one that the tool has (decision 34).
    ['{"name": "get_weather", "arguments": {"town": "Paris"}}',      false],
    ['{"name": "get_weather", "arguments": "Paris"}',                false],
    // Without arguments there is no key to ask for.
    ['{"name": "get_weather", "arguments": {}}',                     true],
    ['{"name": "nope", "arguments": {"city": "Paris"}}',             false],
  ])('%s: %s', (text, isCall) => {
    const { pieces } = scanPieces({ tools, marks }, [text])
    expect(pieces).not.toEqual([])
    expect(pieces[0] !== text).toBe(isCall)
  })
})

describe('a mark after which no format finds a call', () => {
  const header: Mark = {
    text: '<head>',
    *read(cursor) {
      while (!cursor.isFinal) yield
      return 0
    },
  }
  const [fallback] = ignoredMarks(['<head>'])
  const marks = [{ ...header, proof: 'arguments' as const }]

  // biome-ignore format: a table
  it.each<[string, boolean, Mark | undefined, Piece[]]>([
    // case                          accepts no call   fallback     pieces
    ['markup without a call',        true,             undefined,   ['Hi']],
    ['text',                         false,            undefined,   ['<head>Hi']],
    ['what the fallback reads',      false,            fallback,    ['Hi']],
  ])('is %s', (_, accepts, other, pieces) => {
    const mark = candidatesMark({ marks, acceptsNoCall: () => accepts, fallback: other })
    inEverySplit(mark, '<head>Hi', pieces)
  })
})
