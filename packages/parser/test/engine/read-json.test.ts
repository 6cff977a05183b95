import { describe, expect, it } from 'vitest'
import { createArgumentWriter } from '../../src/engine/argument-writer.js'
import type { JsonSyntax } from '../../src/engine/json/json-syntax.js'
import { readJson } from '../../src/engine/json/read-json.js'
import { anyShape } from '../../src/engine/values/shape.js'
import { runReader } from '../support/run-reader.js'

/** What was written, what is wrong, and what was not read. */
function read(text: string, syntax: JsonSyntax = {}) {
  const writer = createArgumentWriter(anyShape, Number.POSITIVE_INFINITY)
  const { result, unread } = runReader(cursor => readJson(cursor, writer.put, syntax), [text])
  return { json: writer.take(), problem: result?.message, unread }
}

const json: JsonSyntax = { endMarks: ['</call>'] }
const python: JsonSyntax = { python: { parameters: ['city'], isTool: () => false } }
const yaml: JsonSyntax = { isYaml: true }
const marked: JsonSyntax = { quoteMark: '<|"|>' }

describe('JSON as models write it', () => {
  it.each([
    // text                              syntax   JSON
    ['{"a": 1}', json, '{"a":1}'],
    ["{'a': True, b: New York}", json, '{"a":true,"b":"New York"}'],
    ['{"a": 1 "b": 2,, }', json, '{"a":1,"b":2}'],
    ['{{"a": 1}', json, '{"a":1}'],
    ['{"a": [1, {"b": 2]}', json, '{"a":[1,{"b":2}]}'],
    ['{"a": 1 // why\n}', json, '{"a":1}'],
    ['{"a": "say "hi" to"}', json, '{"a":"say \\"hi\\" to"}'],
    ['{"a": "say "hi""}', json, '{"a":"say \\"hi\\""}'],
    ['{"a": "say "hi" to"', json, '{"a":"say \\"hi\\" to"}'],
    ['{"a": "b"', json, '{"a":"b"}'],
    ['{"a": 3', json, '{"a":3}'],
    ['{"a": 00501}', json, '{"a":"00501"}'],
    ['{"a": [1', json, '{"a":[1]}'],
    ['{"a": [1</call>', json, '{"a":[1]}'],
    ["a='b', c=(1, 2), d=(3), e={4, 5})", python, '{"a":"b","c":[1,2],"d":3,"e":[4,5]}'],
    ["'Paris', **{'odd key': None})", python, '{"city":"Paris","odd key":null}'],
    ['a=r"\\d", b="""x"y""")', python, '{"a":"\\\\d","b":"x\\"y"}'],
    ['a="")', python, '{"a":""}'],
    ["a='''b'''')", python, '{"a":"b\'"}'],
    ["{a: 'it''s', b: [x y, z]}", yaml, '{"a":"it\'s","b":["x y","z"]}'],
    ['{a:<|"|>b "c" \\d<|"|>,d:1}', marked, '{"a":"b \\"c\\" \\\\d","d":1}'],
  ] as const)('|%s', (text, syntax, expected) => {
    expect(read(text, syntax).json).toBe(expected)
  })
})

const longWord = 'a'.repeat(1024)

describe('JSON that cannot be read', () => {
  it.each([
    // text                     syntax   message                                         not read
    ['{"a": }', json, 'expected a value, found `}`', '}'],
    ['{<b>: 1}', json, 'expected a key, found `<`', '<b>: 1}'],
    ['{"a" 1}', json, 'expected `:` after a key, found `1`', '"a" 1}'],
    ['{"a": [])', json, 'expected `}`, found `)`', ')'],
    ['{"a": []; }', json, 'expected a comma or a closing bracket, found `;`', '; }'],
    ['{"a": New Yo</call>', json, 'expected the rest of a value, found `</call>`', 'New Yo</call>'],
    [`{"a": ${longWord}`, json, 'expected the end of a value within 1024 characters', longWord],
    ['a=1, a=2)', python, 'the argument "a" is given twice', 'a=2)'],
    ['a=f(1))', python, 'expected a literal, found `(`', 'f(1))'],
    ['a=[1)', python, 'expected `]`, found `)`', ')'],
    ['*a)', python, 'expected `**{`, found `*`', '*a)'],
    ['b=[x for x in y])', python, 'expected a value, found `x for x in y`', 'x for x in y])'],
  ] as const)('|%s', (text, syntax, message, unread) => {
    expect(read(text, syntax)).toMatchObject({ problem: message, unread })
  })
})
