import { toolList } from '../tool-forms.js'
import { namedJsonFormat } from './named-json-protocol.js'

/**
 *     [TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}[TOOL_CALLS]get_time[ARGS]{"tz": "CET"}
 *
 * Models: Mistral Small 3, Devstral, Magistral, Ministral 3, Medium 3, Large 3. Older ones (7B v0.3, Nemo, Large 2) write
 * `[TOOL_CALLS] [{"name": …, "arguments": …}]`, which is read too, and so are `[CALL_ID]`, a missing `[ARGS]`, and
 * `get_weather{…}` at the beginning of a line, which is what a server leaves that strips special tokens.
 */
export const mistral = /* @__PURE__ */ namedJsonFormat(
  {
    id: 'mistral',
    family: 'Mistral, Ministral, Magistral and Devstral',
    models: /mistral|ministral|magistral|devstral|codestral|mixtral/,
  },
  () => ({
    grammar: {
      opens: ['[TOOL_CALLS]'],
      header: /^\[TOOL_CALLS\]\s*(?<name>[^\s[\]{}]+)\s*(?:\[CALL_ID\][^[\]{}]*)?(?:\[ARGS\])?$/,
      separators: ['[ARGS]'],
      ends: [],
      hasEnvelopes: true,
      hasBareNames: true,
    },
    reasoning: [{ opens: ['[THINK]'], closes: ['[/THINK]'] }],
    otherMarks: ['[CALL_ID]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]', '[INST]', '[/INST]'],
    writeCall: ({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${args}`,
    writeResult: ({ content }) => `[TOOL_RESULTS]${content}[/TOOL_RESULTS]`,
    joinResults: results => results.join(''),
    toolsForm: { heading: '', open: '[AVAILABLE_TOOLS]', close: '[/AVAILABLE_TOOLS]', show: toolList() },
  }),
)
