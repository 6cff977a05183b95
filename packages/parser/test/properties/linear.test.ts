import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Cursor, Reading } from '../../src/engine/text/cursor.js'
import { startReader } from '../../src/engine/text/run.js'
import { compactProtocol } from '../../src/protocols/compact-protocol.js'
import { weatherTool } from '../sdk/support/weather.js'
import { readEvents } from '../support/read-answer.js'
import { isHunt, runsOf } from './support/configure.js'
import { countWindow, installStepCounter } from './support/count-steps.js'
import { formatOf } from './support/formats.js'
import { findBadGrowth } from './support/growth.js'
import {
  engineProtocol,
  formatCalls,
  oneOfEachGrammar,
  piecesOf,
  sampleCalls,
  sampleTools,
} from './support/protocols.js'

/** The window of every cursor counts what is joined in it. */
vi.mock('../../src/engine/text/cursor.js', async original => {
  const module = await original<typeof import('../../src/engine/text/cursor.js')>()
  return { ...module, createCursor: () => countWindow(module.createCursor()) }
})

let restore = () => {}
beforeAll(() => {
  restore = installStepCounter()
})
afterAll(() => restore())

const sizes = [undefined, 4]
/** Of all pairs of a beginning and a unit of a format, one in so many is measured in CI. */
const CI_SHARE = 7

/** What is repeated, by itself or behind the beginning of a call. */
const commonUnits: readonly string[] = [
  ...[
    'a',
    ' ',
    '\n',
    '<',
    '>',
    '/',
    '"',
    "'",
    '\\',
    '[',
    '{',
    '}',
    ']',
    ',',
    ':',
    '(',
    '=',
    '`',
    '1',
    '-',
    '\ud83d',
  ],
  ...[
    '</',
    '<a',
    '<a>',
    '<a></a>',
    '</a>',
    '</content> ',
    '</content>\n<',
    '<content>',
    '<!--',
    '<![CDATA[',
    ']]>',
    ']]',
  ],
  ...[
    '"a",',
    '", "',
    '","a',
    '": "',
    '{"a":',
    '[{"a":',
    '{"arguments":"',
    '{"name":"',
    '"a" ',
    "', '",
    '/*',
    '//',
    '\\u',
  ],
  ...[
    '```',
    '```json',
    '<tool_call>',
    '<tool_call>x',
    '<tool_call>{',
    '<tool_call>{"arguments":"',
    '<tool_call>{"name":"write","arguments":',
  ],
  ...[
    '<think>',
    '</think>',
    '\n<think>',
    '\n<think><tool_call>',
    'a <think>',
    '```\n<think>\n```\n',
    '<|im_end|>',
    '\n```',
    '\n```\n',
  ],
  ...['<get>', '<get>x', '<get><city>', '<get>\n<city>x</city>\n', '<write a="'],
]

/**
 * Beginnings after which something once had to be read again and again. They are used for formats
 * that have no `callBeginnings`.
 */
const commonBeginnings: readonly string[] = [
  ...[
    '<get>{',
    '<get><!-- ',
    '<get ',
    '<write><content>',
    '<write><content><![CDATA[',
    '<write><content><![CDATA[a]]>',
  ],
  ...[
    '<any><x>',
    '<any><x><',
    '<any>{"',
    '<tool_call>',
    '<tool_call>{"name":"',
    '<tool_call>{"arguments":{"a":[',
  ],
  '<tool_call>{"name":"get","arguments":{"city":"',
  '<tool_call>{"name":"get","arguments":{"city":"a"',
  '<tool_call>{"name":"get","arguments":{"city":"a"b',
  '<tool_call>{"name":"get","arguments":{"city" ?',
]

/** Looks for a `!` in all text so far whenever more of it comes, and takes nothing. */
function* readAgainAndAgain(cursor: Cursor): Reading {
  while (!cursor.isFinal && !cursor.text.includes('!')) yield
}

/** Looks for a `!` in all text ahead at each character. */
function* lookFromEachCharacter(cursor: Cursor): Reading {
  while (!cursor.isFinal) {
    for (; cursor.at < cursor.text.length; cursor.at++) cursor.text.indexOf('!', cursor.at)
    yield
  }
}

/** Takes each chunk as it comes, and looks at nothing twice. */
function* takeEachCharacter(cursor: Cursor): Reading {
  while (!cursor.isFinal) {
    for (; cursor.at < cursor.text.length; cursor.at++) cursor.text.charAt(cursor.at)
    yield
  }
}

/** Takes nothing, so that the window is joined again for each chunk. */
function* takeNothing(cursor: Cursor): Reading {
  while (!cursor.isFinal) yield
}

describe('the counter of steps', () => {
  const growthOf = (reader: (cursor: Cursor) => Reading, chunkChars?: number) =>
    findBadGrowth({
      textOf: chars => fill('a', chars),
      chunkChars,
      read(chunks) {
        const running = startReader(reader)
        for (const chunk of chunks) running.feed(chunk)
        running.end(false)
      },
    })

  it.each([
    ['looks at all text so far for each chunk', readAgainAndAgain, 4],
    ['looks at all text ahead for each character', lookFromEachCharacter, undefined],
    ['joins all text so far with each chunk', takeNothing, 4],
  ] as const)('finds a reader that %s', (_, reader, chunkChars) => {
    expect(growthOf(reader, chunkChars)).toMatch(/^2048 characters: \d+ steps, 8192: \d+/)
  })

  it.each([undefined, 4])(
    'finds nothing wrong with a reader that looks at each character once, in chunks of %s',
    size => {
      expect(growthOf(takeEachCharacter, size)).toBeUndefined()
    },
  )
})

const names = [...oneOfEachGrammar(), 'auto']
const numRuns = isHunt ? runsOf(1) : Math.max(20, Math.ceil(60 / names.length))

describe.each(names)('linear: %s', name => {
  const protocol = engineProtocol(name)
  const format = formatOf(protocol)
  const units = [...new Set([...commonUnits, ...format.units])]
  const samples = sampleCalls.map(call => formatCalls(protocol, [call], sampleTools))
  const beginnings = [
    ...new Set([
      ...samples.flatMap(beginningsOf),
      ...(format.callBeginnings.length ? format.callBeginnings : commonBeginnings),
    ]),
  ]

  const read = (chunks: readonly string[]) => readEvents({ protocol, tools: sampleTools, chunks })
  const growthOf = (textOf: (chars: number) => string, chunkChars?: number) =>
    findBadGrowth({ read, textOf, chunkChars })

  it('takes time in proportion to one thing over and over', () => {
    const bad = [...units, ...samples].flatMap((unit, i) => {
      const chunkChars = sizes[i % sizes.length]
      const growth = growthOf(chars => fill(unit, chars), chunkChars)
      return growth
        ? [`${JSON.stringify(unit)} in chunks of ${chunkChars ?? 'any size'}: ${growth}`]
        : []
    })
    expect(bad).toEqual([])
  })

  it('takes time in proportion to a mark that is only mentioned, over and over in one piece', () => {
    const marks = [...new Set(samples.map(sample => piecesOf(sample)[0] ?? ''))]
    const bad = marks.flatMap(mark => {
      const growth = growthOf(chars => fill(`${mark} x `, chars))
      return growth ? [`${JSON.stringify(mark)}: ${growth}`] : []
    })
    expect(bad).toEqual([])
  })

  it('takes time in proportion to the beginning of a call over and over', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.constantFrom(...sizes),
        (beginning, chunkChars) => {
          expect(growthOf(chars => fill(beginning, chars), chunkChars)).toBeUndefined()
        },
      ),
      { numRuns, endOnFailure: true },
    )
  })

  it('takes time in proportion to what follows the beginning of a call', () => {
    const ends = ['', ...samples.map(sample => sample.slice(-20))]
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.constantFrom(...units),
        fc.constantFrom(...ends),
        fc.constantFrom(...sizes),
        (beginning, unit, end, chunkChars) => {
          const growth = growthOf(chars => beginning + fill(unit, chars) + end, chunkChars)
          expect(growth).toBeUndefined()
        },
      ),
      { numRuns, endOnFailure: true },
    )
  })

  it('takes time in proportion to a call that is never closed', () => {
    const pairs = format.callBeginnings.length
      ? pairsOf(format.callBeginnings, format.units, isHunt ? 1 : CI_SHARE)
      : pairsOf(commonBeginnings, ['a', ' ', '<', '"'], 1)
    const bad = pairs.flatMap(([beginning, unit], i) => {
      const chunkChars = format.callBeginnings.length ? sizes[i % sizes.length] : 4
      const growth = growthOf(chars => beginning + fill(unit, chars), chunkChars)
      return growth ? [`${JSON.stringify(beginning)} and ${JSON.stringify(unit)}: ${growth}`] : []
    })
    expect(bad).toEqual([])
  })

  it.runIf(format.callBeginnings.length)(
    'takes time in proportion to the number of arguments',
    () => {
      const keys = ['user.k', 'k']
      const bad = keys.flatMap(key =>
        sizes.flatMap(chunkChars => {
          const textOf = (chars: number) =>
            `${samples[1]?.split(' ')[0]} ${Array.from({ length: chars / 12 }, (_, i) => `${key}${i}="1"`).join(' ')}`
          const growth = growthOf(textOf, chunkChars)
          return growth ? [`${key} in chunks of ${chunkChars ?? 'any size'}: ${growth}`] : []
        }),
      )
      expect(bad).toEqual([])
    },
  )

  it('takes time in proportion to the depth of values', () => {
    const brackets = [
      ['<a>', '</a>'],
      ['[', ']'],
      ['{"a":', '}'],
      ['<a><b>', '</b></a>'],
    ] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.constantFrom(...brackets),
        (beginning, [open, close]) => {
          const textOf = (chars: number) => {
            const depth = Math.ceil(chars / (open.length + close.length))
            return beginning + open.repeat(depth) + close.repeat(depth)
          }
          expect(growthOf(textOf)).toBeUndefined()
        },
      ),
      { numRuns, endOnFailure: true },
    )
  })
})

/** One of so many pairs, so that each beginning and each unit is used. */
function pairsOf(
  callBeginnings: readonly string[],
  units: readonly string[],
  share: number,
): (readonly [string, string])[] {
  return callBeginnings.flatMap((beginning, i) =>
    units.filter((_, k) => (i + k) % share === 0).map(unit => [beginning, unit] as const),
  )
}

function fill(unit: string, chars: number): string {
  return unit.repeat(Math.ceil(chars / unit.length))
}

/** The beginnings of a text, up to each of its pieces. */
function beginningsOf(text: string): string[] {
  let beginning = ''
  return piecesOf(text).map(piece => {
    beginning += piece
    return beginning
  })
}

describe('linear: the compact syntaxes, one long value', () => {
  it.each([
    { syntax: 'wire' as const, textOf: (chars: number) => `<call>${'x'.repeat(chars)}` },
    { syntax: 'wire' as const, textOf: (chars: number) => '<call>'.repeat(chars / 6) },
    {
      syntax: 'wire' as const,
      textOf: (chars: number) => `<call>get_weather city=${'x'.repeat(chars)}`,
    },
    {
      syntax: 'wire' as const,
      textOf: (chars: number) => `<call>get_weather city=${'a='.repeat(chars / 2)}`,
    },
    {
      syntax: 'wire' as const,
      textOf: (chars: number) => `<call>get_weather city="${'" x'.repeat(chars / 3)}`,
    },
    {
      syntax: 'line' as const,
      textOf: (chars: number) => `@get_weather city=${' days'.repeat(chars / 5)}`,
    },
    {
      syntax: 'line' as const,
      textOf: (chars: number) => `@get_weather city=<<END\n${'EN\n'.repeat(chars / 3)}`,
    },
  ])('$syntax takes time in proportion to the text', ({ syntax, textOf }) => {
    const protocol = compactProtocol({ syntax })
    const read = (chunks: readonly string[]) =>
      readEvents({ protocol, tools: [weatherTool], chunks })
    expect(findBadGrowth({ read, textOf, chunkChars: 4 })).toBeUndefined()
  })
})
