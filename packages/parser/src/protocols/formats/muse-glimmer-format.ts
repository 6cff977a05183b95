import { taggedFormat } from '../tagged-protocol.js'
import { plainTool, toolLines } from '../tool-forms.js'

/**
 *      to=user<|message|>Let me look.<|eom|><|start|>assistant to=get_weather<|message|><atem:function_calls>
 *     <atem:invoke name="get_weather">
 *     <atem:parameter name="city">Paris</atem:parameter>
 *     </atem:invoke>
 *     </atem:function_calls><|eot|>
 *
 * Models: Muse Glimmer. The first `<|start|>assistant` is the prompt's. Strings are raw and keep their space; all else is JSON. What
 * is addressed to `self` is thought and shown to nobody. Quirks that are read: `get_weather.get_weather` for a tool without
 * a namespace, and headers from which the special tokens were stripped.
 */
export const museGlimmer = /* @__PURE__ */ taggedFormat(
  { id: 'muse_glimmer', aliases: ['muse'], family: 'Muse Glimmer', models: /muse-?glimmer/ },
  () => ({
    grammar: {
      section: { open: '<atem:function_calls>', close: '</atem:function_calls>' },
      call: { open: '<atem:invoke name="', nameEnd: '"', headEnd: '>', close: '</atem:invoke>' },
      argument: { open: '<atem:parameter name="', keyEnd: '"', headEnd: '>', close: '</atem:parameter>' },
      toolName: (written, isTool) => {
        const half = written.slice(0, written.length / 2)
        return !isTool(written) && written === `${half}.${half}` && isTool(half) ? half : written
      },
    },
    addresses: {
      opens: ['<|start|>assistant to=', 'assistant to=', ' to=', 'to='],
      headerEnd: '<|message|>',
      ends: ['<|eom|>', '<|eot|>'],
      readers: ['user'],
      self: 'self',
    },
    messages: { header: toolName => `<|start|>assistant to=${toolName}<|message|>`, joint: '<|eom|>' },
    gap: '\n',
    formatResult: (text, toolName) => `<tool_output name="${toolName}">\n${text}\n</tool_output>`,
    resultMark: ['</tool_output', '<|'],
    toolsForm: { heading: '', open: '// Function schemas\n', close: '', show: toolLines(plainTool), isLast: true },
  }),
)
