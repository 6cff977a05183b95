import { describe, expect, it } from 'vitest'
import { createAnswerWatch } from '../../src/engine/answer-watch.js'
import { createToolLookup } from '../../src/engine/tool-lookup.js'
import { allSplits } from '../support/chunks.js'

function suspect(chunks: readonly string[]): string | undefined {
  const watch = createAnswerWatch(createToolLookup(['get_weather', 'list']))
  for (const text of chunks) watch.see({ type: 'text', text })
  return watch.suspect()?.problem.code
}

describe('an answer that looks like a call', () => {
  it.each([
    // text of the answer                                              is reported
    ['{"tool_calls": [{"name": "get_weather", "arguments": {}}]}', true],
    ['```json\n{"tool_calls": [{"name": "get_weather"}]}\n```', true],
    ['{"name": "get_weather", "arguments": "Paris"}', true],
    ['[{"name": "get_weather", "arguments": "Paris"}]', true],
    ['{"name": "get_weather", "arguments": "Paris"} is a call.', false],
    ['get_weather(city="Paris")', true],
    ['`list()`', true],
    ['{"name": "get_weather", "description": "The weather.", "parameters": {}}', false],
    ['[{"get_weather": {"city": "Paris"}}]', false],
    ["['get_weather(city=1)']", true],
    ['{"tool_calls": [{"name": "get_rain", "arguments": {}}]}', false],
    ['{"city": "Paris", "source": "get_weather"}', false],
    ['[1, 2, "list"]', false],
    ['Use {"name": "get_weather"} for it', false],
    ['{"name": "get_weather"} is the name.', false],
    ['get_weather is a tool (or not)', false],
    ['get_weather(city) returns degrees (in Celsius)', false],
    ['[list(x) for x in y] and [x(1)]', false],
    ['', false],
  ])('%j: %s', (text, isReported) => {
    for (const chunks of allSplits(text)) {
      expect(suspect(chunks)).toBe(isReported ? 'suspected-call' : undefined)
    }
  })

  it('is not reported if a call was found in it', () => {
    const watch = createAnswerWatch(createToolLookup(['get_weather']))
    watch.see({ type: 'text', text: '{"tool_calls": [{"name": "get_weather"' })
    watch.see({ type: 'call-start', toolName: 'get_weather' })
    watch.see({ type: 'text', text: '}]}' })
    expect(watch.suspect()).toBeUndefined()
  })
})
