import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf, describeChunks } from '../support/chunks.js'
import { readPieces } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import { engineProtocol } from './support/protocols.js'
import { sloppyCalls, sloppyTool } from './support/sloppy-calls.js'

describe.each(['wire', 'line'] as const)('calls with mistakes: %s', syntax => {
  const protocol = engineProtocol(syntax)
  const tools = [sloppyTool]

  it('reads what was meant, however it was written', () => {
    fc.assert(
      fc.property(sloppyCalls(syntax), ({ text, input }) => {
        for (const chunks of [[text], chunksOf(text, 1)]) {
          const got = readPieces({ protocol, tools, chunks })
          const want = { pieces: [{ tool: sloppyTool.name, input }], problems: [] }
          expect(got, `${text}\n${describeChunks(chunks)}`).toEqual(want)
        }
      }),
      { numRuns: runsOf(1) },
    )
  })
})
