import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/engine/events.js'
import { describeChunks, splitAt } from '../support/chunks.js'
import { readMerged } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { inputs, requests } from './support/messages.js'
import { engineProtocol, readerNames } from './support/protocols.js'

describe.each(readerNames())('nothing is lost: %s', name => {
  const protocol = engineProtocol(name)
  const cuts = fc.array(fc.nat({ max: 600 }), { maxLength: 3 })

  it('emits all of the text as text or as the raw text of a call, in order', () => {
    fc.assert(
      fc.property(
        inputs(protocol),
        requests,
        cuts,
        fc.boolean(),
        ({ tools, text }, options, places, isCut) => {
          const chunks = splitAt(text, places)
          const events = readMerged({ protocol, tools, chunks, isCut, options })
          expectAllOf(text, events, describeChunks(chunks), options.reasoning === true)
        },
      ),
      { numRuns: runsEach },
    )
  })

  it('emits all of the text if little may be held back', () => {
    const limits = fc.constantFrom(1, 16, 64, 256, 1024)
    fc.assert(
      fc.property(
        inputs(protocol),
        limits,
        cuts,
        fc.boolean(),
        ({ tools, text }, maxHeldChars, places, isCut) => {
          const chunks = splitAt(text, places)
          const events = readMerged({ protocol, tools, chunks, isCut, options: { maxHeldChars } })
          expectAllOf(text, events, describeChunks(chunks))
        },
      ),
      { numRuns: runsEach },
    )
  })
})

it('emits the header and the end of a message of text as markup', () => {
  const text = ' to=user<|message|>Hello.<|eom|><|start|>assistant to=self<|message|>Hm.<|eot|>'
  const chunks = [text]
  const events = readMerged({ protocol: engineProtocol('muse_glimmer'), tools: [], chunks })
  expect(events).toContainEqual({ type: 'text', text: 'Hello.' })
  expectAllOf(text, events, describeChunks(chunks))
})

/**
 * Text, calls and markup that stands for nothing, one after the other, are the input, but for space
 * that stands next to a call and nothing else.
 */
function expectAllOf(
  text: string,
  events: readonly EngineEvent[],
  where: string,
  isThinking = false,
): void {
  // Next to a call markup is like a call.
  const hasCalls = events.some(event => event.type === 'call-end')
  const spans = events.flatMap(event => {
    if (event.type === 'text') return [{ isCall: false, isLoose: false, raw: event.text }]
    if (event.type === 'reasoning') return [{ isCall: false, isLoose: true, raw: event.text }]
    if (event.type === 'markup') return [{ isCall: hasCalls, isLoose: isThinking, raw: event.raw }]
    return event.type === 'call-end' ? [{ isCall: true, isLoose: isThinking, raw: event.raw }] : []
  })
  let at = 0
  spans.forEach(({ isCall, isLoose, raw }, i) => {
    const wasCall = i === 0 || spans[i - 1]?.isCall === true
    // Only here may whitespace be missing: before the first call, between two, and around reasoning that
    // are told apart.
    const mayLack =
      (isCall && wasCall) || isLoose || spans[i - 1]?.isLoose || (i === 0 && isThinking)
    if (mayLack && !text.startsWith(raw, at)) at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0
    expect(text.slice(at, at + raw.length), `${where}, at ${at}`).toBe(raw)
    at += raw.length
  })
  const hasCall = spans.some(span => span.isCall)
  const rest = text.slice(at)
  const last = spans.at(-1)
  const mayEndInSpace = last?.isCall || last?.isLoose || (isThinking && !last)
  expect(mayEndInSpace ? rest.trim() : rest, `${where}, the rest from ${at}`).toBe('')
  if (!hasCall && !isThinking) expect(spans.map(span => span.raw).join(''), where).toBe(text)
  for (const event of events) {
    if (event.type !== 'call-end' && event.type !== 'problem') continue
    expect(text.slice(event.offset, event.offset + event.raw.length), where).toBe(event.raw)
  }
  const offsets = events.flatMap(event => (event.type === 'call-end' ? [event.offset] : []))
  expect(offsets, where).toEqual([...offsets].sort((left, right) => left - right))
}
