import { toolList } from '../tool-forms.js'
import { namedJsonFormat } from './named-json-protocol.js'

/**
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>
 *
 * Models: Kimi K2, K2 Thinking, K2.5, K2.6. `functions.NAME:INDEX` is the id of the call, and results are told apart by it.
 * Quirks that are read: a missing section or one in the singular, missing ends, no `functions.`, no index.
 */
export const kimiK2 = /* @__PURE__ */ namedJsonFormat(
  { id: 'kimi_k2', family: 'Kimi K2, K2 Thinking, K2.5 and K2.6', models: /kimi-?k2|moonlight/ },
  () => ({
    grammar: {
      section: {
        opens: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
        closes: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
      },
      opens: ['<|tool_call_begin|>'],
      header:
        /^<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[^\s<]+?)(?::\d+)?(?:\s*<\|tool_call_argument_begin\|>)?$/,
      separators: ['<|tool_call_argument_begin|>'],
      ends: ['<|tool_call_end|>'],
    },
    callsInReasoning: true,
    otherMarks: ['<|im_end|>', '<|im_system|>', '## Return of '],
    writeCall: ({ id, name, args, index }) =>
      `<|tool_call_begin|>${idOf(id, name, index)}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
    joinCalls: calls => `<|tool_calls_section_begin|>${calls.join('')}<|tool_calls_section_end|>`,
    writeResult: ({ id, name, content, index }) => `## Return of ${idOf(id, name, index)}\n${content}`,
    toolsForm: { open: '', close: '', show: toolList() },
  }),
)

/** The id that the model itself gave the call; otherwise its place in the message, which is that of its result too. */
function idOf(id: string, name: string, index: number): string {
  const prefix = `functions.${name}:`
  return id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)) ? id : prefix + index
}
