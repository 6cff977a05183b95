import { describe, expect, it } from 'vitest'
import { jsonCalls, outerJsonCalls } from '../../src/engine/json/json-calls.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { type Piece, scanPieces } from '../support/read-answer.js'

const tools = createToolShapes([
  { type: 'function', name: 'f', inputSchema: {} },
  { type: 'function', name: 'g', inputSchema: {} },
])
const options = { tools, marks: jsonCalls({ open: '<call>', close: '</call>' })(tools) }

const f = '{"name": "f", "arguments": {}}'
const g = '{"name": "g", "arguments": {}}'
const unknown = '{"name": "nope", "arguments": {}}'
const bad = '{"name": "f", "arguments": {"a" 1}}'
const callOf = (tool: string) => ({ tool, input: {} })
const [callF, callG] = [callOf('f'), callOf('g')]

// biome-ignore format: a table
describe('calls as JSON after a mark', () => {
  it.each<[string, Piece[]]>([
    // text                                pieces
    [`<call>${f}</call>`,                  [callF]],
    [`<call> ${f}\n</call>`,               [callF]],
    [`<call>[${f}, ${g}]</call>`,          [callF, callG]],
    [`<call>[${f}, [${g}]]</call>`,        [callF, callG]],
    // What may be between two calls.
    [`<call>${f}${g}</call>`,              [callF, callG]],
    [`<call>${f}\n${g}</call>`,            [callF, callG]],
    [`<call>${f}, ${g}</call>`,            [callF, callG]],
    [`<call>${f},\n,${g}</call>`,          [callF, callG]],
    [`<call>${f}; ${g}</call>`,            [callF, callG]],
    [`<call>${f} and ${g}</call>`,         [callF, ` and ${g}</call>`]],
    // A brace or a bracket too many after a call (decision 69), but not before the first one.
    [`<call>${f}} ${g}</call>`,            [callF, callG]],
    [`<call>${f}] ${g}</call>`,            [callF, callG]],
    [`<call>} ${f}</call>`,                [`<call>} ${f}</call>`]],
    // A fence between the marks. Without an opening one a backtick is text.
    [`<call>\`\`\`json\n${f}\n\`\`\`</call>`, [callF]],
    [`<call>${f}\`</call>`,                [callF, '`</call>']],
    // The mark proves enough: a name that is not declared is a call, too (decision 63).
    [`<call>${unknown}</call>`,            [callOf('nope')]],
    [`<call>${f} ${unknown}</call>`,       [callF, callOf('nope')]],
    // The end mark is missing, or only its beginning has come (decision 62).
    [`<call>${f}`,                         [callF]],
    [`<call>${f}</ca`,                     [callF]],
    [`<call>${f}<`,                        [callF, '<']],
    // No call.
    ['<call></call>',                      ['<call></call>']],
    ['Use <call> for it.',                 ['Use <call> for it.']],
  ])('%s', (text, pieces) => {
    expect(scanPieces(options, [text])).toEqual({ pieces, problems: [] })
  })

  it('ends a call that cannot be read with its end mark (decision 58)', () => {
    const malformed = { tool: 'f', raw: '{"a" 1}}' }
    expect(scanPieces(options, [`<call>${bad}</call> more`])).toEqual({
      pieces: [malformed, ' more'],
      problems: ['malformed-arguments'],
    })
  })

  // biome-ignore format: a table
  it.each<[string, Piece[], string[]]>([
    // text that was cut              pieces                              problems
    [`<call>[${f}, {"name": "g`,      [callF],                            []],
    [`<call>[${f}, {"name": "g"`,     [callF, { tool: 'g', raw: '{' }],   ['cut-call']],
    [`<call>[${f}`,                   [callF],                            []],
  ])('%s| and the text was cut', (text, pieces, problems) => {
    expect(scanPieces(options, [text], true)).toEqual({ pieces, problems })
  })
})

// biome-ignore format: a table
describe('calls as JSON without a mark', () => {
  it.each<[string, Piece[]]>([
    [f,                     [callF]],
    [`Now: ${f} done`,      ['Now: ', callF, ' done']],
    [`[${f}, ${g}]`,        [callF, callG]],
    // A whole answer in the form of a call is one, also of an unknown tool (decision 76).
    [unknown,               [callOf('nope')]],
    [`${unknown} done`,     [`${unknown} done`]],
    [`Now: ${unknown}`,     [`Now: ${unknown}`]],
    ['{"name": "nope"}',    ['{"name": "nope"}']],
    ['{"name": "nope", "arguments": {}, "price": 5}', ['{"name": "nope", "arguments": {}, "price": 5}']],
    // An object inside of an answer in JSON is not a call.
    [`{"example": ${f}}`,   [`{"example": ${f}}`]],
  ])('%s', (text, pieces) => {
    const marks = outerJsonCalls(tools)
    expect(scanPieces({ tools, marks }, [text])).toEqual({ pieces, problems: [] })
  })
})
