import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactProtocol } from '../../src/protocols/compact-protocol.js'
import { chunksOf, describeChunks } from '../support/chunks.js'
import { readPieces } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import { messages } from './support/messages.js'

describe.each(['wire', 'line'] as const)('dotted keys: %s', syntax => {
  const protocol = compactProtocol({ syntax, fallbackToJson: 'force' })

  it('reads back nested arguments that were written flat, in any pieces', () => {
    fc.assert(
      fc.property(messages(protocol), fc.integer({ min: 1, max: 9 }), ({ tools, calls }, size) => {
        for (const call of calls) {
          const text = protocol.formatToolCall(call, { tools })
          const chunks = chunksOf(text, size)
          // JSON has no negative zero.
          const input: unknown = JSON.parse(JSON.stringify(call.input))
          expect(
            readPieces({ protocol, tools, chunks }),
            `${text}\n${describeChunks(chunks)}`,
          ).toEqual({ pieces: [{ tool: call.toolName, input }], problems: [] })
        }
      }),
      { numRuns: runsOf(0.5) },
    )
  })
})
