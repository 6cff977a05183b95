import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/engine/events.js'
import { chunksOf, describeChunks } from '../support/chunks.js'
import { readAnswer, readEvents, readMerged } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import { formatOf } from './support/formats.js'
import {
  engineProtocol,
  formatCalls,
  piecesOf,
  readerNames,
  sampleCalls,
  sampleTools,
} from './support/protocols.js'

const MAX_HELD_CHARS = 1024
/** What one character that is held may take in the source: `\\u0041`. */
const ESCAPE_CHARS = 6
/** What a mark, a tag or a gap between calls may take on top. */
const SLACK_CHARS = 5000
const TEXT_CHARS = 20_000

/** What is repeated. Space and comments are not held but skipped, so they prove nothing here. */
const units = [
  'a',
  '1',
  '"',
  "'",
  '\\"',
  '<',
  '</',
  '{',
  '[',
  '"a":',
  '{"a":',
  '</content>',
  '<a',
  '<a>',
  'é',
  '1,',
  '\\u0041',
]

describe.each(readerNames())('what may be held back is bounded: %s', name => {
  const protocol = engineProtocol(name)
  const beginnings = sampleCalls.flatMap(call => {
    let prefix = ''
    return piecesOf(formatCalls(protocol, [call], sampleTools)).map(piece => {
      prefix += piece
      return prefix
    })
  })
  const format = formatOf(protocol)
  const hostileOf = (prefixes: readonly string[], repeated: readonly string[]) =>
    fc
      .tuple(
        fc.constantFrom(...new Set(prefixes)),
        fc.constantFrom(...repeated),
        fc.constantFrom('', '"', '}', '>'),
      )
      .map(([prefix, unit, joint]) => ({ prefix: prefix + joint, unit }))
  const hostile = hostileOf(beginnings, units)
  // Some of what these repeat is skipped and not held; but it must make no difference how it comes.
  const moreHostile = hostileOf(
    [...beginnings, ...format.callBeginnings],
    [...units, ...format.units],
  )
  const textOf = ({ prefix, unit }: { prefix: string; unit: string }) =>
    prefix + unit.repeat(Math.ceil(TEXT_CHARS / unit.length))

  it('always emits something before too much is held', () => {
    fc.assert(
      fc.property(hostile, parts => {
        const text = textOf(parts)
        const chunks = chunksOf(text, 1)
        const options = { maxHeldChars: MAX_HELD_CHARS }
        const answer = readAnswer({ protocol, tools: sampleTools, chunks, options })
        const longestSilence = longestRun(answer.emittedAfter)
        expect(longestSilence, text.slice(0, 200)).toBeLessThan(
          ESCAPE_CHARS * MAX_HELD_CHARS + SLACK_CHARS,
        )
      }),
      { numRuns: runsOf(0.5 / readerNames().length) },
    )
  })

  it('reports when the limit is passed, and reports the same for any chunks', () => {
    fc.assert(
      fc.property(
        moreHostile,
        fc.integer({ min: 1, max: 3000 }),
        fc.boolean(),
        (parts, size, isCut) => {
          const text = textOf(parts)
          const options = { maxHeldChars: MAX_HELD_CHARS }
          const eventsOf = (chunks: readonly string[]) =>
            readMerged({ protocol, tools: sampleTools, chunks, isCut, options })
          const whole = eventsOf([text])
          const chunks = chunksOf(text, size)
          const where = `${text.slice(0, 200)}… ${describeChunks(chunks)}`
          expect(eventsOf(chunks).map(briefly), where).toEqual(whole.map(briefly))
          for (const event of whole) {
            // What is told of an argument inside a call gives out no text.
            if (event.type === 'problem')
              expect(event.problem.code).toBe(event.raw ? 'held-limit' : 'malformed-arguments')
            if (event.type === 'call-end' && event.problem)
              expect(['malformed-arguments', 'doubtful-call', 'cut-call', 'held-limit']).toContain(
                event.problem.code,
              )
          }
        },
      ),
      { numRuns: runsOf(0.5 / readerNames().length) },
    )
  })
})

/** How often in a row the same number comes. */
function longestRun(numbers: readonly number[]): number {
  let run = 0
  let longest = 0
  numbers.forEach((number, i) => {
    run = number === numbers[i - 1] ? run + 1 : 1
    longest = Math.max(longest, run)
  })
  return longest
}

/** An event with its long texts cut short, so that a difference can be read. */
function briefly(event: EngineEvent): unknown {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [
      key,
      typeof value === 'string' && value.length > 200
        ? `${value.slice(0, 200)}… (${hashOf(value)})`
        : value,
    ]),
  )
}

function hashOf(text: string): string {
  return `${text.length} characters, ${createHash('sha1').update(text, 'utf16le').digest('hex')}`
}

it('whitespace inside reasoning is held no longer than other whitespace', () => {
  const text = `<think>a${' '.repeat(TEXT_CHARS)}b</think>c`
  const options = { reasoning: true, maxHeldChars: MAX_HELD_CHARS }
  for (const size of [1, 7, 5000, text.length]) {
    const chunks = chunksOf(text, size)
    const request = { protocol: engineProtocol('hermes'), tools: sampleTools, chunks, options }
    const pieces = readEvents(request).flatMap(event =>
      event.type === 'reasoning' ? [event.text] : [],
    )
    expect(pieces.join('')).toBe(`a${' '.repeat(TEXT_CHARS)}b`)
    if (size < 10) expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(SLACK_CHARS)
  }
})
