import { listProtocols, type ParserOptions, type Part } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/engine/events.js'
import type { EngineProtocol } from '../../src/protocols/protocol.js'
import { describeChunks, splitAt } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
import { runsOf } from './support/configure.js'
import { type Input, inputs, requests } from './support/messages.js'
import { engineProtocol, readerNames } from './support/protocols.js'

const runs = runsOf(0.3 / listProtocols().length)

describe.each(readerNames())('parts of a stream: %s', name => {
  const protocol = engineProtocol(name)
  const cuts = fc.array(fc.nat({ max: 600 }), { maxLength: 6 })
  const finishReasons = fc.constantFrom('stop', 'length', 'tool-calls', 'error')

  it('opens and closes each text and each input, and a call has one id', async () => {
    const options = fc.tuple(requests, fc.boolean()).map(
      ([request, isHeld]): ParserOptions => ({
        ...request,
        emitRawToolCallTextOnError: isHeld,
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        inputs(protocol),
        options,
        cuts,
        finishReasons,
        async (input, request, places, reason) => {
          const deltas = splitAt(input.text, places).map(delta =>
            textPart('text-delta', '1', delta),
          )
          const parts = await transform(protocol, input, request, [
            textPart('text-start', '1'),
            ...deltas,
            textPart('text-end', '1'),
            finishPart(reason),
          ])
          expectBalanced(parts)
          expect(parts.at(-1)?.type).toBe('finish')
        },
      ),
      { numRuns: runs },
    )
  })

  it('emits the same as the scanner, and the same for a whole text', async () => {
    await fc.assert(
      fc.asyncProperty(inputs(protocol), requests, cuts, async (input, options, places) => {
        const chunks = splitAt(input.text, places)
        const deltas = chunks.map(delta => textPart('text-delta', '1', delta))
        const parts = await transform(protocol, input, options, [...deltas, finishPart('stop')])
        const { tools, text } = input
        const expected = contentOfEvents(readEvents({ protocol, tools, chunks: [text], options }))
        expect(contentOf(parts), describeChunks(chunks)).toEqual(expected)
        const whole = protocol.parseGeneratedText({ text, tools, options })
        expect(contentOf(whole)).toEqual(expected)
      }),
      { numRuns: runs },
    )
  })

  it('separates the calls of two texts that come at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(inputs(protocol), inputs(protocol), cuts, async (left, right, places) => {
        const input = { ...left, tools: left.tools }
        const deltas = [left, { ...right, tools: left.tools }].map(({ text }, i) =>
          splitAt(text, places).map(delta => textPart('text-delta', String(i), delta)),
        )
        const mixed = Array.from({ length: places.length + 1 }, (_, i) =>
          deltas.flatMap(each => each.slice(i, i + 1)),
        ).flat()
        const parts = await transform(protocol, input, {}, [...mixed, finishPart('stop')])
        expectBalanced(parts)
      }),
      { numRuns: runs },
    )
  })
})

function textPart(type: string, id: string, delta?: string): Part {
  return delta === undefined ? { type, id } : { type, id, delta }
}

function finishPart(finishReason: string): Part {
  return { type: 'finish', finishReason }
}

async function transform(
  protocol: EngineProtocol,
  { tools }: Input,
  options: ParserOptions,
  parts: readonly Part[],
): Promise<Part[]> {
  const stream = protocol.createStreamParser({ tools, options })
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  const out: Part[] = []
  const write = async () => {
    for (const part of parts) await writer.write(part)
    await writer.close()
  }
  const read = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      out.push(next.value)
  }
  await Promise.all([write(), read()])
  return out
}

function expectBalanced(parts: readonly Part[]): void {
  const openTexts = new Set<string>()
  const openCalls = new Map<
    string,
    { readonly toolName: string | undefined; input: string; isEnded: boolean }
  >()
  const usedIds = new Set<string>()
  for (const { type, id = '', delta = '', toolCallId = '', toolName, input } of parts) {
    const call = openCalls.get(type === 'tool-call' ? toolCallId : id)
    switch (type) {
      case 'text-start':
        expect(openTexts.has(id), `text ${id} is opened twice`).toBe(false)
        openTexts.add(id)
        break
      case 'text-delta':
        expect(openTexts.has(id), `text ${id} is not open`).toBe(true)
        break
      case 'text-end':
        expect(openTexts.delete(id), `text ${id} is not open`).toBe(true)
        break
      case 'tool-input-start':
        expect(usedIds.has(id)).toBe(false)
        usedIds.add(id)
        openCalls.set(id, { toolName, input: '', isEnded: false })
        break
      case 'tool-input-delta':
        expect(call?.isEnded, 'a delta outside of its input').toBe(false)
        if (call) call.input += delta
        break
      case 'tool-input-end':
        expect(call?.isEnded, 'an end without a start').toBe(false)
        if (call) call.isEnded = true
        break
      case 'tool-call':
        expect(call).toEqual({ toolName, input, isEnded: true })
        openCalls.delete(toolCallId)
    }
  }
  expect([...openTexts]).toEqual([])
  expect([...openCalls]).toEqual([])
}

/** Texts and calls in order; neighbouring texts are one. */
function contentOf(parts: readonly Part[]): string[] {
  const content: string[] = []
  let isText = false
  for (const { type, delta, text = delta ?? '', toolName = '', input = '' } of parts) {
    if (type === 'tool-call') content.push(`${toolName}(${input})`)
    else if (type !== 'text' && type !== 'text-delta') continue
    else if (isText) content.push((content.pop() ?? '') + text)
    else content.push(text)
    isText = type !== 'tool-call'
  }
  return content
}

/** The same of events. A report between two texts does not part them. */
function contentOfEvents(events: readonly EngineEvent[]): string[] {
  return contentOf(
    events.flatMap((event): Part[] => {
      if (event.type === 'text') return [event]
      return event.type === 'call-end'
        ? [{ type: 'tool-call', toolName: event.toolName, input: event.input }]
        : []
    }),
  )
}
