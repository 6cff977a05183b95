import type { Baseline } from './baseline.js'
import { writeOpenaiDefinition } from './json-shapes.js'

/**
 * Native JSON as `ai-sdk-wire-middleware` counts it for its published figures: calls as Anthropic's
 * API has them, with a short id that is always the same, and definitions as OpenAI's API has them,
 * one a line.
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
