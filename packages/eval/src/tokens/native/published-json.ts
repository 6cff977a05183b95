import type { Baseline } from './baseline.js'
import { writeOpenaiDefinition } from './json-shapes.js'

/**
 * Native JSON as `ai-sdk-wire-middleware` counts it for its published figures: calls in the form of
 * Anthropic's API, with a short constant id, and definitions in the form of OpenAI's API, one per
 * line.
 *
 *     {"type":"tool_use","id":"toolu_01ABCDEFG","name":"getTime","input":{"timezone":"Asia/Tokyo"}}
 */
export const publishedJson: Baseline = {
  name: 'published_json',
  title: 'native JSON as published',
  writeDefinitions: tools => [
    tools.map(tool => JSON.stringify(writeOpenaiDefinition(tool))).join('\n'),
  ],
  createId: () => 'toolu_01ABCDEFG',
  writeCalls: (calls, idOf) => [
    calls
      .map(({ toolName, args }, i) =>
        JSON.stringify({ type: 'tool_use', id: idOf(i), name: toolName, input: args }),
      )
      .join('\n'),
  ],
}
