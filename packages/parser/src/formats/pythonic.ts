import { pythonicProtocol } from '../protocols/pythonic-protocol.js'
import { openAiTool } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'

const pythonicFormat = /* @__PURE__ */ formatMaker('pythonic', pythonicProtocol)

/**
 *     [get_weather(city="Paris", days=3), get_time()]
 *
 * Quirks that are read: text around the list, either quote, JSON's constants, a missing `]`, Llama
 * 4's tags. There is no mark, so a list counts only if a declared tool's name and `(` stand right
 * behind its bracket.
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

/** The tags are special tokens, which servers may strip; so the bare list is read too. */
export const llama4Pythonic = /* @__PURE__ */ pythonicFormat('llama4_pythonic llama4', () => ({
  writtenBy: ['Llama 4 Scout and Maverick', /llama-?4/],
  calls: '<|python_start|>[$calls]<|python_end|>',
  toolsForm: { show: tools => JSON.stringify(tools.map(openAiTool), null, 4) },
  result: '<tool_response>\n$json\n</tool_response>',
}))

/**
 * Quirks that are read: the bare list, for the tags are special tokens; JSON calls between the
 * tags; sets, numbers such as `07`, quotes and line breaks inside strings that are not escaped.
 */
export const lfm2 = /* @__PURE__ */ pythonicFormat('lfm2', () => ({
  writtenBy: ['LFM2 and LFM2.5', /lfm-?2/],
  calls: '<|tool_call_start|>[$calls]<|tool_call_end|>',
  isSingleQuoted: true,
  words: ['List of tools: ', 'To call tools, write a list of calls between the tags:'],
  result: '<|tool_response_start|>$content<|tool_response_end|>',
}))

/** A line for each call, no list around them. JSON's constants are read too. */
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
 * These models have no format of their own. Quirks that are read: the calls in a fence labelled
 * `tool_code`, and in one labelled `python` if they are of declared tools.
 */
export const gemma3 = /* @__PURE__ */ pythonicFormat('gemma3 gemma2', () => ({
  // Gemma 1 came as `gemma-2b`, FunctionGemma as `functiongemma-270m`.
  writtenBy: ['Gemma 2 and 3', /gemma-?[23](?![\db])/],
  others: [
    { open: '```tool_code', close: '```', strength: 'line' },
    { open: '```python', close: '```', strength: 'weak', countsInReasoning: true },
  ],
  result: '<tool_response>\n$content</tool_response>',
}))
