import type { Baseline } from './baseline.js'
import { writeOpenaiDefinition } from './json-shapes.js'

/**
 * Native JSON as `ai-sdk-wire-middleware` counts it for its published figures: calls in the form of
 * Anthropic's API, with a short constant id that the figures include, and definitions in the form of OpenAI's API, one per
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
  writeCalls: calls => [
    calls
      .map(({ toolName, args }) =>
        JSON.stringify({
          type: 'tool_use',
          id: 'toolu_01ABCDEFG',
          name: toolName,
          input: args,
        }),
      )
      .join('\n'),
  ],
}
