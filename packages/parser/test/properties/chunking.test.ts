import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsEach } from './support/configure.js'
import { inputs, requests } from './support/messages.js'
import { engineProtocol, readerNames } from './support/protocols.js'
import { inPieces, mergeEvents, scan, splitAt } from './support/scan.js'

describe.each(readerNames())('chunking does not matter: %s', name => {
  const protocol = engineProtocol(name)
  const cuts = fc.array(fc.nat({ max: 600 }), { maxLength: 6 })

  it('gives the same events for any split of a text', () => {
    fc.assert(
      fc.property(
        inputs(protocol),
        requests,
        cuts,
        fc.boolean(),
        ({ tools, text }, options, places, isCut) => {
          const eventsOf = (chunks: readonly string[]) =>
            mergeEvents(scan({ protocol, tools, chunks, isCut, options }))
          const whole = eventsOf([text])
          expect(eventsOf(inPieces(text, 1))).toEqual(whole)
          expect(eventsOf(splitAt(text, places))).toEqual(whole)
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('gives the same events for any split where little may be held back', () => {
    const limits = fc.constantFrom(1, 16, 64, 256, 1024)
    fc.assert(
      fc.property(
        inputs(protocol),
        limits,
        cuts,
        fc.boolean(),
        ({ tools, text }, maxHeldChars, places, isCut) => {
          const eventsOf = (chunks: readonly string[]) =>
            mergeEvents(scan({ protocol, tools, chunks, isCut, options: { maxHeldChars } }))
          const whole = eventsOf([text])
          expect(eventsOf(inPieces(text, 1))).toEqual(whole)
          expect(eventsOf(splitAt(text, places))).toEqual(whole)
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('needs no end of the text to be sure of what is plain text', () => {
    fc.assert(
      fc.property(inputs(protocol), fc.boolean(), ({ tools, text }, isCut) => {
        let isInside = false
        const scanner = protocol.createScanner({ tools, emit: () => {} })
        scanner.feed(text)
        isInside = scanner.isInsideCall()
        scanner.end(isCut)
        // Outside of a call it makes no difference whether the text was cut.
        if (isInside) return
        expect(scan({ protocol, tools, chunks: [text], isCut: false })).toEqual(
          scan({ protocol, tools, chunks: [text], isCut: true }),
        )
      }),
      { numRuns: runsEach },
    )
  })
})
