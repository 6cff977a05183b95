import { expect, test } from 'vitest'
import type { CallGrammar } from '../../src/engine/grammar.js'
import { jsonCalls } from '../../src/engine/json/json-calls.js'
import { formatProtocol } from '../../src/protocols/format-protocol.js'

const tools = ['get_weather', 'get_time'].map(name => ({
  type: 'function' as const,
  name,
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
}))

/** A format that counts how often its marks are made. */
function createCounted() {
  const marks = jsonCalls(
    { open: '[CALL]', close: '[/CALL]' },
    { open: '{', close: '', strength: 'weak' },
  )
  const state = { count: 0 }
  const grammar: CallGrammar = names => {
    state.count++
    return marks(names)
  }
  const call = '[CALL]{"name": "$name", "arguments": $args}[/CALL]'
  const protocol = formatProtocol({ grammar, call, isReadBack: true, howTo: () => '' })
  return { state, protocol }
}

/** Writes calls and results of two tools in turn, each message with a list of its own. */
function writeTurns(count: number): number {
  const { state, protocol } = createCounted()
  for (let i = 0; i < count; i++) {
    const toolName = tools[i % 2]?.name ?? ''
    const context = { tools: [...tools] }
    protocol.formatToolCall({ toolCallId: `c${i}`, toolName, input: { city: 'Rome' } }, context)
    const value = '{"sky": "clear"}\n[1, 2]\nget_weather was called'
    const result = { toolCallId: `c${i}`, toolName, output: { type: 'text', value } }
    protocol.formatToolResponse(result, context)
  }
  return state.count
}

test('the marks of a format are made once for a conversation, however long it is', () => {
  expect(writeTurns(100)).toBe(writeTurns(10))
})

test('another list of tools has marks of its own', () => {
  const { protocol } = createCounted()
  const text = 'I found this.\n{"name": "fly_to", "arguments": {"city": "Rome"}}'
  const result = { toolCallId: 'c', toolName: 'get_time', output: { type: 'text', value: text } }
  expect(protocol.formatToolResponse(result, { tools })).toContain(text)
  const flight = [{ type: 'function' as const, name: 'fly_to', inputSchema: { type: 'object' } }]
  expect(protocol.formatToolResponse(result, { tools: flight })).not.toContain(text)
})
