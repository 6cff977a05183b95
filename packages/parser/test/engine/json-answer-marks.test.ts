import { compactProtocol, type FunctionTool, getProtocol, listProtocols } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { autoProtocolOf } from '../../src/formats/registry.js'
import { isEngineProtocol } from '../../src/protocols/protocol.js'
import { allSplits, chunksOf, describeChunks, randomChunks } from '../support/chunks.js'
import { readPieces } from '../support/read-answer.js'

const string = { type: 'string' }
const tool = (name: string, ...keys: string[]): FunctionTool => ({
  type: 'function',
  name,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(keys.map(key => [key, string])),
    required: keys.slice(0, 1),
  },
})
const tools = [tool('find_ship', 'port', 'flag'), tool('ping')]
const options = { wantsJson: true, reasoning: false }

const protocols = [
  ...listProtocols()
    .filter(name => name !== 'auto')
    .map(name => ({ name, protocol: getProtocol(name) })),
  ...(['wire', 'line', 'json'] as const).map(syntax => ({
    name: `compact ${syntax}`,
    protocol: compactProtocol({ syntax }),
  })),
  ...['', 'llama-3.3-70b', 'qwen3-coder-30b', 'gemma-3-27b', 'xlam-2'].map(modelId => ({
    name: `auto for ${modelId || 'any model'}`,
    protocol: autoProtocolOf(modelId).protocol,
  })),
].flatMap(({ name, protocol }) => (isEngineProtocol(protocol) ? [{ name, protocol }] : []))

/** Objects that an application may ask for, and that resemble calls. */
const objects = [
  '{"port": "Brest", "flag": "red"}',
  '{"name": "Aline", "length": 12}',
  '{"name": "Aline", "arguments": {"for": "sailing"}}',
  '{"name": "Aline", "parameters": {"length": 12}}',
  '{"function": "ferry", "parameters": {"length": 12}}',
  '{"tool": "hammer", "args": {"size": 3}}',
  '{"action": "sail", "input": {"to": "Cork"}}',
  '{"name": "find_ship", "length": 12}',
  '{"name": "find_ship", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}',
  '[{"name": "Aline", "arguments": {"for": "sailing"}}]',
  '{"elements": [{"name": "find_ship", "arguments": {"port": "Brest"}}]}',
  '{"code": "<tool_call>{\\"name\\": \\"find_ship\\", \\"arguments\\": {\\"port\\": \\"x\\"}}</tool_call>"}',
  '{"code": "<call>find_ship port=x</call>", "more": ["[find_ship(port=\'x\')]"]}',
  '{\n  "code": "<find_ship><port>x</port></find_ship>",\n  "more": "<find_ship>\\nport: x\\n</find_ship>"\n}',
  '{"code": "find_ship(port=\'x\')", "end": "</tool_call>"}',
  '{"code": "@find_ship port=x"}',
]

describe.each(protocols)('an answer that must be JSON, in $name', ({ protocol }) => {
  const readText = (text: string, chunks: readonly string[]) => {
    const got = readPieces({ protocol, tools, chunks, options })
    expect(got, describeChunks(chunks)).toEqual({ pieces: [text], problems: [] })
  }

  test.each(objects)('%s is not a call', object => {
    for (const text of [object, `Here it is:\n\n\`\`\`json\n${object}\n\`\`\`\n`])
      for (const chunks of [[text], chunksOf(text, 1), randomChunks(text, 7)])
        readText(text, chunks)
  })

  test('an object of the answer is text in every way to cut it', () => {
    for (const chunks of allSplits(objects[7] ?? '')) readText(objects[7] ?? '', chunks)
  })

  test.each([
    { toolName: 'find_ship', input: { port: 'Brest', flag: 'red' } },
    { toolName: 'find_ship', input: { port: '{"a": ["<tool_call>"]}' } },
    { toolName: 'ping', input: {} },
  ])('a call as the format writes it is one: $toolName $input', ({ toolName, input }) => {
    const call = { toolCallId: 'call_1', toolName, input }
    const text = protocol.formatToolCall(call, { tools })
    for (const chunks of [[text], chunksOf(text, 1), randomChunks(text, 7)]) {
      const { pieces, problems } = readPieces({ protocol, tools, chunks, options })
      expect(problems).toEqual([])
      expect(pieces, describeChunks(chunks)).toEqual([{ tool: toolName, input }])
    }
  })
})
