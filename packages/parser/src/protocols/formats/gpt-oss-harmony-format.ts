import type { ModelFormat } from '../model-format.js'
import { namespaceTools } from '../tool-forms.js'
import { namedJsonProtocol } from './named-json-protocol.js'

const messages = ['<|channel|>analysis<|message|>', '<|channel|>commentary<|message|>', '<|channel|>final<|message|>']

/**
 *     <|channel|>analysis<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>
 *
 * Models: gpt-oss. Quirks that are read: the recipient before or behind the channel, any channel, no `<|constrain|>`, a first header without
 * its `<|start|>assistant`, which is the prompt's. What is said in a channel without a recipient is text, its header is not.
 */
export const gptOssHarmony: ModelFormat = {
  id: 'gpt_oss_harmony',
  aliases: ['openai', 'gpt_oss', 'harmony'],
  family: 'gpt-oss',
  models: /gpt-oss/,
  grammar: 'named-json',
  create: () =>
    namedJsonProtocol({
      grammar: {
        opens: ['<|start|>assistant', '<|channel|>', 'to=functions.'],
        header:
          /^(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s*to=functions\.(?<name>[^\s<]+)(?:<\|channel\|>\w+)?\s*(?:<\|constrain\|>\s*)?(?:\w+\s*)?<\|message\|>$/,
        separators: ['<|message|>'],
        ends: ['<|call|>', '<|end|>', '<|return|>'],
        silent: ['<|end|>', '<|return|>', ...messages, ...messages.map(message => `<|start|>assistant${message}`)],
      },
      otherMarks: ['<|start|>', '<|constrain|>'],
      writeCall: ({ name, args }) =>
        `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${args}<|call|>`,
      joinCalls: calls => calls.join(''),
      writeResult: ({ name, content }) =>
        `<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${content}<|end|>`,
      joinResults: results => results.join(''),
      isResultJson: true,
      toolsForm: { open: '## functions\n\n', close: '', show: namespaceTools() },
    }),
}
