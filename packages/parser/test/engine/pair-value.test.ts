import { describe, expect, it } from 'vitest'
import { createArgumentWriter } from '../../src/engine/argument-writer.js'
import { lineMarks } from '../../src/engine/pairs/after-value.js'
import { readPairArguments } from '../../src/engine/pairs/pair-calls.js'
import { findMissingClose } from '../../src/engine/pairs/pair-value.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'
import { runReader } from '../support/run-reader.js'

const shape = shapeOfSchema({
  type: 'object',
  properties: {
    text: { type: 'string' },
    number: { type: 'integer' },
    list: { type: ['array', 'null'], items: { type: 'string' } },
    rows: { type: 'array', items: { type: 'object', properties: { a: {}, b: {} } } },
    object: { type: 'object' },
  },
})
const tags = { open: '<call>', close: '</call>', isLine: false }

/** The arguments as JSON, or the message of the problem. */
function read(text: string, marks: typeof tags): string {
  const writer = createArgumentWriter(shape, 1024)
  const options = { marks, maxHeldChars: 1024, shape, parenthesis: '' }
  const { result: found } = runReader(
    cursor => readPairArguments({ ...options, seenKeys: new Set(), cursor }, () => writer),
    [` ${text}`],
  )
  return found && 'code' in found ? found.message : writer.take()
}

describe('a value between tags', () => {
  // biome-ignore format: a table
  it.each([
    // pairs                               arguments or problem
    ['text=New York number=3</call>',      '{"text":"New York","number":3}'],
    ['text= New York</call>',              '{"text":"New York"}'],
    ['text= number=3</call>',              '{"text":"","number":3}'],
    ['text=Dear Bob,</call>',              '{"text":"Dear Bob,"}'],
    ['text="say "hi" to" number=3',        '{"text":"say \\"hi\\" to","number":3}'],
    ['text=first\nsecond</call>',          '{"text":"first\\nsecond"}'],
    ['list=a, b number=3</call>',          '{"list":["a","b"],"number":3}'],
    ['list=null</call>',                   '{"list":null}'],
    ['list="a"</call>',                    '{"list":["a"]}'],
    ['list=["a"] number=3</call>',         '{"list":["a"],"number":3}'],
    ['object={"a": 1} number=3</call>',    '{"object":{"a":1},"number":3}'],
    ['text=<<END\na\nEND number=3',        '{"text":"a","number":3}'],
    ['list=<<END\na\nb, c\nEND</call>',    '{"list":["a","b, c"]}'],
    ['rows=<<END\na|b\n1|2\nEND</call>',   '{"rows":[{"a":1,"b":2}]}'],
    ['rows=<<END\n[{"a":1}]\nEND</call>',  '{"rows":[{"a":1}]}'],
    // problems
    ['text=x y</tool_call>',               'expected `</call>`, found `</tool_call>`'],
    ['text=a\nb<call>',                    'expected `</call>` after several lines without quotes'],
    ['text=a\nb',                          'the text ended inside the arguments'],
    ['text="a" + "b"</call>',              'expected one text in quotes, found several'],
    ['text="a "b" c</call>',               'expected a closing `"`'],
    ['text=```\nx\n```</call>',            'expected `<<END` and lines of text, found a code fence'],
    ['text=<<END number=3\n</call>',       'expected a line break after `<<END`'],
    ['number=1 number=2</call>',           'found the argument `number` twice'],
    ['list=["a"] and more</call>',         'expected `key=value` or the end of the call, found other text'],
  ])('%j', (text, expected) => {
    expect(read(text, tags)).toBe(expected)
  })
})

describe('a value in a line', () => {
  // biome-ignore format: a table
  it.each([
    // pairs                              arguments or problem
    ['text=New York\nText goes on',       '{"text":"New York"}'],
    ['text="climate change" 2024',        '{"text":"\\"climate change\\" 2024"}'],
    ['text="climate change" number=3',    '{"text":"climate change","number":3}'],
    ["text='t Hooft\nText",               "expected a closing `'`"],
    ['text=\nprint(1)',                   'expected a value in the line of its key, found text in the next line'],
    ['text=\n@get_time',                  '{"text":""}'],
    ['rows=<<END\nA|1\nEND\n',            'expected keys in the first line of the table: `a|b`'],
  ])('%j', (text, expected) => {
    expect(read(text, lineMarks)).toBe(expected)
  })
})

// biome-ignore format: a table
it.each([
  // end of the value      end of the call   at the end of the text   problem
  ['x y</tool_call>',      '',               true,                    'expected `</call>`, found `</tool_call>`'],
  ['x y</tool_call>',      '</call>',        false,                   undefined],
  ['x y</tool_call>',      ')',              true,                    undefined],
  ['<b>hi</b>',            '',               true,                    undefined],
  ['x y',                  '',               true,                    undefined],
])('%s| before %j', (tail, endText, isAtTextEnd, message) => {
  const value = { put() {}, tail, spansLines: false }
  const found = { type: 'end', chars: endText.length, path: [], isAtTextEnd } as const
  expect(findMissingClose(tags, value, found, endText)?.message).toBe(message)
})
