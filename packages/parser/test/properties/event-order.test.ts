import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runsEach } from './support/configure.js'
import { inputs, requests } from './support/messages.js'
import { engineProtocol, readerNames } from './support/protocols.js'
import { scan, splitAt } from './support/scan.js'

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
          let open: string | undefined
          let input = ''
          for (const event of scan({
            protocol,
            tools,
            chunks: splitAt(text, places),
            isCut,
            options,
          })) {
            switch (event.type) {
              case 'text':
                expect(open).toBeUndefined()
                expect(event.text).not.toBe('')
                break
              case 'call-start':
                expect(open).toBeUndefined()
                open = event.toolName
                input = ''
                break
              case 'call-delta':
                expect(open).toBeDefined()
                expect(event.delta).not.toBe('')
                input += event.delta
                break
              case 'call-end':
                expect(event.toolName).toBe(open)
                expect(event.input).toBe(input)
                open = undefined
            }
          }
          expect(open).toBeUndefined()
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('gives a call without a problem JSON, and one with a problem something that cannot run', () => {
    fc.assert(
      fc.property(inputs(protocol), requests, fc.boolean(), ({ tools, text }, options, isCut) => {
        for (const event of scan({ protocol, tools, chunks: [text], isCut, options })) {
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
