import { describe, expect, it } from 'vitest'
import { jsonCalls } from '../../src/engine/json/json-calls.js'
import { findName, isCallShaped, withUnreadCalls } from '../../src/engine/unread-calls.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { type Piece, scanPieces } from '../support/read-answer.js'

const tools = createToolShapes(
  ['get_weather', 'get_weather_map', 'list'].map(name => ({
    type: 'function',
    name,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  })),
)
const marks = withUnreadCalls(jsonCalls({ open: '<call>', close: '</call>' })(tools))
const paris = { tool: 'get_weather', input: { city: 'Paris' } }
const call = '<call>{"name": "get_weather", "arguments": {"city": "Paris"}}</call>'

// biome-ignore format: a table
describe('text between the marks of a call', () => {
  it.each<[string, Piece[], string[]]>([
    // text                                     pieces                                                     problems
    // It names a declared tool, so the model is told.
    ['<call>get_weather: Paris</call>',         [{ tool: 'get_weather', raw: 'get_weather: Paris' }],       ['malformed-arguments']],
    ['<call>{get_weather Paris}</call> Done.',  [{ tool: 'get_weather', raw: '{get_weather Paris}' }, ' Done.'], ['malformed-arguments']],
    // It names none, so the application is told.
    ['<call>{"arguments": {"a": 1}}</call>',    ['<call>{"arguments": {"a": 1}}</call>'],                   ['suspected-call']],
    ['<call>{"arguments": {"a": 1}}',           ['<call>{"arguments": {"a": 1}}'],                          ['suspected-call']],
    // Prose mentions marks.
    ['The <call> tag.',                         ['The <call> tag.'],                                       []],
    ['Use <call>{…}</call> for it.',            ['Use <call>{…}</call> for it.'],                           []],
    ['<call>{"a": 1} and so on',                ['<call>{"a": 1} and so on'],                               []],
    // Only an example, and then a call.
    [`<call>{"a": ${call}`,                     ['<call>{"a": ', paris],                                    []],
    // A close mark next to a call ends nothing.
    [`${call}</call>`,                          [paris],                                                   []],
    [`${call}\n</call>\n${call}`,               [paris, paris],                                            []],
    [`</call>\n${call}`,                        [paris],                                                   []],
    ['</call> closes it.',                      ['</call> closes it.'],                                    []],
    [`${call} So </call> it is.`,               [paris, ' So </call> it is.'],                             []],
    // The call was not cut: its quote is missing.
    ['<call>{"name": "get_weather", "arguments": {"city": "Pa}}</call>', [{ tool: 'get_weather', raw: '{"city":"Pa}}</call>' }], ['malformed-arguments']],
    ['<call>{"name": "get_weather", "arguments": {"city": "Pa', [{ tool: 'get_weather', raw: '{"city":"Pa' }], ['cut-call']],
  ])('%s', (text, pieces, problems) => {
    for (const chunks of allSplits(text)) {
      expect(scanPieces({ tools, marks }, chunks), describeChunks(chunks)).toEqual({ pieces, problems })
    }
  })
})

describe('a call was meant after a mark', () => {
  it.each([
    // text after the mark    verdict
    ['{"a"', 'yes'],
    ['\n [', 'yes'],
    ['get_weather:', 'yes'],
    ['get_wea', 'wait'],
    ['get_weather', 'wait'],
    ['', 'wait'],
    ['get_weath is', 'no'],
    ['tag', 'no'],
    ['tag is', 'no'],
  ])('%j: %s', (after, verdict) => {
    expect(isCallShaped(after, tools)).toBe(verdict)
  })
})

describe('the name of a tool in a text', () => {
  it.each([
    ['{"get_weather": 1}', 'get_weather'],
    ['{get_weather_map}', 'get_weather_map'],
    ['{"a": "list"} get_weather', 'list'],
    ['{"enlist": "listing"}', undefined],
    ['{"Get-Weather": 1}', 'Get-Weather'],
    [`{${' '.repeat(100)}"get_weather"`, undefined],
  ])('%s: %s', (text, name) => {
    expect(findName(text, tools.lookup)?.written).toBe(name)
  })
})
