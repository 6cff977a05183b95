import type { ErrorMetadata } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonAnswer } from '../../src/response/json-answer.js'
import { allSplits, chunksOf, describeChunks, splitAt } from '../support/chunks.js'

interface ReadOptions {
  readonly maxHeldChars?: number
  /** A call follows the text. */
  readonly isBeforeCall?: boolean
}

/** The pieces of an answer that were emitted, and what was reported. */
function read(chunks: readonly string[], { maxHeldChars, isBeforeCall }: ReadOptions = {}) {
  const pieces: string[] = []
  const problems: Pick<ErrorMetadata, 'code' | 'raw'>[] = []
  const answer = createJsonAnswer({
    emit: text => pieces.push(text),
    report: (_message, { code, raw = '' }) => problems.push({ code, raw }),
    maxHeldChars,
  })
  for (const chunk of chunks) answer.feed(chunk)
  if (isBeforeCall) answer.endBeforeCall()
  else answer.end()
  return { pieces, problems }
}

/** Reads an answer cut in every way; what comes out must be the same. */
function expectText(text: string, expected: string, remark?: string, options?: ReadOptions): void {
  const problems = remark === undefined ? [] : [{ code: 'text-after-json', raw: remark }]
  for (const chunks of allSplits(text)) {
    const got = read(chunks, options)
    const want = { text: expected, problems }
    expect({ text: got.pieces.join(''), problems: got.problems }, describeChunks(chunks)).toEqual(
      want,
    )
  }
}

const json = '{"port": "Brest", "boats": [{"name": "Aline"}]}'

describe('only the JSON in a fence is the answer', () => {
  test.each([
    ['a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['a sentence before it', `Here is the result:\n\n\`\`\`json\n${json}\n\`\`\``],
    ['whitespace around it', `\n \`\`\`json\n\n  ${json}  \n\n\`\`\` \n\n`],
    ['no label', `Done.\n\`\`\`\n${json}\n\`\`\`\n`],
    ['a label in capitals', `\`\`\`JSON\n${json}\n\`\`\``],
    ['a space before the label', `\`\`\` json\r\n${json}\r\n\`\`\`\r\n`],
    ['a fence of tildes', `~~~json\n${json}\n~~~`],
    ['a longer fence', `\`\`\`\`json\n${json}\n\`\`\`\``],
    ['a longer close', `\`\`\`json\n${json}\n\`\`\`\`\``],
    ['all in one line', `The boats: \`\`\`json ${json}\`\`\``],
    ['an open fence after words', `The boats: \`\`\`json\n${json}\n\`\`\``],
    ['a fence in a list', `- The boats:\n  \`\`\`json\n  ${json}\n  \`\`\`\n`],
    ['no close', `The boats:\n\`\`\`json\n${json}`],
    ['inline code before it', `The \`boats\` of \`\`Brest\`\`:\n\`\`\`json\n${json}\n\`\`\``],
    ['markup before it', `<b>Boats</b>:\n\`\`\`json\n${json}\n\`\`\``],
  ])('%s', (_, text) => {
    expectText(text, json)
  })

  test.each([
    ['a list', '[1, 2]'],
    ['several lines', '{\n  "port": "Brest"\n}'],
    ['a fence in a string', '{"code": "```js\\nx\\n```", "note": "a \\"```\\" b"}'],
    ['an escaped backslash before the end of a string', '{"path": "C:\\\\", "port": "Brest"}'],
    ['tildes in a string', '{"note": "~~~"}'],
    ['spaces in a string', `{"note": "${' '.repeat(3000)}"}`],
  ])('%s is handed on as it is written', (_, content) => {
    expectText(`Here:\n\`\`\`json\n${content}\n\`\`\`\n`, content)
  })

  test('a missing quote does not hide a close that is alone in its line', () => {
    expectText('```json\n{"port": "Brest}\n```', '{"port": "Brest}')
    expectText('```json\n{"port": "Brest}\n``` \nDone.', '{"port": "Brest}', ' \nDone.')
  })

  test('a fence without a close has whitespace as content', () => {
    expectText(`\`\`\`json\n${json}\n`, `${json}\n`)
  })

  test('more whitespace than is held back is handed on in part', () => {
    expectText(`\`\`\`json\n{}${' '.repeat(1030)}\n\`\`\``, `{}${' '.repeat(1024)}`)
  })
})

describe('an answer is unchanged', () => {
  test.each([
    ['without a fence', 'There are no boats.'],
    ['if it is empty', ''],
    ['if it is whitespace', ' \n '],
    ['of JSON alone', `\n ${json}\n`],
    ['of JSON alone that quotes a fence', '{"code": "```json\\n{}\\n```", "more": 1}'],
    ['of JSON and then a fence', `${json}\n\`\`\`json\n{}\n\`\`\``],
    ['of a list alone', '["```json\\n{}\\n```"]'],
    ['of JSON after a sentence', `Here: ${json}`],
    ['with a fence of another language', `So:\n\`\`\`js\n${json}\n\`\`\`\n`],
    [
      'with a fence of another language first',
      `\`\`\`sql\nselect\n\`\`\`\n\`\`\`json\n${json}\n\`\`\``,
    ],
    ['with a fence of text', 'So:\n```\nno boats\n```\n'],
    ['with an empty fence', 'So:\n```json\n```\n'],
    ['that ends with the head of a fence', 'So:\n```json\n'],
    ['that ends in a fence', 'So:\n``'],
    ['with a label that only begins like json', '```jsonl\n{}\n{}\n```'],
    ['that mentions a fence', 'Put it into a ```json fence, please.'],
  ])('%s', (_, text) => {
    expectText(text, text)
  })
})

describe('text after the fence', () => {
  test('is left out and reported if it is prose', () => {
    const remark = '\n\nThese are all boats, of 2 `ports` [1].'
    expectText(`\`\`\`json\n${json}\n\`\`\`${remark}`, json, remark)
  })

  test.each([
    ['another fence', '\n```json\n{"port": "Cork"}\n```'],
    ['another fence after prose', '\nOr in YAML:\n```yaml\nport: Brest\n```\n'],
    ['another fence after prose in its line', ' Or ```{"port": "Cork"}```'],
    ['other JSON', '\n\n{"port": "Cork"}'],
    ['another list after prose', '\nOr:\n  [1]'],
  ])('is kept with the close of the fence if it contains %s', (_, after) => {
    expectText(`Here:\n\`\`\`json\n${json}\n\`\`\`${after}`, `${json}\n\`\`\`${after}`)
  })
})

describe('text before a call', () => {
  const options = { isBeforeCall: true }

  test('is emitted, since it was not the answer', () => {
    expectText('I will look at the boats.', 'I will look at the boats.', undefined, options)
  })

  test('loses no remark after a fence', () => {
    const remark = '\n```\nNow I look at Cork.'
    expectText(`\`\`\`json\n${json}${remark}`, `${json}${remark}`, undefined, options)
    expectText(`\`\`\`json\n${json}\n\`\`\`\n`, json, undefined, options)
  })
})

describe('reasoning that is left in the text', () => {
  const reasoning = '<think>Maybe\n```json\n{"port": "Cork"}\n```</think>'

  test('is kept, and its fences are not the answer', () => {
    expectText(`${reasoning}\nHere:\n\`\`\`json\n${json}\n\`\`\``, reasoning + json)
    expectText(`${reasoning}\n${json}`, `${reasoning}\n${json}`)
    expectText(
      ` <seed:think>hm</seed:think>\`\`\`${json}\`\`\``,
      ` <seed:think>hm</seed:think>${json}`,
    )
  })

  test('may be without an end', () => {
    expectText(reasoning.slice(0, -8), reasoning.slice(0, -8))
  })
})

test('the JSON is emitted as it arrives', () => {
  const before = 'Here is the result:\n```json\n'
  const pieces = (content: string) => read(chunksOf(before + content, 1), {}).pieces
  expect(pieces('{"port": "Bre')).toEqual([...'{"port":', ' "', ...'Bre'])
})

test('JSON without a fence is emitted as it arrives', () => {
  const emitted: string[] = []
  const answer = createJsonAnswer({ emit: text => emitted.push(text), report: () => {} })
  for (const char of ' {"a"') answer.feed(char)
  expect(emitted).toEqual([' {', '"', 'a', '"'])
})

describe('more text than may be held back', () => {
  const long = 'x'.repeat(1030)

  test.each([
    ['before a fence', `${long}\n\`\`\`json\n{}\n\`\`\``, `${long}\n\`\`\`json\n{}\n\`\`\``],
    ['after a fence', `\`\`\`json\n{}\n\`\`\`\n${long}`, `{}\n\`\`\`\n${long}`],
  ])('%s is emitted, and reported once', (_, text, expected) => {
    for (const chunks of [[text], chunksOf(text, 1), chunksOf(text, 100)]) {
      const got = read(chunks, { maxHeldChars: 1024 })
      expect(got.pieces.join('')).toBe(expected)
      expect(got.problems.map(each => each.code)).toEqual(['held-limit'])
      expect(expected).toContain(got.problems[0]?.raw)
      expect(got.problems[0]?.raw).toHaveLength(1024)
    }
  })

  test.each([1023, 1024, 1025])('is the same in every way to cut %i characters', chars => {
    const text = `${'x'.repeat(chars)}\`\`\`json\n{}\n\`\`\``
    const whole = read([text], { maxHeldChars: 1024 })
    expect(whole.pieces.join('')).toBe(chars > 1024 ? text : '{}')
    for (const size of [1, 2, 7]) {
      const got = read(chunksOf(text, size), { maxHeldChars: 1024 })
      expect({ ...got, pieces: got.pieces.join('') }).toEqual({
        ...whole,
        pieces: whole.pieces.join(''),
      })
    }
  })
})

test.each([
  ['prose', 'word '.repeat(40_000)],
  ['whitespace', ' '.repeat(200_000)],
  ['backticks', '`'.repeat(200_000)],
  ['pairs of backticks', '`` '.repeat(60_000)],
  ['a fence and whitespace', `\`\`\`json\n{${' '.repeat(200_000)}`],
  ['a fence and a long remark', `\`\`\`json\n{}\n\`\`\`${'word '.repeat(40_000)}`],
  ['a fence and a long string', `\`\`\`json\n{"a": "${'\n``` x'.repeat(30_000)}`],
  ['reasoning', `<think>${'</thin '.repeat(30_000)}`],
])(
  'a long text by character is read in linear time: %s',
  (_, text) => {
    const whole = read([text])
    const byChar = read([...text])
    expect(byChar.pieces.join('')).toBe(whole.pieces.join(''))
  },
  5000,
)

test('any text is the same in any chunks, and nothing else is emitted', () => {
  const words = ['```', 'json', '{', '}', '"', '\\', '\n', ' ', '`', '~~~', '[', 'x', '\n```\n']
  const tags = ['<think>', '</think>', '```json\n{', '}\n```', ' '.repeat(300), ' '.repeat(1100)]
  const text = fc
    .array(fc.constantFrom(...words, ...words, ...tags), { maxLength: 24 })
    .map(parts => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (answer, cuts, last) => {
      const options = { maxHeldChars: 1024, isBeforeCall: last }
      const whole = read([answer], options)
      for (const chunks of [splitAt(answer, cuts), chunksOf(answer, 1)]) {
        const got = read(chunks, options)
        expect(got.pieces.join(''), describeChunks(chunks)).toBe(whole.pieces.join(''))
        expect(got.problems, describeChunks(chunks)).toEqual(whole.problems)
      }
      // What is left out is before the fence, after it, or its own marks: the rest is in order.
      let at = 0
      for (const char of whole.pieces.join('')) {
        at = answer.indexOf(char, at) + 1
        expect(at).toBeGreaterThan(0)
      }
    }),
    { numRuns: 500 },
  )
})
