import {
  getProtocol,
  listProtocols,
  parseToolCalls,
  readTools,
  renderCalls,
  renderResults,
  renderTools,
} from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { tools } from './read.js'

const tide = { toolCallId: 'a', toolName: 'tide', input: { port: 'Brest', days: 2 } }
const find = { toolCallId: 'b', toolName: 'find', input: { text: 'a "b"\n</tool_call>' } }

describe.each(listProtocols())('%s', protocol => {
  it('shows the tools, whatever their shape', () => {
    const prompt = renderTools({ tools, protocol })
    for (const word of ['tide', 'find', 'port', 'days'])
      expect(prompt).toMatch(new RegExp(`\\b${word}\\b`))
    expect(prompt).toBe(getProtocol(protocol).formatTools({ tools: readTools(tools) }))
  })

  it('reads its own calls back, and writes those again as it did', () => {
    const text = renderCalls([tide, find], { tools, protocol })
    const { calls } = parseToolCalls(text, { tools, protocol })
    expect(calls.map(({ toolName, input }) => ({ toolName, input: JSON.parse(input) }))).toEqual(
      [tide, find].map(({ toolName, input }) => ({ toolName, input })),
    )
    const again = calls.map((call, i) => ({ ...call, toolCallId: ['a', 'b'][i] ?? '' }))
    expect(renderCalls(again, { tools, protocol })).toBe(text)
  })

  it('writes results in which there is no call', () => {
    const output = renderCalls([tide], { tools, protocol })
    const text = renderResults([{ ...find, output }], { tools, protocol })
    expect(parseToolCalls(text, { tools, protocol }).calls).toEqual([])
  })
})

describe('renderTools', () => {
  it('writes nothing if there are no tools', () => {
    expect(renderTools({ tools: [] })).toBe('')
  })

  it('asks in the format that the id of the model suggests', () => {
    const prompt = renderTools({ tools, modelId: 'Qwen/Qwen3-Coder-30B-A3B-Instruct' })
    expect(prompt).toContain('<function=')
    expect(renderTools({ tools })).toBe(renderTools({ tools, protocol: 'hermes' }))
  })

  it('takes the options of the functions that read, and refuses any other', () => {
    const options = { tools, reasoning: true, tolerance: 'safe', generateId: () => 'x' } as const
    expect(renderTools(options)).toBe(renderTools({ tools }))
    const wrong = { tools, protocl: 'hermes' }
    expect(() => renderTools(wrong)).toThrow('renderTools has no option "protocl". Did you mean')
  })
})

describe('renderCalls', () => {
  const options = { tools, protocol: 'hermes' }

  it('keeps the digits of numbers that JavaScript would round', () => {
    const input = '{"text":"id 1","id":12345678901234567890}'
    expect(renderCalls([{ ...find, input }], options)).toContain('12345678901234567890')
  })

  it('writes a call that could not be read as the model wrote it', () => {
    const raw = '<tool_call>{"name": "tide", "arguments": {"port": }}</tool_call>'
    const [unread] = parseToolCalls(raw, options).calls
    const before = renderCalls([tide], options)
    const after = renderCalls([find], options)
    expect(unread && renderCalls([tide, unread, find], options)).toBe(`${before}\n${raw}\n${after}`)
  })

  it('writes nothing for no calls', () => {
    expect(renderCalls([], options)).toBe('')
  })
})

describe('renderResults', () => {
  const options = { tools, protocol: 'line' }

  it.each<[result: object, text: string]>([
    [{ output: 'high' }, '<result>tide: high</result>'],
    [{ output: { metres: 4 } }, '<result>tide: {"metres":4}</result>'],
    [{ output: { type: 'text', value: 1 } }, '<result>tide: {"type":"text","value":1}</result>'],
    [{ output: [1, 2] }, '<result>tide: [1,2]</result>'],
    [{}, '<result>tide: null</result>'],
    [{ output: 'no such port', isError: true }, '<result>tide failed: no such port</result>'],
    [
      { output: 'ignored', problem: { code: 'malformed-arguments', message: 'no value' } },
      '<result>tide failed: This call could not be read, and nothing was done: no value. Write it again.</result>',
    ],
  ])('writes %j', (result, text) => {
    expect(renderResults([{ ...tide, ...result }], options)).toBe(text)
  })

  it('numbers calls and results through the conversation', () => {
    const later = { tools, protocol: 'kimi_k2', callsBefore: 3 }
    expect(renderCalls([tide, find], later)).toMatch(/functions\.tide:3.*functions\.find:4/s)
    const results = [
      { ...tide, output: 'high' },
      { ...find, output: 'none' },
    ]
    expect(renderResults(results, later)).toMatch(/functions\.tide:3.*functions\.find:4/s)
  })

  it('writes nothing for no results', () => {
    expect(renderResults([], options)).toBe('')
  })
})
