import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createCustomInputReader,
  customArguments,
  readCustomInput,
  readCustomTool,
} from '../../src/dialects/custom-input.js'
import { fieldsOf } from '../../src/dialects/fields.js'
import { propertyRuns } from '../support/property-runs.js'

describe('a custom tool', () => {
  it.each<[string, object, string]>([
    ['has its own description', { description: 'Runs SQL.' }, 'Runs SQL.\n\n'],
    ['needs no description', {}, ''],
    ['may have free text', { description: 'D.', format: { type: 'text' } }, 'D.\n\n'],
  ])('%s', (_, fields, before) => {
    expect(readCustomTool(fieldsOf({ name: 'x', ...fields }))).toEqual({
      description: `${before}The argument \`input\` is the whole input, as free text.`,
      inputSchema: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The input, as free text.' } },
        required: ['input'],
        additionalProperties: false,
      },
    })
  })

  it.each<[string, object, string]>([
    [
      'lark grammar',
      { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
      'lark grammar:\n\nstart: "x"',
    ],
    [
      'lark grammar of a chat',
      { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } },
      'lark grammar:\n\nstart: "x"',
    ],
    [
      'regular expression',
      { type: 'grammar', syntax: 'regex', definition: '^a+$' },
      'regular expression:\n\n^a+$',
    ],
  ])('shows its %s to the model', (_, format, text) => {
    expect(readCustomTool(fieldsOf({ name: 'x', format })).description).toContain(
      `It must match this ${text}`,
    )
  })
})

describe('the input of a custom call', () => {
  it.each([
    ['{"input":"a"}', 'a'],
    ['{"input":""}', ''],
    ['{"input":"a","why":"b"}', 'a'],
    ['{"patch":"a"}', 'a'],
    ['{"patch":"a","why":"b"}', undefined],
    ['{"input":5}', undefined],
    ['{"input":"a', undefined],
    ['{}', undefined],
    ['', undefined],
    ['"a"', undefined],
    ['["a"]', undefined],
  ])('of %s is %j', (json, input) => {
    expect(readCustomInput(json)).toBe(input)
  })

  const read = (pieces: readonly string[]) => {
    const reader = createCustomInputReader()
    return { reader, deltas: pieces.map(piece => reader.add(piece)) }
  }

  it.each<[string[], string[], string]>([
    [['{"inp', 'ut": "a', 'b"}'], ['', 'a', 'b'], ''],
    [['{"input":"a\\', 'nb"}'], ['a', '\nb'], ''],
    [['{"input":"\\u00', 'e9"}'], ['', 'é'], ''],
    // A character of two halves is sent as one.
    [['{"input":"\\ud83d', '\\ude00"}'], ['', '😀'], ''],
    [['{"input":"a"', ',"why":"b"}'], ['a', ''], ''],
    // Another name of the argument, or another key before it: known at the end.
    [['{"patch":"', 'ab"}'], ['', ''], 'ab'],
    [['{"why":"x","input":"ab"}'], [''], 'ab'],
  ])('arrives in the pieces of %j', (pieces, deltas, rest) => {
    const { reader, deltas: sent } = read(pieces)
    expect(sent).toEqual(deltas)
    expect(reader.rest(readCustomInput(pieces.join('')) ?? '')).toBe(rest)
  })

  it('is the same in pieces as whole, for every text and every split', () => {
    const text = fc.string({ unit: 'binary' })
    const escaped = fc.boolean()
    fc.assert(
      fc.property(text, escaped, fc.array(fc.nat(400)), (input, isEscaped, cuts) => {
        const json = JSON.stringify(customArguments(input))
        const written = isEscaped
          ? json.replace(
              /[^\0-\x7f]/g,
              char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
            )
          : json
        const places = [...new Set(cuts.map(cut => cut % (written.length + 1)))].sort(
          (a, b) => a - b,
        )
        const ends = [...places, written.length]
        const pieces = ends.map((end, i) => written.slice(ends[i - 1] ?? 0, end))
        const { reader, deltas } = read(pieces)
        const whole = readCustomInput(written) ?? ''
        expect(whole).toBe(input)
        expect(deltas.join('') + reader.rest(whole), `pieces: ${JSON.stringify(pieces)}`).toBe(
          input,
        )
      }),
      propertyRuns(1000),
    )
  })

  it('is sent only as far as it is certain, for JSON with any escapes', () => {
    const piece = fc.constantFrom('a', '\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\ude00', 'é', '😀')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), escapes => {
        const pieces = ['{"input":"', ...escapes.flatMap(text => [...text]), '"}']
        const input = readCustomInput(pieces.join('')) ?? ''
        const { reader, deltas } = read(pieces)
        const sent = deltas.join('')
        expect(input.startsWith(sent), `${JSON.stringify(sent)} of ${JSON.stringify(input)}`).toBe(
          true,
        )
        expect(sent + reader.rest(input)).toBe(input)
        for (const delta of deltas) expect(delta).not.toMatch(/[\ud800-\udbff]$/)
      }),
      propertyRuns(1000),
    )
  })
})
