import type { FunctionTool } from '../../sdk/parts.js'
import { fence, jsonFormat } from '../json-mix-protocol.js'
import { callArguments, readCallInput, spacedJson, toolFields } from '../text-forms.js'
import {
  bareTools,
  indentedTools,
  pythonParts,
  type ToolsForm,
  toolLines,
  toolList,
  typeScriptTool,
} from '../tool-forms.js'

/** All calls in one list, right between the marks. */
const listIn = (block: string) => ({
  block,
  calls: '[$calls]',
  result: '<tool_response>$content</tool_response>',
})
/** Each call of the list in a line of its own. */
const lines = (indent: string) => ({ joint: `,\n${indent}`, calls: `[\n${indent}$calls\n]` })

const cohereAction = () => ({
  block: '<|START_ACTION|>$json<|END_ACTION|>',
  call: '{"tool_call_id": "$id", "tool_name": "$name", "parameters": $args}',
  ...lines('    '),
  isBareRead: true,
  reasoning: [{ opens: ['<|START_THINKING|>'], closes: ['<|END_THINKING|>'] }],
  silent: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
})
const cohereTools = (heading: string): ToolsForm => ({
  heading,
  frame: '```json\n[\n    $tools\n]\n```',
  show: toolLines(tool => spacedJson({ ...toolFields(tool), responses: null }), ',\n    '),
})
/** Results in one list, each with the id of its call. */
const cohereResults = (content: string) => {
  const template = (isError: string) => `    {
        "tool_call_id": "$id",
        "results": {
            "0": ${content}
        },
        "is_error": ${isError}
    }`
  return {
    result: template('null'),
    errorResult: template('true'),
    results: '<|START_TOOL_RESULT|>[\n$results\n]<|END_TOOL_RESULT|>',
    resultJoint: ',\n',
    isResultJson: true,
  }
}

/** 3.1 and later also write <tool_call>[…]. */
export const granite3 = /* @__PURE__ */ jsonFormat('granite3', 'Granite 3', () => ({
  aliases: ['granite'],
  models: /granite-?3[.-]/,
  ...listIn('<|tool_call|>$json'),
  // As `tojson(indent=4)` writes it.
  ...lines('    '),
  call: '{\n        "name": "$name",\n        "arguments": $args\n    }',
  writeArgs: toolCall => {
    const input = readCallInput(toolCall)
    const isExact = 'json' in input && input.isExact
    return isExact ? JSON.stringify(input.value, null, 4).replaceAll('\n', '\n        ') : callArguments(toolCall)
  },
  isBareRead: true,
  toolsForm: indentedTools(),
  otherMarks: [{ open: '<tool_call>', close: '</tool_call>' }],
}))

/** Later templates have <|tool_call|>[…]<|/tool_call|>; the model also slips into `functions[`. */
export const phi4Mini = /* @__PURE__ */ jsonFormat('phi4_mini', 'Phi 4 mini', () => ({
  aliases: ['phi4_mini_json'],
  models: /phi-?4-mini/,
  ...listIn('functools$json'),
  toolsForm: indentedTools(),
  otherMarks: [
    { open: '<|tool_call|>', close: '<|/tool_call|>' },
    { open: 'functions[', close: '', isWeak: true },
  ],
}))

/** The space before it is the tokenizer's. */
export const firefunctionV2 = /* @__PURE__ */ jsonFormat('firefunction_v2', 'FireFunction 2', () => ({
  models: /firefunction/,
  ...listIn('functools$json'),
}))

export const jamba = /* @__PURE__ */ jsonFormat('jamba', 'Jamba 1.5, 1.6 and 1.7', () => ({
  models: /jamba/,
  ...listIn('<tool_calls>$json</tool_calls>'),
  ...lines('  '),
  isBareRead: true,
}))

export const hunyuanA13b = /* @__PURE__ */ jsonFormat('hunyuan_a13b', 'Hunyuan A13B and dense', () => ({
  models: /hunyuan-(?:a13b|[\d.]+b)/,
  ...listIn('<tool_calls>$json</tool_calls>'),
  silent: ['<answer>', '</answer>'],
  toolsForm: { ...bareTools, show: toolList() },
}))

/** The template shows the tools as Python does; ours are JSON. */
export const apriel = /* @__PURE__ */ jsonFormat('apriel', 'Apriel 1.5 and 1.6', () => ({
  models: /apriel/,
  ...listIn('<tool_calls>$json</tool_calls>'),
  call: '{"name": "$name", "arguments": $args, "id": "$id"}',
  reasoning: [{ opens: ['Here are my reasoning steps:\n'], closes: ['[BEGIN FINAL RESPONSE]'] }],
  toolsForm: { heading: '', frame: '<available_tools>\n$tools\n</available_tools>' },
}))

/** `directly-answer` is how the model says that it calls nothing. */
export const cohereCommandRPlus = /* @__PURE__ */ jsonFormat(
  'cohere_command_r_plus',
  'Command R and R+ of 2024',
  () => ({
    models: /command-r(?!7b)/,
    block: 'Action:\n```json\n$json\n```',
    call: '{"tool_name": "$name", "parameters": $args}',
    ...lines('    '),
    noCallNames: ['directly-answer', 'directly_answer'],
    result: '<results>\n$content\n</results>',
    toolsForm: { ...bareTools, heading: '## Available Tools', show: toolLines(commandTool, '\n\n') },
    otherMarks: [{ open: 'Action: ```json', close: '```' }, { open: 'Action:```json', close: '```' }, fence],
  }),
)

/** A thinking section may stand before it, and the template writes an empty one. */
export const cohereCommandR7b = /* @__PURE__ */ jsonFormat('cohere_command_r7b', 'Command R7B, Command A', () => ({
  aliases: ['cohere_command3'],
  models: /command-(?:r7b|a\b)/,
  ...cohereAction(),
  ...cohereResults('$content'),
  toolsForm: cohereTools('## Available Tools'),
}))

/** The same, with text in <|START_TEXT|>…<|END_TEXT|>. */
export const cohereCommand4 = /* @__PURE__ */ jsonFormat(
  'cohere_command4',
  'Command A Reasoning, Command 4, North',
  () => ({
    aliases: ['cohere2moe'],
    models: /command-(?:a-reasoning|4)|north-mini/,
    ...cohereAction(),
    ...cohereResults('{"content": $content}'),
    toolsForm: cohereTools('# Available Tools'),
  }),
)

export const nemotronNanoV2 = /* @__PURE__ */ jsonFormat('nemotron_nano_v2', 'Nemotron Nano 2, Llama Nemotron', () => ({
  models: /nemotron-nano-(?:v2|9b-v2|12b-v2)|llama-3[._]\d-nemotron/,
  ...listIn('<TOOLCALL>$json</TOOLCALL>'),
  toolsForm: { heading: '', frame: '<AVAILABLE_TOOLS>$tools</AVAILABLE_TOOLS>', show: toolList('$function') },
  result: '$content',
  results: '<TOOL_RESPONSE>[$results]</TOOL_RESPONSE>',
  resultJoint: ', ',
  isResultJson: true,
}))

/** Also in a fence, or behind [TOOL_CALLS] or <tool_call>. */
export const xlam = /* @__PURE__ */ jsonFormat('xlam', 'xLAM 1 and 2', () => ({
  models: /xlam/,
  block: '$json',
  calls: '[$calls]',
  toolsForm: indentedTools(),
  otherMarks: [
    fence,
    { ...fence, open: '```' },
    { open: '<tool_call>', close: '</tool_call>' },
    { open: '[TOOL_CALLS]', close: '' },
  ],
}))

/** What vLLM and SGLang let a model write where a call is required. */
export const jsonArray = /* @__PURE__ */ jsonFormat(
  'json_array',
  'any model, where the server is told to make it call a tool',
  () => ({
    block: '$json',
    call: '{"name": "$name", "parameters": $args}',
    calls: '[$calls]',
  }),
)

/** The key is the tool. */
export const apertus = /* @__PURE__ */ jsonFormat('apertus', 'Apertus', () => ({
  aliases: ['apertus2509'],
  models: /apertus/,
  ...listIn('<|tools_prefix|>$json<|tools_suffix|>'),
  call: '{"$name": $args}',
  toolsForm: {
    heading: '',
    frame: 'Tool Capabilities:\n$tools',
    show: toolLines(tool => typeScriptTool(tool, { indent: () => '', hasLastComma: false })),
  },
  result: '$content',
  results: '[$results]',
  resultJoint: ', ',
  isResultJson: true,
}))

function commandTool(tool: FunctionTool): string {
  const { name, description, args } = pythonParts(tool)
  const head = args.map(({ key, type, isNeeded }) => `${key}: ${isNeeded ? type : `Optional[${type}]`}`).join(', ')
  const lines = args.map(({ key, type, text }) => `\n        ${key} (${type}): ${text}`).join('')
  return `\`\`\`python
def ${name}(${head}) -> List[Dict]:
    """${description}

    Args:${lines}
    """
    pass
\`\`\``
}
