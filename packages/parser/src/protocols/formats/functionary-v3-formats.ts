import { bareTools, namespaceTools, plainTool, toolLines } from '../tool-forms.js'
import { namedJsonFormat } from './named-json-protocol.js'

/**
 *     <function=get_weather>{"city": "Paris"}</function>
 *
 * Models: functionary-medium-v3.1, and Llama 3.1 when asked for custom tools in Meta's own way.
 */
export const functionaryV31 = /* @__PURE__ */ namedJsonFormat(
  { id: 'functionary_v3_1', family: 'Functionary 3.1', models: /functionary-\w+-v3\.1/ },
  () => ({
    grammar: {
      opens: ['<function='],
      header: /^<function=["']?(?<name>[^\s<>"']+)["']?\s*>$/,
      ends: ['</function>'],
    },
    otherMarks: ['<|eot_id|>', '<|eom_id|>', '<|start_header_id|>', '</tool_response'],
    writeCall: ({ name, args }) => `<function=${name}>${args}</function>`,
    writeResult: ({ content }) => `<tool_response>\n${content}\n</tool_response>`,
    toolsForm: { ...bareTools, show: toolLines(plainTool, '\n\n') },
  }),
)

/**
 *     >>>all
 *     Let me look.>>>get_weather
 *     {"city": "Paris"}>>>get_time
 *     {"tz": "CET"}
 *
 * Models: functionary v3.2. The first `>>>` is the prompt's, so that the text may begin with the tool's name. `>>>all` stands before
 * what is said to the user.
 */
export const functionaryV32 = /* @__PURE__ */ namedJsonFormat(
  { id: 'functionary_v3_2', family: 'Functionary 3.2', models: /functionary-\w+-v3\.2/ },
  () => ({
    grammar: {
      opens: ['>>>'],
      header: /^>>>(?<name>[^\s<>{}"']+)$/,
      ends: [],
      hasBareNames: true,
    },
    silent: ['>>>all\n'],
    otherMarks: ['<|eot_id|>', '<|start_header_id|>', '</tool_response'],
    writeCall: ({ name, args }) => `>>>${name}\n${args}`,
    writeResult: ({ content }) => `<tool_response>\n${content}\n</tool_response>`,
    toolsForm: {
      ...bareTools,
      show: namespaceTools({ indent: depth => '    '.repeat(Math.max(depth - 1, 0)), hasLastComma: true }),
    },
  }),
)
