import type { FunctionTool, ToolCall } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomChunks } from '../support/chunks.js'
import { readMerged } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { messages } from './support/messages.js'
import { engineProtocol, formatCalls } from './support/protocols.js'

const pythonic = engineProtocol('pythonic')

type WriteCalls = (calls: readonly ToolCall[], tools: readonly FunctionTool[]) => string

/** `reserve(seats=4)` without the brackets of the list. */
const bareCall = (call: ToolCall, tools: readonly FunctionTool[]) =>
  pythonic.formatToolCall(call, { tools }).slice(1, -1)

const envelopeOf = ({ toolName, input }: ToolCall) => ({ name: toolName, arguments: input })

/** Ways in which models write calls that nobody asked for. */
const shapes: Readonly<Record<string, WriteCalls>> = {
  list: (calls, tools) => formatCalls(pythonic, calls, tools),
  lines: (calls, tools) => calls.map(call => bareCall(call, tools)).join('\n'),
  'a fence': (calls, tools) =>
    `\`\`\`python\n${calls.map(call => bareCall(call, tools)).join('; ')}\n\`\`\``,
  envelope: calls => JSON.stringify({ tool_calls: calls.map(envelopeOf) }),
  "OpenAI's envelope": calls =>
    JSON.stringify({
      tool_calls: calls.map((call, at) => ({
        id: `call_${at}`,
        type: 'function',
        function: { name: call.toolName, arguments: JSON.stringify(call.input) },
      })),
    }),
  objects: calls => JSON.stringify(calls.map(envelopeOf)),
  'keyed objects': calls => JSON.stringify(calls.map(call => ({ [call.toolName]: call.input }))),
  pairs: calls => calls.map(call => JSON.stringify([call.toolName, call.input])).join('\n'),
}

/** JSON without the layout of the reader. */
const asWritten = (json: string) => JSON.stringify(JSON.parse(json))

const formats = ['hermes', 'wire', 'qwen3_coder', 'auto']

describe.each(Object.entries(shapes))('calls as %s', (_, write) => {
  it.each(formats)('are read in an answer to %s, in any chunks', name => {
    const protocol = engineProtocol(name)
    fc.assert(
      fc.property(messages(pythonic), fc.nat(), ({ tools, calls }, seed) => {
        // `{"name": …}` and `{"content": …}` would be keys of other objects.
        fc.pre(calls.every(call => !['name', 'content'].includes(call.toolName)))
        const text = write(calls, tools)
        for (const chunks of [[text], randomChunks(text, seed)]) {
          const events = readMerged({ protocol, tools, chunks })
          const read = events.flatMap((event): unknown[] => {
            if (event.type === 'text') return [event.text]
            if (event.type !== 'call-end') return []
            return [[event.toolName, asWritten(event.input), event.problem?.code]]
          })
          const expected = calls.map(({ toolName, input }) => [
            toolName,
            JSON.stringify(input),
            undefined,
          ])
          expect(read, text).toEqual(expected)
        }
      }),
      { numRuns: runsEach },
    )
  })
})
