import { describe, expect, it } from 'vitest'
import { engineProtocol } from '../properties/support/protocols.js'
import { readEvents } from '../support/read-answer.js'

const protocol = engineProtocol('yaml_xml')

const place = { type: 'object', properties: { name: { type: 'string' }, zip: { type: 'string' } } }
const properties = {
  city: { type: 'string' },
  note: { type: 'string' },
  days: { type: 'integer' },
  tags: { type: 'array', items: { type: 'string' } },
  place,
}
const tools = [
  { type: 'function' as const, name: 'find', inputSchema: { type: 'object', properties } },
  { type: 'function' as const, name: 'stop', inputSchema: { type: 'object', properties: {} } },
]

/** Returns the input of the first call as JSON, or its problem, and the codes of its repairs. */
function readCall(text: string) {
  const options = { tolerance: 'eager' as const }
  const events = readEvents({ protocol, tools, chunks: [text], options })
  const call = events.find(event => event.type === 'call-end')
  return {
    repairs: call?.repairs.map(({ code }) => code),
    read: call?.problem?.message ?? call?.input,
  }
}

const readBody = (body: string) => readCall(`<find>\n${body}\n</find>`)

describe('the repairs of a text without quotes', () => {
  it.each([
    // arguments  repairs
    ['city: Paris', ''],
    ['city: http://a.b:80', ''],
    ['city: Note: the rest', 'bare-word'],
    ['city: New Yorkdays: 3', 'key-in-value'],
    ['city: New York days: 3', 'key-in-value'],
    ['days: 3\ncity: in days: 3', 'bare-word'],
    ['city: "in days: 3"', ''],
    ['place:\n  name: Annzip: 5', 'key-in-value'],
    ['place:\n  name: Anndays: 5', 'key-in-value'],
    ['place:\n  name: Anncity: 5', 'key-in-value'],
    ['tags:\n  - slow\n  - by train', ''],
    ['tags:\n  - slow - by train', ''],
    ['tags:\n  - slow  - by train', 'item-in-value'],
    ['city: slow  - by train', ''],
    ['tags:\n  - slow\n    by train', ''],
    ['tags:\n  - slow\n   by train', 'odd-indent'],
    ['tags:\n  - slow\n\n    by train', ''],
    ['city: one\n two', ''],
  ])('%j: %s', (body, repairs) => {
    expect(readBody(body).repairs?.join(' ')).toBe(repairs)
  })
})

it.each([
  // arguments  repairs
  ['```yaml\ncity: Paris\n```', 'fenced'],
  ['```\ncity: Paris', 'fenced'],
  ['---\ncity: Paris\n# comment', ''],
  ['note: |\n  ```\n  a\n  ```', ''],
])('a fence around arguments, %j: %s', (body, repairs) => {
  expect(readBody(body).repairs?.join(' ')).toBe(repairs)
})

describe('the repairs of quotes', () => {
  it.each([
    ['city: "say \\"hi\\""', ''],
    ["city: 'it''s'", ''],
    ["city: 'it's fine'", 'unescaped-quote'],
    ['city: "climate change" 2024', 'unescaped-quote'],
    ['city: "He said "hi" to me"', 'unescaped-quote'],
    ['city: "He said "hi to me"', 'doubtful-quote'],
    ['city: "a\n  b"', 'raw-line-break'],
  ])('%j: %s', (body, repairs) => {
    expect(readBody(body).repairs?.join(' ')).toBe(repairs)
  })
})

describe('the repairs of a block', () => {
  it.each([
    ['note: |\n  a\n    b', ''],
    ['note: |\n  a\n    b\n    c', ''],
    ['note: |\n\ta\n\t\tb', ''],
    ['note: |1\n a\n  b', ''],
    ['note: |\n a\n b\n  c', ''],
    ['note: |\n a\n  b\n  c', 'odd-indent'],
    ['note: |\no  a\n  b', 'odd-indent'],
    ['note: |\na\nb', 'unindented-block'],
    ['note: |\na', 'unindented-block'],
    ['note: |\n', ''],
    ['note: |\n  a # b: c\n  days: 3', ''],
    ['note: |\n  ```\n  a\n  ```', ''],
  ])('%j: %s', (body, repairs) => {
    expect(readBody(body).repairs?.join(' ')).toBe(repairs)
  })
})

describe('the repairs at the end of a call', () => {
  it.each([
    ['<find>\ncity: Paris\n</find>', ''],
    ['<find>city: Paris</find>', ''],
    ['<find>\ncity: Paris\n', 'missing-close'],
    ['<find>\ncity: Paris\n</fi', 'missing-close'],
    ['<find>\ncity: Paris\n<stop/>', 'missing-close'],
    ['<find>city: Paris</fnid>', 'markup-at-edge'],
    ['<find>city: Paris/find>', 'markup-at-edge'],
    ['<find>\nnote: |\n  a</find>', 'foreign-close'],
    ['<find>\nnote: |\n  a</find>\n<stop/>', 'foreign-close'],
    ['<find>\nnote: |\n  a</find>\n</find>', ''],
    ['<find>\nnote: |\n  a\n  </find>\n', ''],
    ['<find><city>Paris</city></find>', 'other-notation'],
    ['<stop/>', ''],
  ])('%j: %s', (text, repairs) => {
    expect(readCall(text).repairs?.join(' ')).toBe(repairs)
  })
})

const manySpaces = ' '.repeat(1100)

describe('whitespace of which the end is not seen', () => {
  it.each([`city:${manySpaces}Paris`, `city: a\n${manySpaces}days: 3`])('is a problem', body => {
    expect(readBody(body).read).toMatch(/^expected less whitespace, found 1024 characters/)
  })
})

describe('a key of an object that comes twice', () => {
  it('is a problem', () => {
    const { read } = readBody('place:\n  name: Ann\n  name: Al')
    expect(read).toBe('the argument "name" is given twice')
  })
})
