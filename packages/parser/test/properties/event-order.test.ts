import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeChunks, splitAt } from '../support/chunks.js'
import { disorderOf, readEvents } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { inputs, requests } from './support/messages.js'
import { engineProtocol, readerNames } from './support/protocols.js'

describe.each(readerNames())('calls come in order: %s', name => {
  const protocol = engineProtocol(name)
  const cuts = fc.array(fc.nat({ max: 600 }), { maxLength: 6 })

  it('ends each call that it starts, and its deltas are its input', () => {
    fc.assert(
      fc.property(
        inputs(protocol),
        requests,
        cuts,
        fc.boolean(),
        ({ tools, text }, options, places, isCut) => {
          const chunks = splitAt(text, places)
          const events = readEvents({ protocol, tools, chunks, isCut, options })
          expect(disorderOf(events), describeChunks(chunks)).toEqual([])
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('emits JSON as the input of a call without a problem, and never JSON with one', () => {
    fc.assert(
      fc.property(inputs(protocol), requests, fc.boolean(), ({ tools, text }, options, isCut) => {
        for (const event of readEvents({ protocol, tools, chunks: [text], isCut, options })) {
          if (event.type !== 'call-end') continue
          // The SDK takes an empty input for `{}`.
          if (event.problem)
            expect(isRunnable(event.input), `${event.problem.code}: ${event.input}`).toBe(false)
          else expect(() => JSON.parse(event.input), event.input).not.toThrow()
        }
      }),
      { numRuns: runsEach },
    )
  })
})

function isRunnable(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
