import { pythonicProtocol } from '../protocols/pythonic-protocol.js'
import { escapeControlTokens } from '../writing/control-tokens.js'
import { openAiTool } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'

const pythonicFormat = /* @__PURE__ */ formatMaker('pythonic', pythonicProtocol)

/**
 *     [get_weather(city="Paris")]
 *
 * Also read: text around the list, single and double quotes, `true` for `True`, a missing `]`, the
 * tags of Llama 4. There is no mark: a list counts only if it begins with the name of a declared
 * tool and `(`.
 */
export const pythonic = /* @__PURE__ */ pythonicFormat('pythonic toolace', () => ({
  writtenBy: [
    'Llama 3.2 1B and 3B, ToolACE and others trained on lists of Python calls',
    /llama-?v?3\.2(?!.*(?:11b|90b|vision))|toolace.*/,
  ],
  others: [{ open: '<|python_start|>', close: '<|python_end|>' }],
  toolsForm: { tool: '$tool4', joint: '\n\n' },
  result: '{"output": $json}',
  errorResult: '{"error": $json}',
}))

/**
 *     <|python_start|>[get_weather(city="Paris")]<|python_end|>
 *
 * Also read: the list without the tags, which are special tokens that servers may strip.
 */
export const llama4Pythonic = /* @__PURE__ */ pythonicFormat('llama4_pythonic llama4', () => ({
  writtenBy: ['Llama 4 Scout and Maverick', /llama-?4/],
  calls: '<|python_start|>[$calls]<|python_end|>',
  toolsForm: { show: tools => escapeControlTokens(JSON.stringify(tools.map(openAiTool), null, 4)) },
  result: '<tool_response>\n$json\n</tool_response>',
}))

/**
 *     <|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>
 *
 * Also read: the list without the tags, which are special tokens; JSON calls between the tags;
 * sets, numbers such as `07`, and strings with unescaped quotes and line breaks.
 */
export const lfm2 = /* @__PURE__ */ pythonicFormat('lfm2', () => ({
  writtenBy: ['LFM2 and LFM2.5', /lfm-?2/],
  calls: '<|tool_call_start|>[$calls]<|tool_call_end|>',
  isSingleQuoted: true,
  words: ['List of tools: ', 'To call tools, write a list of calls between the tags:'],
  result: '<|tool_response_start|>$content<|tool_response_end|>',
}))

/**
 *     <function_calls>get_weather(city="Paris")</function_calls>
 *
 * Several calls are lines, not a list. Also read: `true` for `True`.
 */
export const olmo3 = /* @__PURE__ */ pythonicFormat('olmo3', () => ({
  writtenBy: ['OLMo 3', /olmo-?3/],
  calls: '<function_calls>$calls</function_calls>',
  toolsForm: { list: '<functions>[$tools]</functions>' },
  words: [
    'You can call these functions:\n',
    'To call functions, write a line for each call between the tags:',
  ],
}))

/**
 *     [get_weather(city="Paris")]
 *
 * These models have no format of their own. Also read: calls in a fence labelled `tool_code`, and
 * calls of declared tools in a fence labelled `python`.
 */
export const gemma3 = /* @__PURE__ */ pythonicFormat('gemma3 gemma2', () => ({
  // Not `gemma-2b` (Gemma 1) and not `functiongemma-270m` (FunctionGemma).
  writtenBy: ['Gemma 2 and 3', /gemma-?[23](?![\db])/],
  others: [
    { open: '```tool_code', close: '```', strength: 'line' },
    { open: '```python', close: '```', strength: 'weak', countsInReasoning: true },
  ],
  result: '<tool_response>\n$content</tool_response>',
}))
