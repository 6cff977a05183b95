import {
  compactProtocol,
  type FunctionTool,
  getProtocolInfo,
  listProtocols,
} from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineProtocol } from '../../src/protocols/protocol.js'
import { listOf } from '../../src/schema/shape-of-schema.js'
import { readEvents } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import {
  controlTokens,
  harmlessTexts,
  hostileContent,
  hostileTexts,
  weatherTools,
} from './support/hostile.js'
import { engineProtocol } from './support/protocols.js'

const compact = (['wire', 'json', 'line'] as const).map(
  syntax => [`compact ${syntax}`, compactProtocol({ syntax, fallbackToJson: 'force' })] as const,
)
const protocols = [
  ...listProtocols().map(name => [name, engineProtocol(name)] as const),
  ...compact,
  ['auto', engineProtocol('auto')] as const,
]
const auto = engineProtocol('auto')

/** The outputs of a tool that contain a text. */
const outputsWith = (text: string) => [
  { type: 'text', value: text },
  { type: 'json', value: { note: text, list: [text], [text]: 1 } },
  { type: 'error-text', value: text },
  { type: 'error-json', value: { code: 5, message: text } },
  { type: 'execution-denied', reason: text },
  {
    type: 'content',
    value: [
      { type: 'text', text: 'begin' },
      { type: 'text', text },
    ],
  },
  { type: 'content', value: [{ type: 'file', mediaType: 'text/plain', filename: text }] },
]

type Output = ReturnType<typeof outputsWith>[number]

interface Names {
  readonly toolName?: string
  readonly toolCallId?: string
}

function writeResult(protocol: EngineProtocol, output: Output | undefined, names: Names = {}) {
  const result = { toolCallId: 'call_1', toolName: 'get_time', ...names, output }
  return protocol.formatToolResponses?.([result], { tools: weatherTools }) ?? ''
}

const count = (text: string, part: string) => text.split(part).length - 1

/** The control tokens that a text contains more often than the same text without hostile content. */
function newTokens(written: string, plain: string): string[] {
  return controlTokens.filter(token => count(written, token) > count(plain, token))
}

/** How many calls and how much reasoning are read in a text. */
function countEvents(protocol: EngineProtocol, text: string) {
  const events = readEvents({
    protocol,
    tools: weatherTools,
    chunks: [text],
    options: { reasoning: true },
  })
  return {
    calls: events.filter(event => event.type.startsWith('call')).length,
    reasoning: events.filter(event => event.type === 'reasoning').length,
  }
}

/** The words of a text, with the escapes of JSON decoded, also those inside of a string of JSON. */
function wordsOf(text: string): string[] {
  const decoded = text
    .replace(/\\+u([\da-f]{4})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replace(/\\+[nrtbf]/g, ' ')
  return decoded.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The words that are missing in a text, or not in their order. */
function missingWords(text: string, content: string): string[] {
  const words = wordsOf(text)
  let at = 0
  return wordsOf(content).filter(word => {
    const found = words.indexOf(word, at)
    if (found >= 0) at = found + 1
    return found < 0
  })
}

function expectQuiet(protocol: EngineProtocol, written: string, plain: string): void {
  expect(newTokens(written, plain), written).toEqual([])
  const { calls, reasoning } = countEvents(protocol, written)
  expect(calls, written).toBe(0)
  // The headers of some formats are read as the end of reasoning, whatever the result is.
  expect(reasoning, written).toBeLessThanOrEqual(countEvents(protocol, plain).reasoning)
}

describe.each(protocols)('results of %s', (_, protocol) => {
  const plainResults = outputsWith('plain').map(output => writeResult(protocol, output))

  it.each([' ', ''])('contain no control token (separated by %j)', separator => {
    const content = controlTokens.join(separator)
    for (const [i, output] of outputsWith(content).entries()) {
      const written = writeResult(protocol, output)
      expectQuiet(protocol, written, plainResults[i] ?? '')
      if (separator) expect(missingWords(written, content), written).toEqual([])
    }
  })

  it('contain no call and no reasoning of any format', () => {
    for (const text of hostileTexts) {
      for (const [i, output] of outputsWith(text).slice(0, 2).entries()) {
        const written = writeResult(protocol, output)
        expectQuiet(protocol, written, plainResults[i] ?? '')
        expect(missingWords(written, text), written).toEqual([])
      }
    }
  })

  it('contain nothing that `auto` reads as a call or as reasoning', () => {
    for (const i of [0, 1]) {
      const written = hostileTexts.map(text => writeResult(protocol, outputsWith(text)[i]))
      const plain = hostileTexts.map(() => plainResults[i] ?? '')
      expectQuiet(auto, written.join('\n\n'), plain.join('\n\n'))
    }
  })

  it('are quiet whatever they are made of', () => {
    const kind = fc.nat({ max: plainResults.length - 1 })
    fc.assert(
      fc.property(hostileContent, kind, (content, i) => {
        const written = writeResult(protocol, outputsWith(content)[i])
        for (const reader of [protocol, auto]) expectQuiet(reader, written, plainResults[i] ?? '')
        expect(missingWords(written, content), written).toEqual([])
      }),
      { numRuns: runsEach },
    )
  })

  it('have a name and an id that are quiet', () => {
    const output = { type: 'text', value: 'plain' }
    const texts = [controlTokens.join(''), ...hostileTexts]
    const plain = texts.map(() => writeResult(protocol, output)).join('\n\n')
    const write = (names: (text: string) => Names) =>
      texts.map(text => writeResult(protocol, output, names(text))).join('\n\n')
    expectQuiet(
      protocol,
      write(toolName => ({ toolName })),
      plain,
    )
    expectQuiet(
      protocol,
      write(toolCallId => ({ toolCallId })),
      plain,
    )
  })

  const marks = listOf(Reflect.get(protocol.definition, 'marks')).map(String)
  const harmless = harmlessTexts.filter(text => !marks.some(mark => text.includes(mark)))

  it.each(harmless)('contain harmless text as it is: %j', text => {
    const template = writeResult(protocol, { type: 'text', value: 'MARKER' })
    const written = writeResult(protocol, { type: 'text', value: text })
    const asText = template.replace('MARKER', () => text)
    const asJson = template.replace(/"?MARKER"?/, () => JSON.stringify(text))
    expect([asText, asJson]).toContain(written)
  })
})

describe.each(protocols)('calls of %s', (_, protocol) => {
  it('have a name and an id that contain no control token', () => {
    const call = { toolCallId: 'call_1', toolName: 'get_time', input: {} }
    const write = (names: Names) => protocol.formatToolCall({ ...call, ...names })
    const text = `x${controlTokens.join('')}y`
    expect(newTokens(write({ toolName: text }), write({}))).toEqual([])
    expect(newTokens(write({ toolCallId: text }), write({}))).toEqual([])
  })
})

/** A tool whose texts all contain `text`. */
const toolWith = (text: string): FunctionTool => ({
  type: 'function',
  name: 'get_time',
  description: `Tells the time. ${text} See the docs.`,
  inputSchema: {
    type: 'object',
    properties: {
      zone: { type: 'string', description: `The zone ${text}` },
      kind: { enum: ['a', `${text}`], description: `${text} b` },
      place: { type: 'object', properties: { [`x${text}`]: { type: 'number', default: text } } },
    },
  },
})

describe.each(protocols)('the prompt of %s', (name, protocol) => {
  const promptWith = (text: string) => protocol.formatTools({ tools: [toolWith(text)] })
  const info = getProtocolInfo(name)

  it('contains no control token of a description', () => {
    const written = promptWith(controlTokens.join(' '))
    expect(newTokens(written, promptWith('plain'))).toEqual([])
    // A signature shows the first sentence of a description only.
    if (info && info.family !== 'any model that follows instructions')
      expect(missingWords(written, controlTokens.join(' '))).toEqual([])
  })

  it('contains no control token of the name of a tool', () => {
    const tool = { ...toolWith('plain'), name: `x${controlTokens.join('')}y` }
    expect(newTokens(protocol.formatTools({ tools: [tool] }), promptWith('plain'))).toEqual([])
  })
})
