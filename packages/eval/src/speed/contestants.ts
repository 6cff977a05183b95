import * as peer from '@ai-sdk-tool/parser'
import { createToolMiddleware, getProtocol, type Part } from '@toolglot/parser'
import { benchProtocols } from '../bench-protocols.js'
import type { SourcePart } from './part-source.js'

/** A call that the benchmark writes and expects to read back. */
export interface Call {
  readonly toolName: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Puts a stream through something, and returns the result. */
export type OpenStream = (source: ReadableStream<SourcePart>) => Promise<ReadableStream<Part>>

/** A parser that is measured: it writes calls in its format, and reads them back from a stream. */
export interface Contestant {
  readonly name: string
  readonly isPeer: boolean
  formatCall(call: Call): string
  readonly open: OpenStream
}

type PeerTool = NonNullable<Parameters<typeof peer.originalToolsSchema.encode>[0]>[number]
type PeerProtocol = Parameters<typeof peer.wrapStream>[0]['protocol']

const tools: PeerTool[] = [
  {
    type: 'function',
    name: 'write_file',
    description: 'Writes a file.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
  {
    type: 'function',
    name: 'get_weather',
    description: 'Tells the weather of a city.',
    inputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        isMetric: { type: 'boolean' },
      },
      required: ['city'],
    },
  },
  {
    type: 'function',
    name: 'search_docs',
    description: 'Searches the documentation.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]

const doGenerate = () => Promise.reject(new Error('The benchmark only streams.'))

function createOwnContestant(name: string): Contestant {
  const protocol = getProtocol(name)
  const middleware = createToolMiddleware({ protocol })
  const originalTools = tools.map(({ type, name: toolName, inputSchema }) => ({
    type,
    name: toolName,
    inputSchema,
  }))
  const toolCallMiddleware = { originalTools, toolNames: tools.map(tool => tool.name) }
  return {
    name,
    isPeer: false,
    formatCall({ toolName, args }) {
      const call = { toolCallId: 'call-1', toolName, input: args }
      return (
        protocol.formatToolCalls?.([call], { tools }) ?? protocol.formatToolCall(call, { tools })
      )
    },
    async open(source) {
      const result: { stream: ReadableStream<Part> } = await middleware.wrapStream({
        doGenerate,
        doStream: async () => ({ stream: source }),
        params: { prompt: [], providerOptions: { toolCallMiddleware } },
        model: undefined,
      })
      return result.stream
    },
  }
}

function createPeerContestant(name: string, protocol: PeerProtocol): Contestant {
  const originalTools = peer.originalToolsSchema.encode(tools)
  return {
    name: `peer ${name}`,
    isPeer: true,
    formatCall: ({ toolName, args }) =>
      protocol.formatToolCall({
        type: 'tool-call',
        toolCallId: 'call-1',
        toolName,
        input: JSON.stringify(args),
      }),
    async open(source) {
      const { stream } = await peer.wrapStream({
        protocol,
        doGenerate,
        doStream: async () => ({ stream: source }),
        params: { providerOptions: { toolCallMiddleware: { originalTools } } },
      })
      return stream
    },
  }
}

/**
 * Creates the contestants: a protocol of each grammar, `auto`, and the two protocols of the peer
 * (`@ai-sdk-tool/parser`) for the same formats.
 */
export function createContestants(): Contestant[] {
  return [
    ...[...benchProtocols(), 'auto'].map(createOwnContestant),
    createPeerContestant('hermes', peer.hermesProtocol()),
    createPeerContestant('morph-xml', peer.morphXmlProtocol()),
  ]
}

/**
 * The baseline of all comparisons: the cheapest transformation of a stream in the usual way.
 */
export const openEmptyTransform: OpenStream = async source =>
  source.pipeThrough(new TransformStream<SourcePart, Part>())

/** Streams that do nothing, for comparison. */
export const idleStreams: readonly { readonly name: string; readonly open: OpenStream }[] = [
  { name: '(bare source)', open: async source => source },
  { name: '(bare pull wrapper)', open: async source => wrapInPull(source) },
]

/** A stream that is pulled by its reader and passes everything on. */
function wrapInPull(source: ReadableStream<SourcePart>): ReadableStream<Part> {
  const reader = source.getReader()
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
