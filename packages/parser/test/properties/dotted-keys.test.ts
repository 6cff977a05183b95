import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactProtocol } from '../../src/protocols/compact-protocol.js'
import { runsOf } from './support/configure.js'
import { messages } from './support/messages.js'
import { inPieces, scan } from './support/scan.js'

describe.each(['wire', 'line'] as const)('dotted keys: %s', syntax => {
  const protocol = compactProtocol({ syntax, fallbackToJson: 'force' })

  it('reads back nested arguments that were written flat, in any pieces', () => {
    fc.assert(
      fc.property(messages(protocol), fc.integer({ min: 1, max: 9 }), ({ tools, calls }, size) => {
        for (const call of calls) {
          const text = protocol.formatToolCall(call, { tools })
          const got = scan({ protocol, tools, chunks: inPieces(text, size) }).flatMap(
            (event): unknown[] => {
              if (event.type === 'text') return [event.text]
              return event.type === 'call-end' ? [event.problem ?? JSON.parse(event.input)] : []
            },
          )
          // A negative zero is none in JSON.
          expect(got, text).toEqual([JSON.parse(JSON.stringify(call.input))])
        }
      }),
      { numRuns: runsOf(0.5) },
    )
  })
})
