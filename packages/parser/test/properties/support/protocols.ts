import {
  type FunctionTool,
  getProtocol,
  getProtocolInfo,
  listProtocols,
  type ToolCall,
} from '@toolglot/parser'
import { type EngineProtocol, isEngineProtocol } from '../../../src/protocols/protocol.js'
import { createToolShapes } from '../../../src/protocols/request-scanner.js'
import { formatOf } from './formats.js'

/** A built-in protocol, with the scanner that it stands on. */
export function engineProtocol(name: string): EngineProtocol {
  const protocol = getProtocol(name)
  if (!isEngineProtocol(protocol)) throw new TypeError(`${name} does not stand on the engine`)
  return protocol
}

/**
 * The names of one protocol for each grammar, for tests that are slow: the others differ only in
 * their marks.
 */
export function oneOfEachGrammar(): string[] {
  const grammars = new Set<string | undefined>()
  return listProtocols().filter(name => {
    const grammar = getProtocolInfo(name)?.grammar
    const isNew = !grammars.has(grammar)
    grammars.add(grammar)
    return isNew
  })
}

/** What reads texts: every protocol, and the one that reads them all. */
export function readerNames(): string[] {
  return [...listProtocols(), 'auto']
}

export function toolOf(name: string, inputSchema: unknown): FunctionTool {
  return { type: 'function', name, inputSchema }
}

export function callOf(toolName: string, input: unknown): ToolCall {
  return { toolCallId: 'id', toolName, input }
}

/** Several calls of one message, whether or not the format has a form of its own for that. */
export function formatCalls(
  protocol: EngineProtocol,
  calls: readonly ToolCall[],
  tools?: readonly FunctionTool[],
): string {
  const context = tools ? { tools } : {}
  if (protocol.formatToolCalls) return protocol.formatToolCalls(calls, context)
  return calls.map(call => protocol.formatToolCall(call, context)).join('\n')
}

/** Tools of the common kinds, for text that is not made from generated schemas. */
export const sampleTools: readonly FunctionTool[] = [
  toolOf('get', {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
  }),
  toolOf('get_all', {
    type: 'object',
    properties: {
      tags: { type: 'array', items: { type: 'string' } },
      user: {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: ['number', 'null'] } },
      },
      flag: { type: 'boolean' },
    },
    additionalProperties: false,
  }),
  toolOf('write', {
    type: 'object',
    properties: {
      path: { type: 'string' },
      content: { type: 'string' },
      mode: { enum: ['a', 'w', 1, null] },
    },
    required: ['content'],
  }),
  toolOf('order', {
    type: 'object',
    properties: {
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            sku: { type: 'string' },
            qty: { type: 'integer' },
            gift: { type: 'boolean' },
          },
        },
      },
    },
  }),
  toolOf('any', {}),
  toolOf('none', undefined),
]

/** Calls of the sample tools. */
export const sampleCalls: readonly ToolCall[] = [
  callOf('get', { city: 'Paris', days: 3 }),
  callOf('get_all', { tags: ['x', 'y'], user: { name: 'Jo', age: null }, flag: true }),
  callOf('write', { path: 'a.ts', content: 'if (a<b) {\n  return "</p>"\n}\n', mode: 'w' }),
  callOf('any', { a: { b: [1, 'two', null] }, c: '5' }),
  callOf('none', {}),
]

const markup =
  /<!\[CDATA\[|\]\]>|<!--|-->|<\|[^|<>]*\|>|<\/?[^<>\s]*>?|\[\/?[A-Z_]+\]|`{3}\w*|[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu

/** The pieces of which a text in a format is made: its marks, brackets, quotes and words. */
export function piecesOf(text: string): string[] {
  return text.match(markup) ?? []
}

/** The pieces of a protocol's own texts, each once, and what else its reader knows. */
export function marksOf(protocol: EngineProtocol): string[] {
  const { grammar, reasoning = [], silent = [] } = protocol.definition
  const pieces = new Set<string>([
    ...formatOf(protocol).pieces,
    ...grammar(createToolShapes(sampleTools)).map(mark => mark.text),
    ...reasoning.flatMap(({ opens, closes }) => [...opens, ...closes]),
    ...silent,
    ...['<think>', '\n<think>\n', '</think>', '</think>\n\n', '<|im_end|>', '</s>'],
  ])
  for (const call of sampleCalls)
    for (const piece of piecesOf(formatCalls(protocol, [call], sampleTools))) pieces.add(piece)
  for (const piece of piecesOf(formatCalls(protocol, sampleCalls))) pieces.add(piece)
  for (const { toolName } of sampleCalls)
    for (const piece of piecesOf(
      protocol.formatToolResponse({
        toolCallId: 'id',
        toolName,
        output: { type: 'text', value: 'ok' },
      }),
    ))
      pieces.add(piece)
  return [...pieces]
}
