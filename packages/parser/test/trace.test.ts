import { getProtocol, type ParserOptions } from '@toolglot/parser'
import type { Trace } from '@toolglot/parser/protocol'
import { describe, expect, it } from 'vitest'

const tools = [{ type: 'function' as const, name: 'f', inputSchema: { type: 'object' } }]

function traceOf(text: string, options: ParserOptions = {}, protocol = 'hermes'): Trace[] {
  const traces: Trace[] = []
  const onTrace = (trace: Trace) => traces.push(trace)
  getProtocol(protocol).parseGeneratedText({ text, tools, options: { ...options, onTrace } })
  return traces
}

describe('onTrace', () => {
  it('reports a mark that is prose and one that opens a call, each with its place', () => {
    const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    expect(traceOf(`A <tool_call> is: ${call}`)).toEqual([
      { type: 'mark', mark: '<tool_call>', offset: 2 },
      { type: 'rollback', mark: '<tool_call>', offset: 2 },
      { type: 'mark', mark: '<tool_call>', offset: 18 },
      { type: 'commit', toolName: 'f', offset: 18 },
      { type: 'leave', offset: expect.any(Number), isQuote: false },
    ])
  })

  it('reports a close mark without a call, and one next to a call', () => {
    const mark = { mark: '</tool_call>', offset: 0, opensNoCall: true }
    expect(traceOf('</tool_call> closes it.')).toEqual([
      { type: 'mark', ...mark },
      { type: 'rollback', ...mark },
    ])
    const call = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'
    expect(traceOf(`</tool_call>${call}`)).toEqual([
      { type: 'mark', ...mark },
      { type: 'leave', offset: 0, isQuote: false },
      { type: 'mark', mark: '<tool_call>', offset: 12 },
      { type: 'commit', toolName: 'f', offset: 12 },
      { type: 'leave', offset: expect.any(Number), isQuote: false },
    ])
  })

  it('reports reasoning, and the marks in it', () => {
    expect(traceOf('<think>a <tool_call> b</think>c', { reasoning: true })).toEqual([
      { type: 'thought', turn: 'in', mark: '<think>', offset: 0 },
      { type: 'hold', mark: '<tool_call>', offset: 9 },
      { type: 'thought', turn: 'out', mark: '</think>', offset: 22 },
    ])
  })

  it('does not hold a mark without meaning in reasoning', () => {
    expect(traceOf('<think>a <|im_end|> b</think>c', { reasoning: true })).toEqual([
      { type: 'thought', turn: 'in', mark: '<think>', offset: 0 },
      { type: 'thought', turn: 'out', mark: '</think>', offset: 21 },
    ])
  })

  it('reports a quotation', () => {
    expect(traceOf('So:\n```\n<tool_call>\n```\n', {}, 'auto')).toContainEqual({
      type: 'leave',
      offset: 4,
      isQuote: true,
    })
  })

  it('reports the same in a stream', async () => {
    const text = 'A <tool_call> is: <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>'
    const traces: Trace[] = []
    const onTrace = (trace: Trace) => traces.push(trace)
    const stream = getProtocol('hermes').createStreamParser({ tools, options: { onTrace } })
    const drained = stream.readable.pipeTo(new WritableStream())
    const writer = stream.writable.getWriter()
    for (const delta of text)
      await writer.write(Object.assign({ type: 'text-delta' }, { id: '0', delta }))
    await writer.close()
    await drained
    expect(traces).toEqual(traceOf(text))
  })
})
