import { mixedCalls } from '../engine/tags/mixed-calls.js'
import { createJsonProtocol } from '../protocols/json-protocol.js'
import type { FunctionTool } from '../sdk/parts.js'
import { namespaceTools, pythonParts, typeScriptTool } from '../writing/tool-notations.js'
import { bareTools, indentedTools, toolFields, toolJson } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'

const jsonFormat = /* @__PURE__ */ formatMaker('json', createJsonProtocol)

/** A fence around a bare call, as small models write it. */
const weakFence = { open: '```', close: '```', strength: 'weak' } as const
const fence = { ...weakFence, open: '```json', countsInReasoning: true }
const fences = [fence, weakFence]
const toolCallTags = { open: '<tool_call>', close: '</tool_call>' }

/** A list with each call in a line of its own. */
const callListFormat = (indent: string, open: string, close: string) => ({
  calls: `${open}[\n${indent}$calls\n]${close}`,
  joint: `,\n${indent}`,
})

/**
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 */
export const hermes = /* @__PURE__ */ jsonFormat('hermes json_mix qwen qwen25 trinity', () => ({
  // `hermes-3-llama-3.1-8b`: the model that it was trained from comes after its name.
  writtenBy: [
    'Hermes, Qwen 2.5 and 3, QwQ, SmolLM 3 and others',
    /hermes-?[234].*|qwen-?(?:2\.5|3)|qwq|smollm-?3/,
  ],
  otherForms: mixedCalls,
}))

/**
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 *
 * Also read: arguments as a JSON string.
 */
export const granite4 = /* @__PURE__ */ jsonFormat('granite4', () => ({
  writtenBy: ['Granite 4', /granite-?4(?!\d)/],
  otherForms: mixedCalls,
}))

/**
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 */
export const ernie45 = /* @__PURE__ */ jsonFormat('ernie45', () => ({
  writtenBy: ['ERNIE 4.5 and X1.1', /ernie-?(?:4\.5|x1)/],
  silent: ['<response>\n', '<response>', '\n</response>', '</response>'],
}))

/**
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 */
export const rekaEdge = /* @__PURE__ */ jsonFormat('reka_edge', () => ({
  writtenBy: ['Reka Edge', /reka-edge/],
  joint: '',
  resultJoint: '',
}))

/**
 *     <tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>
 */
export const exaone4 = /* @__PURE__ */ jsonFormat('exaone4', () => ({
  writtenBy: ['EXAONE 4 and K-EXAONE', /exaone-?4|k-exaone/],
  call: '<tool_call>{"name": "$name", "arguments": $args}</tool_call>',
  toolsForm: { ...bareTools, heading: '# Available Tools', tool: '<tool>$tool</tool>' },
  result: '<tool_result>{"result": $json}</tool_result>',
}))

/**
 * ````text
 * ```tool_call
 * {"name": "get_weather", "arguments": {"city": "Paris"}}
 * ```
 * ````
 *
 * Also read: a fence labelled `json` that contains a call of a declared tool.
 */
export const fencedJson = /* @__PURE__ */ jsonFormat('fenced_json gemma', () => ({
  writtenBy: ['Gemma, Phi and small models'],
  otherForms: mixedCalls,
  call: '```tool_call\n{"name": "$name", "arguments": $args}\n```',
  strength: 'line',
  otherMarks: [
    fence,
    { ...fence, open: '```JSON' },
    { open: '```tool_calls', close: '```', strength: 'line' },
  ],
  // No model was trained on this format, so a result contains the name of its tool.
  result: '```tool_response\n{"name": "$name", "content": $json}\n```',
  errorResult: '```tool_response\n{"name": "$name", "error": $json}\n```',
}))

/**
 *     {"name": "get_weather", "parameters": {"city": "Paris"}}
 *
 * Also read: `<|python_tag|>` before the call. It is a special token, which most servers strip.
 */
export const llama3Json = /* @__PURE__ */ jsonFormat('llama3_json llama3 llama4_json', () => ({
  writtenBy: ['Llama 3.1, 3.2 Vision and 3.3', /llama-?v?3\.(?:[13]|2(?=.*(?:11b|90b|vision)))/],
  otherForms: mixedCalls,
  call: '{"name": "$name", "parameters": $args}',
  joint: '; ',
  toolsForm: indentedTools,
  result: '<tool_response>\n$json\n</tool_response>',
  otherMarks: [{ open: '<|python_tag|>', close: '<|eom_id|>' }, ...fences],
}))

/**
 *     <function_call> {"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * Each call has its own open mark, and no mark ends it. The model writes `no_function` as the name
 * if it calls nothing.
 */
export const granite20bFc = /* @__PURE__ */ jsonFormat('granite_20b_fc', () => ({
  writtenBy: ['Granite 20B function calling', /granite-20b-function/],
  call: '<function_call> {"name": "$name", "arguments": $args}',
  toolsForm: { heading: '', frame: '<|function_call_library|>$tools', tool: '$function' },
  result: '<function_response> $content',
  // A result ends at the end of its line.
  resultMarks: ['\n'],
}))

/**
 *     <|action_start|><|plugin|>
 *     {"name": "get_weather", "parameters": {"city": "Paris"}}<|action_end|>
 */
export const internlm2 = /* @__PURE__ */ jsonFormat('internlm2 internlm interns1', () => ({
  writtenBy: ['InternLM 2 and 2.5, Intern-S1', /internlm-?2|intern-?s1/],
  call: '<|action_start|><|plugin|>\n{"name": "$name", "parameters": $args}<|action_end|>',
  joint: '',
  toolsForm: { ...bareTools, tool: '$function', list: '[$tools]' },
  otherMarks: [' ', '\n'].map(gap => ({
    open: `<|action_start|>${gap}<|plugin|>`,
    close: '<|action_end|>',
  })),
}))

/**
 *     <tool_calls>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_calls>
 *
 * Several calls are lines of JSON, not a list.
 */
export const minimaxM1 = /* @__PURE__ */ jsonFormat('minimax_m1 minimax', () => ({
  writtenBy: ['MiniMax M1, MiniMax Text 01', /minimax-(?:m1|text|01)/],
  calls: '<tool_calls>\n$calls\n</tool_calls>',
  toolsForm: { heading: '' },
  result: 'tool result: $content',
  resultMarks: ['\n'],
}))

/**
 *     <longcat_tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</longcat_tool_call>
 */
export const longcat = /* @__PURE__ */ jsonFormat('longcat', () => ({
  writtenBy: ['LongCat Flash', /longcat/],
  call: '<longcat_tool_call>{"name": "$name", "arguments": $args}</longcat_tool_call>',
  toolsForm: {
    heading: '## Tools',
    frame: '### Tool namespace: function\n\n$tools',
    tool: '#### Tool name: $name\n\nDescription: $description\n\nInputSchema: \n$parameters2',
    joint: '\n\n',
  },
}))

/**
 *     <|function_call|>{"name": "get_weather", "arguments": {"city": "Paris"}}
 *
 * This is the form of 3.1. Also read: the form of 3, which is the first of `otherMarks`. The marks
 * are special tokens: a server that strips them leaves `function call`, or nothing.
 */
export const gigachat3 = /* @__PURE__ */ jsonFormat('gigachat3 gigachat_v3', () => ({
  writtenBy: ['GigaChat 3 and 3.1', /gigachat-?3/],
  call: '<|function_call|>{"name": "$name", "arguments": $args}',
  joint: '',
  toolsForm: { ...bareTools, ...namespaceTools(['  ', '  '], '') },
  silent: ['<|message_sep|>'],
  otherMarks: [
    { open: '<|message_sep|>\n\nfunction call<|role_sep|>', close: '</s>' },
    { open: 'function call\n', close: '', strength: 'weak', countsInReasoning: true },
  ],
}))

/**
 *     <|tool_call|>[
 *         {
 *             "name": "get_weather",
 *             "arguments": {
 *                 "city": "Paris"
 *             }
 *         }
 *     ]
 *
 * Also read: `<tool_call>[…]` of 3.1 and later.
 */
export const granite3 = /* @__PURE__ */ jsonFormat('granite3 granite', () => ({
  writtenBy: ['Granite 3', /granite-?3[.-]/],
  otherForms: mixedCalls,
  // The chat template writes it with `tojson(indent=4)`.
  ...callListFormat('    ', '<|tool_call|>', ''),
  call: '{\n        "name": "$name",\n        "arguments": $args\n    }',
  toolsForm: indentedTools,
  otherMarks: [toolCallTags],
}))

/**
 *     functools[{"name": "get_weather", "arguments": {"city": "Paris"}}]
 *
 * Also read: `<|tool_call|>[…]<|/tool_call|>` of later templates, and `functions[…]`, which the
 * model writes by mistake.
 */
export const phi4Mini = /* @__PURE__ */ jsonFormat('phi4_mini phi4_mini_json', () => ({
  writtenBy: ['Phi 4 mini', /phi-?4-mini/],
  calls: 'functools[$calls]',
  strength: 'line',
  toolsForm: indentedTools,
  otherMarks: [
    { open: '<|tool_call|>', close: '<|/tool_call|>' },
    { open: 'functions[', close: '', strength: 'weak', countsInReasoning: true },
  ],
}))

/**
 *     functools[{"name": "get_weather", "arguments": {"city": "Paris"}}]
 *
 * The model writes a space before it, which comes from the tokenizer.
 */
export const firefunctionV2 = /* @__PURE__ */ jsonFormat('firefunction_v2', () => ({
  writtenBy: ['FireFunction 2', /firefunction/],
  calls: 'functools[$calls]',
  strength: 'line',
}))

/**
 *     <tool_calls>[
 *       {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     ]</tool_calls>
 */
export const jamba = /* @__PURE__ */ jsonFormat('jamba', () => ({
  writtenBy: ['Jamba 1.5, 1.6 and 1.7', /jamba/],
  ...callListFormat('  ', '<tool_calls>', '</tool_calls>'),
  isBareRead: true,
}))

/**
 *     <tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</tool_calls>
 */
export const hunyuanA13b = /* @__PURE__ */ jsonFormat('hunyuan_a13b', () => ({
  writtenBy: ['Hunyuan A13B and dense', /hunyuan-(?:a13b|[\d.]+b)/],
  calls: '<tool_calls>[$calls]</tool_calls>',
  silent: ['<answer>', '</answer>'],
  toolsForm: { ...bareTools, list: '[$tools]' },
}))

/**
 *     <tool_calls>[{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "call_1"}]</tool_calls>
 *
 * The chat template shows the tools as Python dictionaries; our prompt shows them as JSON.
 */
export const apriel = /* @__PURE__ */ jsonFormat('apriel', () => ({
  writtenBy: ['Apriel 1.5 and 1.6', /apriel/],
  calls: '<tool_calls>[$calls]</tool_calls>',
  call: '{"name": "$name", "arguments": $args, "id": "$id"}',
  reasoning: [{ opens: ['Here are my reasoning steps:\n'], closes: ['[BEGIN FINAL RESPONSE]'] }],
  toolsForm: { heading: '', frame: '<available_tools>\n$tools\n</available_tools>' },
}))

/**
 *     <TOOLCALL>[{"name": "get_weather", "arguments": {"city": "Paris"}}]</TOOLCALL>
 */
export const nemotronNanoV2 = /* @__PURE__ */ jsonFormat('nemotron_nano_v2', () => ({
  writtenBy: [
    'Nemotron Nano 2, Llama Nemotron',
    /nemotron-nano-(?:v2|9b-v2|12b-v2)|llama-?3\.\d-nemotron(?!-70b)/,
  ],
  calls: '<TOOLCALL>[$calls]</TOOLCALL>',
  toolsForm: {
    heading: '',
    frame: '<AVAILABLE_TOOLS>$tools</AVAILABLE_TOOLS>',
    tool: '$function',
    list: '[$tools]',
  },
  result: '$json',
  results: '<TOOL_RESPONSE>[$results]</TOOL_RESPONSE>',
  resultJoint: ', ',
}))

/**
 *     [{"name": "get_weather", "arguments": {"city": "Paris"}}]
 *
 * Also read: the list in a fence, after `[TOOL_CALLS]` or in `<tool_call>` tags.
 */
export const xlam = /* @__PURE__ */ jsonFormat('xlam', () => ({
  writtenBy: ['xLAM 1 and 2', /xlam/],
  calls: '[$calls]',
  toolsForm: indentedTools,
  otherMarks: [...fences, toolCallTags, { open: '[TOOL_CALLS]', close: '' }],
}))

/**
 *     [{"name": "get_weather", "parameters": {"city": "Paris"}}]
 *
 * vLLM and SGLang make any model write this if a call is required.
 */
export const jsonArray = /* @__PURE__ */ jsonFormat('json_array', () => ({
  writtenBy: ['any model, where the server is told to make it call a tool'],
  call: '{"name": "$name", "parameters": $args}',
  calls: '[$calls]',
}))

/**
 *     <|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|>
 *
 * The key is the name of the tool.
 */
export const apertus = /* @__PURE__ */ jsonFormat('apertus apertus2509', () => ({
  writtenBy: ['Apertus', /apertus/],
  calls: '<|tools_prefix|>[$calls]<|tools_suffix|>',
  call: '{"$name": $args}',
  toolsForm: {
    heading: '',
    frame: 'Tool Capabilities:\n$tools',
    tool: tool => typeScriptTool(tool, undefined, ''),
  },
  result: '$json',
  results: '<tool_response>[$results]</tool_response>',
  resultJoint: ', ',
}))

/**
 *     Action:
 *     ```json
 *     [
 *         {"tool_name": "get_weather", "parameters": {"city": "Paris"}}
 *     ]
 *     ```
 *
 * The model calls `directly-answer` if it calls nothing.
 */
export const cohereCommandRPlus = /* @__PURE__ */ jsonFormat('cohere_command_r_plus', () => ({
  writtenBy: ['Command R and R+ of 2024', /command-r(?!7b)/],
  ...callListFormat('    ', 'Action:\n```json\n', '\n```'),
  strength: 'line',
  call: '{"tool_name": "$name", "parameters": $args}',
  result: '<results>\n$content\n</results>',
  toolsForm: { ...bareTools, heading: '## Available Tools', tool: commandTool, joint: '\n\n' },
  otherMarks: [
    { open: 'Action: ```json', close: '```', strength: 'line' },
    { open: 'Action:```json', close: '```', strength: 'line' },
    fence,
  ],
}))

function commandTool(tool: FunctionTool): string {
  const { name, description, args } = pythonParts(tool)
  const head = args
    .map(({ key, type, isNeeded }) => `${key}: ${isNeeded ? type : `Optional[${type}]`}`)
    .join(', ')
  const lines = args.map(({ key, type, text }) => `\n        ${key} (${type}): ${text}`).join('')
  return `\`\`\`python
def ${name}(${head}) -> List[Dict]:
    """${description}

    Args:${lines}
    """
    pass
\`\`\``
}

/** What the two newer formats share. Results are one list, each with the id of its call. */
const cohereAction = (heading: string, content: string) => {
  const resultTemplate = (isError: string) => `    {
        "tool_call_id": "$id",
        "results": {
            "0": ${content}
        },
        "is_error": ${isError}
    }`
  return {
    ...callListFormat('    ', '<|START_ACTION|>', '<|END_ACTION|>'),
    call: '{"tool_call_id": "$id", "tool_name": "$name", "parameters": $args}',
    reasoning: [{ opens: ['<|START_THINKING|>'], closes: ['<|END_THINKING|>'] }],
    // The chat template replaces the id of a call by its position in the conversation.
    callId: (_id: string, _name: string, ordinal: number) => String(ordinal),
    silent: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
    result: resultTemplate('null'),
    errorResult: resultTemplate('true'),
    results: '<|START_TOOL_RESULT|>[\n$results\n]<|END_TOOL_RESULT|>',
    resultJoint: ',\n',
    toolsForm: {
      heading,
      frame: '```json\n[\n    $tools\n]\n```',
      tool: (tool: FunctionTool) => toolJson({ ...toolFields(tool), responses: null }),
      joint: ',\n    ',
    },
  }
}

/**
 *     <|START_ACTION|>[
 *         {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}
 *     ]<|END_ACTION|>
 *
 * Reasoning may come before it; the chat template writes an empty
 * `<|START_THINKING|><|END_THINKING|>`.
 */
export const cohereCommandR7b = /* @__PURE__ */ jsonFormat(
  'cohere_command_r7b cohere_command3',
  () => ({
    writtenBy: ['Command R7B, Command A', /command-(?:r7b|a\b)/],
    ...cohereAction('## Available Tools', '$json'),
  }),
)

/**
 *     <|START_ACTION|>[
 *         {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}
 *     ]<|END_ACTION|>
 *
 * Text is in `<|START_TEXT|>…<|END_TEXT|>`.
 */
export const cohereCommand4 = /* @__PURE__ */ jsonFormat('cohere_command4 cohere2moe', () => ({
  writtenBy: ['Command A Reasoning, Command 4, North', /command-(?:a-reasoning|4)|north-mini/],
  ...cohereAction('# Available Tools', '{"content": $json}'),
}))

const TEXT = '<|content_text|>'
const CLOSE = '<|end_message|>'

/**
 *     <|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city": "Paris"}}<|end_message|>
 *
 * Text is a message too: `<|message_model|><|content_text|>Let me look.<|end_message|>`. The prompt
 * ends with the first `<|message_model|>`, so an answer may begin with the name of the tool. The
 * name in the JSON counts.
 */
export const inkling = /* @__PURE__ */ jsonFormat('inkling', () => ({
  writtenBy: ['Inkling', /inkling/],
  toolsForm: {
    ...bareTools,
    list: '[$tools]',
    tool: tool => toolJson({ ...toolFields(tool), type: 'function' }),
  },
  call: `<|message_model|>$name<|content_invoke_tool_json|>{"name":"$name","args":$args}${CLOSE}`,
  joint: '',
  result: `<|message_tool|>$name${TEXT}$content${CLOSE}`,
  errorResult: `<|message_tool|>$name<|content_tool_error|>$content${CLOSE}`,
  resultJoint: '',
  reasoning: [{ opens: ['<|content_thinking|>'], closes: [CLOSE] }],
  silent: [
    ...[TEXT, CLOSE, `<|content_invoke_tool_json|>${CLOSE}`, '<|content_model_end_sampling|>'],
    ...['<|message_user|>', '<|content_audio_input|>', '<|audio_end|>', '<|content_image|>'],
  ],
}))
