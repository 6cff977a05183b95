import { type FunctionTool, listProtocols, type ParserOptions } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src/engine/events.js'
import type { Mark } from '../../src/engine/grammar.js'
import { markStrength } from '../../src/engine/mark-strength.js'
import { foldName } from '../../src/engine/tool-lookup.js'
import { autoProtocol } from '../../src/formats/auto-protocol.js'
import * as formats from '../../src/formats/catalogue.js'
import { nativeFormats } from '../../src/formats/registry.js'
import type { EngineProtocol } from '../../src/protocols/protocol.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { chunksOf } from '../support/chunks.js'
import { readMerged } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { callOf, engineProtocol, formatCalls, toolOf } from './support/protocols.js'

const signs = ['-', '_', '.']
const schema = { type: 'object', properties: { city: { type: 'string' } } }
const args = { city: 'Paris' }

/** `get_weather`, `tides.At`. A tag of fewer than four characters counts only in its own format. */
const toolNames = fc
  .tuple(
    fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{3,6}$/),
    fc.array(fc.tuple(fc.constantFrom(...signs), fc.stringMatching(/^[a-zA-Z]{1,5}$/)), {
      maxLength: 2,
    }),
  )
  .map(([first, parts]) => first + parts.map(part => part.join('')).join(''))

/** The same name, with other cases and other signs. */
const respelt = (name: string, choices: readonly number[]) =>
  [...name]
    .map((char, at) => {
      const choice = choices[at % choices.length] ?? 0
      if (signs.includes(char)) return signs[choice % 3] ?? char
      return choice % 2 ? char.toUpperCase() : char.toLowerCase()
    })
    .join('')

const requests = fc.record({
  names: fc.uniqueArray(toolNames, { minLength: 1, maxLength: 4, selector: foldName }),
  choices: fc.array(fc.nat({ max: 5 }), { minLength: 12, maxLength: 12 }),
})

const toolsOf = (names: readonly string[]): FunctionTool[] =>
  names.map(name => toolOf(name, schema))

/** The call of a tool as a format writes it. */
const write = (protocol: EngineProtocol, name: string) =>
  formatCalls(protocol, [callOf(name, args)], toolsOf([name]))

/** The calls in a text, the same for any chunks. */
function readCalls(
  protocol: EngineProtocol,
  tools: readonly FunctionTool[],
  text: string,
  options: ParserOptions = {},
) {
  const events = readMerged({ protocol, tools, chunks: [text], options })
  const inPieces = readMerged({ protocol, tools, chunks: chunksOf(text, 1), options })
  expect(inPieces, text).toEqual(events)
  return callsIn(events)
}

function callsIn(events: readonly EngineEvent[]) {
  const started = events.flatMap(event => (event.type === 'call-start' ? event.toolName : []))
  return events
    .filter(event => event.type === 'call-end')
    .map(({ toolName, input, problem, repairs }, i) => ({
      toolName,
      started: started[i],
      input: problem ? problem.message : JSON.parse(input),
      isRespelt: repairs.some(repair => repair.code === 'tool-name'),
    }))
}

/**
 * What reads a text in a format: that format, `auto` that has asked in it, or `auto` that has asked in
 * another.
 */
function readersOf(name: string): EngineProtocol[] {
  const format = Object.values(formats).find(each => each.id === name)
  const isNative = nativeFormats.some(each => each.id === name)
  return [
    engineProtocol(name),
    ...(format ? [autoProtocol(format, nativeFormats)] : []),
    ...(isNative ? [engineProtocol('auto')] : []),
  ]
}

/** False if the calls of a format begin with a brace or a word, which prove nothing by themselves. */
function isMarked(protocol: EngineProtocol): boolean {
  const text = write(protocol, 'other_tool')
  const marks = protocol.definition.grammar(createToolShapes([]))
  const isAtStart = (mark: Mark) => !mark.named && text.startsWith(mark.text)
  return marks.some(mark => isAtStart(mark) && markStrength(mark) !== 'weak')
}

describe.each(listProtocols())('the name of a tool in another spelling: %s', format => {
  const writer = engineProtocol(format)
  const readers = fc.constantFrom(...readersOf(format))

  it('is that tool, and is recorded', () => {
    const property = fc.property(
      requests,
      readers,
      fc.constantFrom(undefined, 'rescue' as const),
      ({ names: [name = '', ...others], choices }, reader, mode) => {
        const written = respelt(name, choices)
        const text = write(writer, written)
        const tools = toolsOf([...others, name])
        expect(readCalls(reader, tools, text, { mode }), text).toEqual([
          { toolName: name, started: name, input: args, isRespelt: written !== name },
        ])
      },
    )
    fc.assert(property, { numRuns: runsEach })
  })

  it('is that tool with another sign after its namespace, and without the namespace', () => {
    if (!isMarked(writer)) return
    const property = fc.property(
      requests,
      fc.stringMatching(/^[a-z]{3,5}(?:__[a-z]{3,5})?$/),
      fc.constantFrom(...signs, undefined),
      readers,
      ({ names: [name = '', ...others] }, namespace, sign, reader) => {
        const tool = `${namespace}__${name}`
        const text = write(writer, sign === undefined ? name : `${namespace}${sign}${name}`)
        expect(readCalls(reader, toolsOf([...others, tool]), text), text).toEqual([
          { toolName: tool, started: tool, input: args, isRespelt: true },
        ])
      },
    )
    fc.assert(property, { numRuns: runsEach })
  })

  it('is the tool with exactly that name, if several differ only in that', () => {
    const property = fc.property(requests, readers, ({ names: [name = ''], choices }, reader) => {
      const [lower, upper] = [name.toLowerCase(), name.toUpperCase()]
      const tools = toolsOf([upper, lower])
      for (const declared of [lower, upper]) {
        const text = write(writer, declared)
        const want = { toolName: declared, started: declared, input: args, isRespelt: false }
        expect(readCalls(reader, tools, text), text).toEqual([want])
      }
      const written = respelt(name, choices)
      if (written === lower || written === upper) return
      const text = write(writer, written)
      for (const call of readCalls(reader, tools, text)) {
        expect(call, text).toMatchObject({ toolName: written, isRespelt: false })
      }
    })
    fc.assert(property, { numRuns: runsEach })
  })

  it('is that of a tool that does not exist: auto reads the format that it asked for alike', () => {
    const [reader, asked] = readersOf(format)
    if (!reader || !asked || !isMarked(writer)) return
    const property = fc.property(requests, ({ names: [name = '', ...others] }) => {
      const text = write(writer, name)
      const tools = toolsOf([...others, 'other_tool'])
      const calls = readCalls(reader, tools, text)
      expect(readCalls(asked, tools, text), text).toEqual(calls)
      for (const call of calls) expect(call.isRespelt, text).toBe(false)
    })
    fc.assert(property, { numRuns: runsEach })
  })

  it('is the tool that must be called', () => {
    const property = fc.property(
      requests,
      readers,
      ({ names: [name = '', ...others], choices }, reader) => {
        const written = respelt(name, choices)
        const text = write(writer, written)
        const toolChoice = { type: 'tool', toolName: name } as const
        const options = { toolChoice, forcedChoice: 'prompt' } as const
        expect(readCalls(reader, toolsOf([...others, name]), text, options), text).toEqual([
          { toolName: name, started: name, input: args, isRespelt: written !== name },
        ])
      },
    )
    fc.assert(property, { numRuns: runsEach })
  })
})
