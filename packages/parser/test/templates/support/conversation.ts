import { getProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'

export const weather =
  '{"type": "object", "properties": {"city": {"type": "string", "description": "City name"}, "days": {"type": "integer"}, "opts": {"type": "object", "properties": {"unit": {"type": "string", "enum": ["c", "f"]}, "tags": {"type": "array", "items": {"type": "string"}}}}}, "required": ["city"]}'
export const time =
  '{"type": "object", "properties": {"tz": {"type": "string"}}, "required": ["tz"]}'

export const tools = [
  {
    type: 'function' as const,
    name: 'get_weather',
    description: 'Get the weather.',
    inputSchema: JSON.parse(weather),
  },
  {
    type: 'function' as const,
    name: 'get_time',
    description: 'Get the time.',
    inputSchema: JSON.parse(time),
  },
]
const calls = [
  {
    toolCallId: 'callab001',
    toolName: 'get_weather',
    input: { city: 'Zürich "x"', days: 3, opts: { unit: 'c', tags: ['a', 'b'] } },
  },
  { toolCallId: 'callab002', toolName: 'get_time', input: { tz: 'CET' } },
]
const results = [
  { toolCallId: 'callab001', toolName: 'get_weather', output: { type: 'json', value: { t: 21 } } },
  { toolCallId: 'callab002', toolName: 'get_time', output: { type: 'text', value: '12:00' } },
]

/**
 * The conversation as the chat template of a model prints it, without the marks of the roles. Each
 * text was compared with what the model's own template makes of the same conversation.
 */
export interface Rendering {
  readonly tools?: string
  readonly calls: string
  readonly results: string
}

export function checkRenderings(renderings: Readonly<Record<string, Rendering>>): void {
  describe.for(Object.entries(renderings))('the template of %s', ([name, rendering]) => {
    const protocol = getProtocol(name)

    it('shows the tools', () => {
      if (rendering.tools !== undefined)
        expect(protocol.formatTools({ tools })).toContain(rendering.tools)
    })

    it('writes the calls of a message, which are read back', () => {
      expect(protocol.formatToolCalls?.(calls, { tools })).toBe(rendering.calls)
      const read = protocol.parseGeneratedText({ text: rendering.calls, tools })
      expect(
        read.map(part => part.type === 'tool-call' && [part.toolName, JSON.parse(part.input)]),
      ).toEqual(calls.map(({ toolName, input }) => [toolName, input]))
    })

    it('shows the results of a message', () => {
      expect(protocol.formatToolResponses?.(results)).toBe(rendering.results)
    })
  })
}
