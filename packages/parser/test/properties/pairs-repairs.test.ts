import { listProtocols } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import {
  callOf,
  engineProtocol,
  formatCalls,
  sampleCalls,
  sampleTools,
  toolOf,
} from './support/protocols.js'
import { hardStrings } from './support/strings.js'

const text = { type: 'string' }
const tool = toolOf('order', {
  type: 'object',
  properties: {
    location: text,
    note: text,
    units: { enum: ['metric', 'imperial'] },
    days: { type: 'integer' },
    dry_run: { type: 'boolean' },
    tags: { type: 'array', items: text },
    place: { type: 'object', properties: { name: text } },
  },
})
type Syntax = 'wire' | 'line'
type Input = Readonly<Record<string, unknown>>

/** The inputs of the calls that run. */
function inputsOf(syntax: Syntax, answer: string, chars = answer.length): Input[] {
  const protocol = engineProtocol(syntax)
  const events = readEvents({ protocol, tools: [tool], chunks: chunksOf(answer, chars) })
  return events.flatMap(event =>
    event.type === 'call-end' && !event.problem ? [JSON.parse(event.input)] : [],
  )
}

const write = (syntax: Syntax, input: Input) =>
  engineProtocol(syntax).formatToolCall(callOf('order', input), { tools: [tool] })

// Keys that are misspelt.

const strings = hardStrings([
  ' days=',
  ' note=',
  'units',
  ' = ',
  '</call>',
  ', ',
  'https://a.b/?days=3',
])
const plainTexts = fc.constantFrom('Paris', 'New York', 'src/app.ts', 'DE-8842', 'ann@example.org')

const inputs = (texts: fc.Arbitrary<string>): fc.Arbitrary<Input> =>
  fc
    .record(
      {
        location: texts,
        note: texts,
        units: fc.constantFrom('metric', 'imperial'),
        days: fc.integer(),
        dry_run: fc.boolean(),
        tags: fc.array(texts, { maxLength: 3 }),
        place: fc.record({ name: texts }),
      },
      { requiredKeys: [] },
    )
    .chain(input =>
      fc.shuffledSubarray(Object.entries(input), {
        minLength: Math.min(2, Object.keys(input).length),
      }),
    )
    .map(entries => Object.fromEntries(entries))

/** All ways to write a key with one letter dropped, doubled, added or swapped with the next one. */
function editsOf(key: string): string[] {
  const letters = [...key]
  return letters.flatMap((letter, i) => {
    const [head, tail] = [key.slice(0, i), key.slice(i + 1)]
    const swapped = head + tail.charAt(0) + letter + tail.slice(1)
    const replaced = key.length < 5 ? [] : [`${head}z${tail}`]
    return [
      head + tail,
      head + letter + letter + tail,
      `${head}z${letter}${tail}`,
      swapped,
      ...replaced,
    ]
  })
}

/** Other ways to say the key, and in `wire` any word. */
function otherWords(syntax: Syntax, key: string): string[] {
  const like = [
    key.toUpperCase(),
    `${key}s`,
    `the_${key}`,
    key.replace('_', '-'),
    key.replace('_', ''),
  ]
  const short = key.length > 5 ? [key.slice(0, 3)] : []
  return [...like, ...short, ...(syntax === 'wire' ? ['scale', 'is_test', 'xy'] : [])]
}

/** Reads a call in which a key is written in another way. No other argument may differ. */
function expectOthersAsWritten(syntax: Syntax, input: Input, key: string, word: string): void {
  const written = write(syntax, input)
  const at = written.indexOf(` ${key}=`)
  // JSON is in its place, or the key is also in a text.
  if (at < 0 || written.indexOf(` ${key}=`, at + 1) >= 0) return
  const answer = `${written.slice(0, at + 1)}${word}${written.slice(at + 1 + key.length)}`
  const { [key]: _, ...others } = input
  for (const chars of [answer.length, 1]) {
    for (const found of inputsOf(syntax, answer, chars)) expect(found, answer).toMatchObject(others)
  }
}

describe.each(['wire', 'line'] as const)('a key that is misspelt: %s', syntax => {
  const examples = fc.record({ key: fc.nat(), word: fc.nat() })
  const pick = <T>(items: readonly T[], at: number) => items[at % items.length]

  it('changes no other argument, if one letter is wrong', () => {
    fc.assert(
      fc.property(inputs(strings), examples, (input, { key: keyAt, word: wordAt }) => {
        const key = pick(Object.keys(input), keyAt)
        const word = key && pick(editsOf(key), wordAt)
        if (key && word) expectOthersAsWritten(syntax, input, key, word)
      }),
      { numRuns: runsOf(1) },
    )
  })

  it('changes no other argument, if it is another word', () => {
    fc.assert(
      fc.property(inputs(plainTexts), examples, (input, { key: keyAt, word: wordAt }) => {
        const key = pick(Object.keys(input), keyAt)
        const word = key && pick(otherWords(syntax, key), wordAt)
        if (key && word) expectOthersAsWritten(syntax, input, key, word)
      }),
      { numRuns: runsOf(1) },
    )
  })
})

// Values that quote markup.

const quoted = [
  ...listProtocols().map(name => formatCalls(engineProtocol(name), sampleCalls, sampleTools)),
  '<p class="a">x &amp; y</p>\n<br/>',
  '<Button onClick={() => send({ days: 3 })} disabled={x < 3}>{a}</Button>',
  '<?xml version="1.0"?>\n<a note="x" days=\'3\'><![CDATA[</call>]]></a>',
  'export DAYS=3 note="x"; for f in *.txt; do cat "$f" | grep -v \'a\'; done\ncat <<END\nx\nEND',
  '{"location": "Paris", "days": 3, "note": "a \\"b\\""}',
  'location: Paris\nnote: |\n  days=3\n  units: metric\n',
  'Use `note=x days=3`:\n\n```sh\ncurl https://a.b/?days=3&note=x\n```\n',
  'const units = 3, days=4\nif (units<days) { note = "x" }\n',
  'def f(days=3, note=\'x\'):\n    """Says units=metric."""\n    return f\'{days}\'\n',
  "SELECT * FROM t WHERE days=3 AND note = 'x'",
]

describe.each(['wire', 'line'] as const)('values that quote markup: %s', syntax => {
  const protocol = engineProtocol(syntax)
  const expectAsWritten = (answer: string, input: Input) => {
    const events = readEvents({ protocol, tools: [tool], chunks: [answer] })
    const ends = events.flatMap(event => (event.type === 'call-end' ? [event] : []))
    expect(
      ends.map(({ repairs, problem }) => [...repairs, problem]),
      answer,
    ).toEqual([[undefined]])
    expect(ends.map(end => JSON.parse(end.input))).toEqual([input])
  }

  it.each(quoted)('are read as they are written, and nothing is repaired: %j', value => {
    const places: Input[] = [
      { note: value },
      { note: value, days: 3 },
      { location: 'x', note: value, units: 'metric' },
      { tags: [value, 'x'], days: 3 },
      { place: { name: value }, dry_run: true },
      ...value.split('\n').map(line => ({ note: line, days: 3 })),
    ]
    for (const input of places) expectAsWritten(write(syntax, input), input)
  })

  it.each(quoted)('are read as they are in quotes or between lines: %j', value => {
    const form = syntax === 'wire' ? JSON.stringify(value) : `<<EOT_1\n${value}\nEOT_1`
    const pairs = `order location=x note=${form} days=3`
    const answer = syntax === 'wire' ? `<call>${pairs}</call>` : `@${pairs}`
    expectAsWritten(answer, { location: 'x', note: value, days: 3 })
  })
})
