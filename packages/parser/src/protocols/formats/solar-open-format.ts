import { plainTool, toolLines } from '../tool-forms.js'
import { namedJsonFormat } from './named-json-protocol.js'

/**
 *     <|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Paris"}<|tool_call:end|><|calls|>
 *
 * Models: Solar Open. The model makes up the id, ten characters long; results are told apart by it. Quirks that are read: missing
 * ends, no id, no section.
 */
export const solarOpen = /* @__PURE__ */ namedJsonFormat(
  { id: 'solar_open', family: 'Solar Open', models: /solar-?open/ },
  () => ({
    grammar: {
      section: { opens: ['<|tool_calls|>'], closes: ['<|calls|>'] },
      opens: ['<|tool_call:begin|>'],
      header:
        /^<\|tool_call:begin\|>\s*(?:[^\s<]*\s*<\|tool_call:name\|>)?\s*(?<name>[^\s<]+)\s*(?:<\|tool_call:args\|>)?$/,
      separators: ['<|tool_call:args|>'],
      ends: ['<|tool_call:end|>'],
    },
    otherMarks: [
      ...['<|tool_call:name|>', '<|tool_response|>', '<|tool_response:begin|>', '<|tool_response:name|>'],
      ...['<|tool_response:result|>', '<|tool_response:end|>', '<|begin|>', '<|end|>'],
    ],
    writeCall: ({ id, name, args }) =>
      `<|tool_call:begin|>${idOf(id)}<|tool_call:name|>${name}<|tool_call:args|>${args}<|tool_call:end|>`,
    joinCalls: calls => `<|tool_calls|>${calls.join('')}<|calls|>`,
    writeResult: ({ id, name, content }) =>
      `<|tool_response:begin|>${idOf(id)}<|tool_response:name|>${name}<|tool_response:result|>${content}<|tool_response:end|>`,
    joinResults: results => results.join(''),
    toolsForm: {
      heading: '## Tools',
      open: '### Available Tools\n<|tools:begin|>',
      close: '<|tools:end|>',
      show: toolLines(tool => `<|tool:begin|>${plainTool(tool)}<|tool:end|>`, ''),
    },
  }),
)

/** Ten lower-case letters and digits, the same for a call and its result. */
function idOf(id: string): string {
  const plain = id.toLowerCase().replace(/[^a-z0-9]/g, '')
  return plain.slice(-10).padStart(10, '0')
}
