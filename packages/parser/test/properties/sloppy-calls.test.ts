import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsOf } from './support/configure.js'
import { engineProtocol } from './support/protocols.js'
import { inPieces, mergeEvents, scan } from './support/scan.js'
import { sloppyCalls, sloppyTool } from './support/sloppy-calls.js'

describe.each(['wire', 'line'] as const)('sloppy calls: %s', syntax => {
  const protocol = engineProtocol(syntax)
  const tools = [sloppyTool]

  it('reads what was meant, however it was written', () => {
    fc.assert(
      fc.property(sloppyCalls(syntax), ({ text, input }) => {
        const events = mergeEvents(scan({ protocol, tools, chunks: [text] }))
        const content = events.flatMap((event): unknown[] => {
          if (event.type === 'text') return [event.text]
          return event.type === 'call-end' ? [event.problem ?? JSON.parse(event.input)] : []
        })
        expect(content, text).toEqual([input])
        expect(mergeEvents(scan({ protocol, tools, chunks: inPieces(text, 1) })), text).toEqual(
          events,
        )
      }),
      { numRuns: runsOf(1) },
    )
  })
})
