import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf, describeChunks, splitAt, visible } from '../support/chunks.js'
import { type ReadRequest, readAnswer, readEvents, readMerged } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { inputs, requests } from './support/messages.js'
import { engineProtocol, readerNames } from './support/protocols.js'

describe.each(readerNames())('chunking does not matter: %s', name => {
  const protocol = engineProtocol(name)
  const cuts = fc.array(fc.nat({ max: 600 }), { maxLength: 6 })

  it('emits the same events for any split of a text', () => {
    fc.assert(
      fc.property(
        inputs(protocol),
        requests,
        cuts,
        fc.boolean(),
        ({ tools, text }, options, places, isCut) => {
          const request = { protocol, tools, chunks: [text], isCut, options }
          expectSameInChunks(request, chunksOf(text, 1))
          expectSameInChunks(request, splitAt(text, places))
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('emits the same events for any split if little may be held back', () => {
    const limits = fc.constantFrom(1, 16, 64, 256, 1024)
    fc.assert(
      fc.property(
        inputs(protocol),
        limits,
        cuts,
        fc.boolean(),
        ({ tools, text }, maxHeldChars, places, isCut) => {
          const request = { protocol, tools, chunks: [text], isCut, options: { maxHeldChars } }
          expectSameInChunks(request, chunksOf(text, 1))
          expectSameInChunks(request, splitAt(text, places))
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('needs no end of the text to be sure of what is plain text', () => {
    fc.assert(
      fc.property(inputs(protocol), ({ tools, text }) => {
        const request = { protocol, tools, chunks: [text] }
        const { events, endsInsideCall } = readAnswer({ ...request, isCut: false })
        // Outside of a call it makes no difference whether the text was cut.
        if (endsInsideCall) return
        expect(events, text).toEqual(readEvents({ ...request, isCut: true }))
      }),
      { numRuns: runsEach },
    )
  })
})

function expectSameInChunks(request: ReadRequest, chunks: readonly string[]): void {
  const where = `${visible(request.chunks.join(''))}\n${describeChunks(chunks)}`
  expect(readMerged({ ...request, chunks }), where).toEqual(readMerged(request))
}
