import { listProtocols, type ToolCall } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/engine/events.js'
import { readEvents, readMerged } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { formatOf } from './support/formats.js'
import { messages } from './support/messages.js'
import { engineProtocol, formatCalls } from './support/protocols.js'
import { prose } from './support/strings.js'

describe.each(listProtocols())('round trip: %s', name => {
  const protocol = engineProtocol(name)

  it('reads a call that was written with the schema', () => {
    fc.assert(
      fc.property(messages(protocol), ({ tools, calls }) => {
        for (const call of calls) {
          const text = protocol.formatToolCall(call, { tools })
          expectOnlyCalls(readEvents({ protocol, tools, chunks: [text] }), [call], text)
        }
      }),
      { numRuns: runsEach },
    )
  })

  it('reads a call that was written without the schema', () => {
    fc.assert(
      fc.property(messages(protocol), ({ tools, calls }) => {
        for (const call of calls) {
          const text = protocol.formatToolCall(call)
          expectOnlyCalls(readEvents({ protocol, tools, chunks: [text] }), [call], text)
        }
      }),
      { numRuns: runsEach },
    )
  })

  it('reads a call whose input is given as JSON text', () => {
    fc.assert(
      fc.property(messages(protocol), fc.boolean(), ({ tools, calls }, hasTools) => {
        for (const call of calls) {
          const written = { ...call, input: JSON.stringify(call.input) }
          const text = protocol.formatToolCall(written, hasTools ? { tools } : {})
          expectOnlyCalls(readEvents({ protocol, tools, chunks: [text] }), [call], text)
        }
      }),
      { numRuns: runsEach },
    )
  })

  it('reads a call with arguments that the schema does not name but allows', () => {
    fc.assert(
      fc.property(
        messages(protocol, { hasExtraKeys: true }),
        fc.boolean(),
        ({ tools, calls }, hasTools) => {
          for (const call of calls) {
            const text = protocol.formatToolCall(call, hasTools ? { tools } : {})
            expectOnlyCalls(readEvents({ protocol, tools, chunks: [text] }), [call], text)
          }
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('reads several calls of one message', () => {
    fc.assert(
      fc.property(messages(protocol), fc.boolean(), ({ tools, calls }, hasTools) => {
        const text = formatCalls(protocol, calls, hasTools ? tools : undefined)
        expectOnlyCalls(readEvents({ protocol, tools, chunks: [text] }), calls, text)
      }),
      { numRuns: runsEach },
    )
  })

  it('reads calls between prose, and leaves the prose as it is', () => {
    // `I see {…} and more`: a call without a mark counts only in a line of its own.
    const sample = protocol.formatToolCall({ toolCallId: 'id', toolName: 'get', input: {} })
    const isBare = /^(?:[[{]|>>>)/.test(sample)
    const needsOwnLine = isBare || formatOf(protocol).needsOwnLine
    const gap = fc.constantFrom('\n', '\n\n', ...(needsOwnLine ? [] : [' ']))
    fc.assert(
      fc.property(
        messages(protocol),
        prose,
        prose,
        gap,
        ({ tools, calls }, before, after, space) => {
          const texts = calls.map(call => protocol.formatToolCall(call, { tools }))
          const whole = `${before}${space}${texts.join(`${space}${before}${space}`)}${space}${after}${space}`
          const events = readMerged({ protocol, tools, chunks: [whole] })
          const content = events.flatMap((event): unknown[] => {
            if (event.type === 'text') return [event.text]
            return event.type === 'call-end'
              ? [{ toolName: event.toolName, input: readJson(event.input) }]
              : []
          })
          const expected = calls.flatMap((call, i) => [
            i === 0 ? `${before}${space}` : `${space}${before}${space}`,
            { toolName: call.toolName, input: JSON.stringify(call.input) },
          ])
          expect(content, whole).toEqual([...expected, `${space}${after}${space}`])
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('reads a call that had to be made', () => {
    fc.assert(
      fc.property(messages(protocol), fc.boolean(), ({ tools, calls }, isNamed) => {
        for (const call of calls) {
          const text = protocol.formatToolCall(call, { tools })
          const toolChoice = isNamed
            ? { type: 'tool', toolName: call.toolName }
            : { type: 'required' }
          expectOnlyCalls(
            readEvents({ protocol, tools, chunks: [text], options: { toolChoice } }),
            [call],
            text,
          )
        }
      }),
      { numRuns: runsEach },
    )
  })
})

/** JSON in one spelling; text that is no JSON is shown as such. */
function readJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return `no JSON: ${text}`
  }
}

function expectOnlyCalls(
  events: readonly EngineEvent[],
  calls: readonly ToolCall[],
  text: string,
): void {
  const got = events.flatMap((event): unknown[] => {
    if (event.type === 'text') return [event]
    if (event.type !== 'call-end') return []
    const { toolName, input, problem } = event
    return [{ toolName, input: readJson(input), problem }]
  })
  expect(got, text).toEqual(
    calls.map(({ toolName, input }) => ({
      toolName,
      input: JSON.stringify(input),
      problem: undefined,
    })),
  )
}
