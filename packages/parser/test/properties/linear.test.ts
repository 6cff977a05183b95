import { protocolNames } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isHunt, runsOf } from './support/configure.js'
import { findBadGrowth } from './support/growth.js'
import { engineProtocol, formatCalls, houseCalls, houseTools, piecesOf } from './support/protocols.js'

/** A megabyte in a hunt; in CI a size at which what is quadratic already takes seconds. */
const MAX_CHARS = isHunt ? 2_097_152 : 131_072

/** What is repeated to the full size behind the beginning of a call. */
const repeated: readonly string[] = [
  ...['a', ' ', '\n', '<', '>', '/', '"', "'", '\\', '[', '{', '}', ']', ',', ':', '(', '=', '`', '1', '-', '\ud83d'],
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
    '<tool_call>{',
    '<tool_call>{"arguments":"',
    '<get>',
    '<get><city>',
    '<write a="',
  ],
]

describe.each(protocolNames())('linear: %s', name => {
  const protocol = engineProtocol(name)
  const samples = houseCalls.map(call => formatCalls(protocol, [call], houseTools))
  const sizes = [undefined, 4]

  it('takes time in proportion to a text of one thing over and over', () => {
    const bad = [...repeated, ...samples, ...samples.flatMap(prefixesOf)].flatMap(unit =>
      sizes.flatMap(chunkChars => {
        const textOf = (chars: number) => unit.repeat(Math.ceil(chars / unit.length))
        const growth = findBadGrowth({ protocol, tools: houseTools, textOf, maxChars: MAX_CHARS / 4, chunkChars })
        return growth ? [`${JSON.stringify(unit)} repeated, chunks of ${chunkChars}: ${growth}`] : []
      }),
    )
    expect(bad).toEqual([])
  })

  it('takes time in proportion to the text behind the beginning of a call', () => {
    const prefixes = [...new Set(samples.flatMap(prefixesOf))]
    const ends = ['', ...samples.map(sample => sample.slice(-20))]
    fc.assert(
      fc.property(
        fc.constantFrom(...prefixes),
        fc.constantFrom(...repeated),
        fc.constantFrom(...ends),
        fc.constantFrom(...sizes),
        (prefix, unit, end, chunkChars) => {
          const textOf = (chars: number) => prefix + unit.repeat(Math.ceil(chars / unit.length)) + end
          expect(
            findBadGrowth({ protocol, tools: houseTools, textOf, maxChars: MAX_CHARS, chunkChars }),
          ).toBeUndefined()
        },
      ),
      { numRuns: isHunt ? runsOf(1) : Math.ceil(240 / protocolNames().length) },
    )
  })

  it('takes time in proportion to calls nested in each other', () => {
    const bad = samples.flatMap(prefixesOf).flatMap(prefix =>
      ['<a>', '[', '{"a":', '<a><b>'].flatMap(open => {
        const closes = { '<a>': '</a>', '[': ']', '{"a":': '}', '<a><b>': '</b></a>' }[open] ?? ''
        const textOf = (chars: number) => {
          const depth = Math.ceil(chars / (open.length + closes.length))
          return prefix + open.repeat(depth) + closes.repeat(depth)
        }
        const growth = findBadGrowth({ protocol, tools: houseTools, textOf, maxChars: MAX_CHARS / 4 })
        return growth ? [`${JSON.stringify(prefix)} and ${open} nested: ${growth}`] : []
      }),
    )
    expect(bad).toEqual([])
  })
})

/** The beginnings of a text, up to each of its pieces. */
function prefixesOf(text: string): string[] {
  let prefix = ''
  return piecesOf(text).map(piece => {
    prefix += piece
    return prefix
  })
}
