import { taggedFormat } from '../tagged-protocol.js'
import { toolList } from '../tool-forms.js'

/**
 *     <|open|>response<|sep|>Let me look.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>
 *     <|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 *
 * (All in one line.) Models: Kimi K3. Each argument says its type: a string is raw, all else is JSON. What is said stands in a `response`,
 * what is thought in a `think`. Where a server strips the special tokens nothing can be read.
 */
export const kimiK3 = /* @__PURE__ */ taggedFormat({ id: 'kimi_k3', family: 'Kimi K3', models: /kimi-?k3/ }, () => ({
  grammar: {
    section: { open: '<|open|>tools<|sep|>', close: '<|close|>tools<|sep|>' },
    call: { open: '<|open|>call tool="', nameEnd: '"', headEnd: '<|sep|>', close: '<|close|>call<|sep|>' },
    argument: {
      open: '<|open|>argument key="',
      keyEnd: '"',
      headEnd: '<|sep|>',
      close: '<|close|>argument<|sep|>',
    },
    isText: attributes => {
      const type = /type="([^"]*)"/.exec(attributes)?.[1]
      return type === undefined ? undefined : type === 'string'
    },
  },
  gap: '',
  attributes: (_, type) => ` type="${type}"`,
  callAttributes: index => ` index="${index + 1}"`,
  formatResult: (text, toolName, index) =>
    `<|open|>message role="tool" tool="${toolName}" index="${index + 1}"<|sep|>${text}<|close|>message<|sep|>`,
  resultMark: ['<|open|>', '<|close|>'],
  joinResults: results => results.join('<|end_of_msg|>'),
  toolsForm: { open: '```json\n', close: '\n```', show: toolList() },
  reasoning: [
    {
      opens: ['<|open|>think<|sep|>'],
      // A model that does not think goes right on to its answer.
      closes: ['<|close|>think<|sep|>', '<|open|>response<|sep|>'],
    },
  ],
  silent: [
    ...['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|open|>message role="assistant"<|sep|>'],
    ...['<|close|>message<|sep|>', '<|end_of_msg|>'],
  ],
}))
