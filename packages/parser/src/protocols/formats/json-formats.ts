import { fence, jsonFormat } from '../json-mix-protocol.js'
import { toolFields } from '../text-forms.js'
import { bareTools, indentedTools, namespaceTools, toolLines, toolList } from '../tool-forms.js'

export const hermes = /* @__PURE__ */ jsonFormat('hermes', 'Hermes, Qwen 2.5 and 3, QwQ, SmolLM 3 and others', () => ({
  aliases: ['json_mix', 'qwen', 'qwen25'],
  models: /hermes-?[234]|qwen-?(?:2\.5|3)|qwq|smollm-?3/,
}))

/** JSON in Markdown fences: what Gemma and small models write best. ```json is read too, if it holds a declared tool's call. */
export const fencedJson = /* @__PURE__ */ jsonFormat('fenced_json', 'Gemma, Phi and small models', () => ({
  aliases: ['gemma'],
  block: '```tool_call\n$json\n```',
  otherMarks: [fence],
  // No model was trained on this, so a result says whose it is.
  result: '```tool_response\n{"name": "$name", "content": $content}\n```',
  errorResult: '```tool_response\n{"name": "$name", "error": $content}\n```',
  isResultJson: true,
}))

/** <|python_tag|> may stand before it. That is a special token, so most servers take it away. */
export const llama3Json = /* @__PURE__ */ jsonFormat('llama3_json', 'Llama 3.1, 3.2 and 3.3', () => ({
  aliases: ['llama3', 'llama4_json'],
  // Others are made of it, and write otherwise.
  models: /(?<!(?:nemotron|hermes).*)llama-?3[.-][123](?!.*nemotron)/,
  block: '$json',
  call: '{"name": "$name", "parameters": $args}',
  joint: '; ',
  toolsForm: indentedTools(),
  isResultJson: true,
  otherMarks: [
    { open: '<|python_tag|>', close: '', otherCloses: ['<|eom_id|>', '<|eot_id|>'] },
    fence,
    { ...fence, open: '```' },
  ],
}))

/** The arguments may be a JSON string. */
export const granite4 = /* @__PURE__ */ jsonFormat('granite4', 'Granite 4', () => ({
  models: /granite-?4[.-]/,
}))

/** Each call has a mark of its own and none ends it; `no_function` is how the model says that it calls nothing. */
export const granite20bFc = /* @__PURE__ */ jsonFormat('granite_20b_fc', 'Granite 20B function calling', () => ({
  models: /granite-20b-function/,
  block: '<function_call> $json',
  toolsForm: { heading: '', frame: '<|function_call_library|>$tools', show: toolLines('$function') },
  result: '<function_response> $content',
  // Nothing ends a result but the end of its line.
  resultMarks: ['\n'],
  noCallNames: ['no_function'],
}))

export const internlm2 = /* @__PURE__ */ jsonFormat('internlm2', 'InternLM 2 and 2.5, Intern-S1', () => ({
  aliases: ['internlm', 'interns1'],
  models: /internlm-?2|intern-?s1/,
  block: '<|action_start|><|plugin|>\n$json<|action_end|>',
  call: '{"name": "$name", "parameters": $args}',
  joint: '',
  isBareRead: true,
  toolsForm: { ...bareTools, show: toolList('$function') },
  otherMarks: [' ', '\n'].map(gap => ({ open: `<|action_start|>${gap}<|plugin|>`, close: '<|action_end|>' })),
}))

/** Lines of JSON, not a list. */
export const minimaxM1 = /* @__PURE__ */ jsonFormat('minimax_m1', 'MiniMax M1, MiniMax Text 01', () => ({
  aliases: ['minimax'],
  models: /minimax-(?:m1|text)/,
  block: '<tool_calls>\n$json\n</tool_calls>',
  calls: '$calls',
  toolsForm: { heading: '' },
  result: 'tool result: $content',
  resultMarks: ['\n'],
}))

export const ernie45 = /* @__PURE__ */ jsonFormat('ernie45', 'ERNIE 4.5 and X1.1', () => ({
  models: /ernie-(?:4\.5|x1)/,
}))

export const longcat = /* @__PURE__ */ jsonFormat('longcat', 'LongCat Flash', () => ({
  models: /longcat/,
  block: '<longcat_tool_call>$json</longcat_tool_call>',
  result: '<tool_response>$content</tool_response>',
  toolsForm: {
    heading: '## Tools',
    frame: '### Tool namespace: function\n\n$tools',
    show: toolLines(tool => {
      const { name, description = '', parameters = {} } = toolFields(tool)
      return `#### Tool name: ${name}\n\nDescription: ${description}\n\nInputSchema: \n${JSON.stringify(parameters, null, 2)}`
    }, '\n\n'),
  },
}))

/**
 * This is 3.1; the form of 3 is the first of the other marks. All of these are special tokens; what is left without them is
 * `function call`, or nothing.
 */
export const gigachat3 = /* @__PURE__ */ jsonFormat('gigachat3', 'GigaChat 3 and 3.1', () => ({
  models: /gigachat-?3/,
  block: '<|function_call|>$json',
  result: '<tool_response>$content</tool_response>',
  joint: '',
  isBareRead: true,
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

export const rekaEdge = /* @__PURE__ */ jsonFormat('reka_edge', 'Reka Edge', () => ({
  models: /reka-edge/,
  joint: '',
  resultJoint: '',
}))

export const exaone4 = /* @__PURE__ */ jsonFormat('exaone4', 'EXAONE 4', () => ({
  models: /exaone-?4/,
  block: '<tool_call>$json</tool_call>',
  toolsForm: { ...bareTools, heading: '# Available Tools', show: toolLines('<tool>$tool</tool>') },
  result: '<tool_result>{"result": $content}</tool_result>',
  isResultJson: true,
}))
