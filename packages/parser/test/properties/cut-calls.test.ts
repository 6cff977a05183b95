import { listProtocols } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visible } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { messages } from './support/messages.js'
import { engineProtocol } from './support/protocols.js'

describe.each(listProtocols())('a call that is cut is never whole: %s', name => {
  const protocol = engineProtocol(name)
  const cuts = fc.array(fc.nat(), { minLength: 6, maxLength: 6 })

  it('makes of the beginning of a call that call, or none that can run', () => {
    fc.assert(
      fc.property(messages(protocol), fc.boolean(), cuts, ({ tools, calls }, hasTools, places) => {
        for (const { toolName, input, toolCallId } of calls) {
          const text = protocol.formatToolCall(
            { toolName, input, toolCallId },
            hasTools ? { tools } : {},
          )
          for (const place of places) {
            // Every other cut falls near the end, where little is missing.
            const missingChars = place % Math.min(text.length, place % 2 ? 16 : text.length)
            const beginning = text.slice(0, text.length - missingChars)
            const whole = readEvents({ protocol, tools, chunks: [beginning], isCut: true }).flatMap(
              event =>
                event.type === 'call-end' && !event.problem
                  ? [{ toolName: event.toolName, input: JSON.stringify(JSON.parse(event.input)) }]
                  : [],
            )
            const where = `cut ${missingChars} before the end: ${visible(beginning)}`
            if (whole.length)
              expect(whole, where).toEqual([{ toolName, input: JSON.stringify(input) }])
          }
        }
      }),
      { numRuns: runsEach },
    )
  })
})
