import { namespaceTools } from '../tool-forms.js'
import { namedJsonFormat } from './named-json-protocol.js'

/** The header of a message in a channel; of the first one the prompt has written the beginning. */
const headers = (...channels: string[]) =>
  ['', '<|start|>assistant'].flatMap(start => channels.map(channel => `${start}<|channel|>${channel}<|message|>`))

/**
 *     <|channel|>analysis<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>
 *
 * Models: gpt-oss. Quirks that are read: the recipient before or behind the channel, any channel, no `<|constrain|>`, a first header without
 * its `<|start|>assistant`, which is the prompt's. What is said in `analysis` is thought; messages do not nest, so any other header ends it.
 */
export const gptOssHarmony = /* @__PURE__ */ namedJsonFormat(
  { id: 'gpt_oss_harmony', aliases: ['openai', 'gpt_oss', 'harmony'], family: 'gpt-oss', models: /gpt-oss/ },
  () => ({
    grammar: {
      opens: ['<|start|>assistant', '<|channel|>', 'to=functions.'],
      header:
        /^(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s*to=functions\.(?<name>[^\s<]+)(?:<\|channel\|>\w+)?\s*(?:<\|constrain\|>\s*)?(?:\w+\s*)?<\|message\|>$/,
      separators: ['<|message|>'],
      ends: ['<|call|>', '<|end|>', '<|return|>'],
    },
    reasoning: [{ opens: headers('analysis'), closes: ['<|end|>', '<|return|>', ...headers('commentary', 'final')] }],
    callsInReasoning: true,
    // A recipient that is the model itself means nothing.
    silent: ['', '<|start|>assistant'].map(start => `${start}<|channel|>commentary to=assistant`),
    otherMarks: ['<|start|>', '<|constrain|>'],
    writeCall: ({ name, args }) =>
      `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${args}<|call|>`,
    writeResult: ({ name, content }) =>
      `<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${content}<|end|>`,
    joinResults: results => results.join(''),
    isResultJson: true,
    toolsForm: { open: '## functions\n\n', close: '', show: namespaceTools() },
  }),
)
