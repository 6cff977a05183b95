import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../src/engine/json/dialect.js'
import {
  type Bracket,
  brackets,
  call,
  type JsonSyntax,
  object,
} from '../../src/engine/json/json-syntax.js'
import { createStringEndCheck } from '../../src/engine/json/string-end.js'

const syntaxes = {
  json: { endMarks: ['</tool_call>'], weakEndMarks: ['<tool_call>'] },
  python: { endMarks: [']<end>'], python: { isTool: name => name === 'get_time' } },
  yaml: { isYaml: true },
  marked: { quoteMark: '<|"|>' },
} satisfies Record<string, JsonSyntax>

/** What is open, outermost first: `[{` is an object in a list. */
const openBrackets = (openers: string): Bracket[] =>
  [...openers].map(opener => brackets.get(opener) ?? (opener === '(' ? call : object))

interface Options {
  syntax?: keyof typeof syntaxes
  hadUnescapedQuote?: boolean
  /** The keys that the objects may still get. */
  keys?: readonly string[]
}

function verdict(after: string, open: string, options: Options = {}) {
  const { syntax = 'json', hadUnescapedQuote = false, keys = ['b'] } = options
  const expectsKey = (key: string) => keys.includes(key)
  const jsonSyntax = { ...syntaxes[syntax], expectsKey }
  const check = createStringEndCheck(jsonSyntax, dialectOf(jsonSyntax), openBrackets(open))
  return check(after, hadUnescapedQuote)
}

describe('the end of a string in JSON', () => {
  it.each([
    // after the quote      open   verdict
    ['', '{', 'wait'],
    ['  ', '{', 'wait'],
    // A comma, and a key or a value.
    [', "b": 1}', '{', 'yes'],
    [',', '{', 'wait'],
    [', "b', '{', 'wait'],
    [', "b"', '{', 'wait'],
    [', b: 1}', '{', 'yes'],
    [', "x" and more"', '{', 'no'],
    [', he said', '{', 'no'],
    [',}', '{', 'yes'],
    [', // why', '{', 'yes'],
    [', "b"', '[', 'yes'],
    [', 5]', '[', 'yes'],
    [', true]', '[', 'yes'],
    [', tru', '[', 'wait'],
    [', he said]', '[', 'no'],
    // A closing bracket.
    ['}', '{', 'yes'],
    [']', '[', 'yes'],
    ['}', '[', 'no'],
    ['}', '{{', 'wait'],
    ['}}', '{{', 'yes'],
    ['}"', '{{', 'wait'],
    ['}", x" y', '{{', 'no'],
    ['} "b"', '[{', 'yes'],
    ['}; }', '{{', 'no'],
    // A missing comma.
    [' "b": 1}', '{', 'yes'],
    [' "b" c', '{', 'no'],
    [' "b"]', '[', 'yes'],
    ['"b"]', '[', 'no'],
    // Code, marks and comments.
    [' + "b"', '{', 'yes'],
    ['+ b', '{', 'no'],
    ['</tool_call>', '{', 'yes'],
    ['</tool', '{', 'wait'],
    ['<tool_call>', '{', 'no'],
    [' // why', '{', 'yes'],
    [' is the name"}', '{', 'no'],
  ] as const)('"ab"|%s in %s: %s', (after, open, expected) => {
    expect(verdict(after, open)).toBe(expected)
  })
})

describe('the end of a string with an unescaped quote', () => {
  it.each([
    // after the quote      open   verdict
    [', "b": 1}', '{', 'yes'],
    [', "x": 1}', '{', 'no'],
    ['}', '{', 'wait'],
    ['} and text', '{', 'no'],
    ['}</tool_call>', '{', 'yes'],
    ['}<tool_call>', '{', 'yes'],
    ['}}</tool_call>', '{', 'no'],
    ['}}</tool_call>', '{{', 'yes'],
    ['}, "b": 1}', '{{', 'yes'],
    ['}, "x": 1}', '{{', 'no'],
    ['}, {"b": 1}', '[{', 'yes'],
    ['}, 5', '[{', 'no'],
    [']', '{', 'no'],
    [' + "b"', '{', 'no'],
    [' // why', '{', 'no'],
    [' "b"]', '[', 'no'],
    ['"}', '{', 'wait'],
  ] as const)('"a "b" c"|%s in %s: %s', (after, open, expected) => {
    expect(verdict(after, open, { hadUnescapedQuote: true })).toBe(expected)
  })
})

describe('the end of a string in Python', () => {
  it.each([
    // after the quote      open   verdict
    [', b=1)', '(', 'yes'],
    [', 5)', '(', 'yes'],
    [', *', '(', 'yes'],
    [', he said', '(', 'no'],
    [')', '(', 'wait'],
    [')]', '(', 'yes'],
    [')\n', '(', 'yes'],
    [') get_time(', '(', 'yes'],
    [') print(', '(', 'no'],
    [')]<end>', '(', 'yes'],
    [' % x', '(', 'yes'],
    [" 'b'", '(', 'yes'],
    [" r'b'", '(', 'no'],
    [", r'b']", '[', 'yes'],
    ['}', '(', 'no'],
  ] as const)("'ab'|%s in %s: %s", (after, open, expected) => {
    expect(verdict(after, open, { syntax: 'python' })).toBe(expected)
  })
})

describe('the end of a string in brackets of YAML, and between marks', () => {
  it.each([
    // after the quote      open   syntax    verdict
    [', any words]', '[', 'yaml', 'yes'],
    [', any words}', '{', 'yaml', 'no'],
    [' # why', '{', 'yaml', 'yes'],
    [' # why', '{', 'json', 'no'],
    [', <|"|>b<|"|>:', '{', 'marked', 'yes'],
    [', <|"|>b<|"|>:', '{', 'json', 'no'],
  ] as const)('"ab"|%s in %s of %s: %s', (after, open, syntax, expected) => {
    expect(verdict(after, open, { syntax })).toBe(expected)
  })
})
