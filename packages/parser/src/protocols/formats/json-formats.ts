import { between } from '../format-protocol.js'
import { bareCalls, calls, fence, jsonFormat, parametersEnvelope, results } from '../json-mix-protocol.js'
import { toolFields } from '../text-forms.js'
import { bareTools, exaoneTools, indentedTools, namespaceTools, plainTool, toolLines, toolList } from '../tool-forms.js'

/** <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call> */
export const hermes = /* @__PURE__ */ jsonFormat('hermes', 'Hermes, Qwen 2.5 and 3, QwQ, SmolLM 3 and others', () => ({
  aliases: ['json_mix', 'qwen', 'qwen25'],
  models: /hermes-?[234]|qwen-?(?:2\.5|3)|qwq|smollm-?3/,
}))

/** JSON in Markdown fences: what Gemma and small models write best. ```json is read too, if it holds a declared tool's call. */
export const fencedJson = /* @__PURE__ */ jsonFormat('fenced_json', 'Gemma, Phi and small models', () => ({
  aliases: ['gemma'],
  ...calls('```tool_call', '```'),
  ...results('```tool_response', '```'),
  otherMarks: [fence],
  // No model was trained on this, so a result says whose it is.
  resultsForm: {
    isJson: true,
    hasErrors: true,
    write: ({ name, content, isError }) =>
      `\`\`\`tool_response\n{"name": ${JSON.stringify(name)}, "${isError ? 'error' : 'content'}": ${content}}\n\`\`\``,
  },
}))

/**
 * {"name": "f", "parameters": {…}}; {"name": "g", "parameters": {…}}
 * <|python_tag|>{"name": "f", "parameters": {…}}
 * The mark is a special token, so most servers take it away.
 */
export const llama3Json = /* @__PURE__ */ jsonFormat('llama3_json', 'Llama 3.1, 3.2 and 3.3', () => ({
  aliases: ['llama3', 'llama4_json'],
  // Others are made of it, and write otherwise.
  models: /(?<!(?:nemotron|hermes).*)llama-?3[.-][123](?!.*nemotron)/,
  ...bareCalls,
  envelope: parametersEnvelope,
  joint: '; ',
  toolsForm: indentedTools(),
  resultsForm: { isJson: true },
  otherMarks: [
    { open: '<|python_tag|>', close: '', otherCloses: ['<|eom_id|>', '<|eot_id|>'] },
    fence,
    { ...fence, open: '```' },
  ],
}))

/** <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call> The arguments may be a JSON string. */
export const granite4 = /* @__PURE__ */ jsonFormat('granite4', 'Granite 4', () => ({
  models: /granite-?4[.-]/,
}))

/**
 * <function_call> {"name": "f", "arguments": {…}}
 * Each call has a mark of its own and none ends it; `no_function` is how the model says that it calls nothing.
 */
export const granite20bFc = /* @__PURE__ */ jsonFormat('granite_20b_fc', 'Granite 20B function calling', () => ({
  models: /granite-20b-function/,
  ...calls('<function_call>', ''),
  ...results('<function_response>', ''),
  gap: ' ',
  toolsForm: { ...bareTools, open: '<|function_call_library|>', show: toolLines(plainTool) },
  // Nothing ends a result but the end of its line.
  resultsForm: { marks: ['\n'] },
  noCallNames: ['no_function'],
}))

/** <|action_start|><|plugin|>\n{"name": "f", "parameters": {…}}<|action_end|> */
export const internlm2 = /* @__PURE__ */ jsonFormat('internlm2', 'InternLM 2 and 2.5, Intern-S1', () => ({
  aliases: ['internlm', 'interns1'],
  models: /internlm-?2|intern-?s1/,
  ...calls('<|action_start|><|plugin|>', '<|action_end|>'),
  envelope: parametersEnvelope,
  isBareRead: true,
  gap: ['\n', ''],
  joint: '',
  toolsForm: { ...bareTools, show: toolList(plainTool) },
  otherMarks: [' ', '\n'].map(gap => ({ open: `<|action_start|>${gap}<|plugin|>`, close: '<|action_end|>' })),
}))

/**
 * <tool_calls>\n{"name": "f", "arguments": {…}}\n{"name": "g", "arguments": {…}}\n</tool_calls>
 * Lines of JSON, not a list.
 */
export const minimaxM1 = /* @__PURE__ */ jsonFormat('minimax_m1', 'MiniMax M1, MiniMax Text 01', () => ({
  aliases: ['minimax'],
  models: /minimax-(?:m1|text)/,
  ...calls('<tool_calls>', '</tool_calls>'),
  grouping: 'lines',
  toolsForm: { heading: '' },
  resultsForm: { write: ({ content }) => `tool result: ${content}`, marks: ['\n'] },
}))

/** <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call>\n */
export const ernie45 = /* @__PURE__ */ jsonFormat('ernie45', 'ERNIE 4.5 and X1.1', () => ({
  models: /ernie-(?:4\.5|x1)/,
}))

/** <longcat_tool_call>{"name": "f", "arguments": {…}}</longcat_tool_call> */
export const longcat = /* @__PURE__ */ jsonFormat('longcat', 'LongCat Flash', () => ({
  models: /longcat/,
  ...calls('<longcat_tool_call>', '</longcat_tool_call>'),
  gap: '',
  toolsForm: {
    ...bareTools,
    heading: '## Tools',
    open: '### Tool namespace: function\n\n',
    show: toolLines(tool => {
      const { name, description = '', parameters = {} } = toolFields(tool)
      return `#### Tool name: ${name}\n\nDescription: ${description}\n\nInputSchema: \n${JSON.stringify(parameters, null, 2)}`
    }, '\n\n'),
  },
}))

/**
 * <|function_call|>{"name": "f", "arguments": {…}}                              3.1
 * <|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "f", "arguments": {…}}    3
 * All of these are special tokens; what is left without them is `function call`, or nothing.
 */
export const gigachat3 = /* @__PURE__ */ jsonFormat('gigachat3', 'GigaChat 3 and 3.1', () => ({
  models: /gigachat-?3/,
  ...calls('<|function_call|>', ''),
  gap: '',
  isBareRead: true,
  joint: '',
  toolsForm: {
    ...bareTools,
    show: namespaceTools({ indent: depth => '  '.repeat(depth), hasLastComma: true }, ''),
  },
  otherEnds: ['</s>', '<|message_sep|>'],
  otherMarks: [
    { open: '<|message_sep|>\n\nfunction call<|role_sep|>', close: '</s>', otherCloses: ['<|message_sep|>'] },
    { open: 'function call\n', close: '', isWeak: true },
  ],
}))

/** <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call><tool_call>… */
export const rekaEdge = /* @__PURE__ */ jsonFormat('reka_edge', 'Reka Edge', () => ({
  models: /reka-edge/,
  joint: '',
  resultsForm: { join: results => results.join('') },
}))

/** <tool_call>{"name": "f", "arguments": {…}}</tool_call> */
export const exaone4 = /* @__PURE__ */ jsonFormat('exaone4', 'EXAONE 4', () => ({
  models: /exaone-?4/,
  gap: '',
  toolsForm: exaoneTools(),
  ...results('<tool_result>', '</tool_result>'),
  resultsForm: { ...between('<tool_result>{"result": ', '}</tool_result>'), isJson: true },
}))
