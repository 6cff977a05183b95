import type { ResultsForm } from '../format-protocol.js'
import { bareCalls, calls, fence, jsonFormat, parametersEnvelope, results } from '../json-mix-protocol.js'
import { spacedJson, toolFields } from '../text-forms.js'
import {
  bareTools,
  indentedTools,
  type PythonParts,
  plainTool,
  pythonTool,
  type ToolsForm,
  toolLines,
  toolList,
  typeScriptTool,
} from '../tool-forms.js'

/** All calls in one list, right between the marks. */
const listBetween = (open: string, close: string) => ({ ...calls(open, close), grouping: 'list', gap: '' }) as const
/** Each call of the list in a line of its own. */
const lines = (indent: string) => ({ joint: `,\n${indent}`, listMarks: [`[\n${indent}`, '\n]'] }) as const

const cohereAction = () => ({
  ...listBetween('<|START_ACTION|>', '<|END_ACTION|>'),
  ...results('<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'),
  ...lines('    '),
  envelope: { idKey: 'tool_call_id', nameKey: 'tool_name', argumentsKey: 'parameters' },
  isBareRead: true,
  reasoning: [{ opens: ['<|START_THINKING|>'], closes: ['<|END_THINKING|>'] }],
  silent: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
})
const cohereTools = (heading: string): ToolsForm => ({
  heading,
  open: '```json\n[\n    ',
  close: '\n]\n```',
  show: toolLines(tool => spacedJson({ ...toolFields(tool), responses: null }), ',\n    '),
})
/** Results in one list, each with the id of its call. */
const cohereResults = (write: (content: string) => string): Partial<ResultsForm> => ({
  isJson: true,
  hasErrors: true,
  write: ({ id, content, isError, index }) => `    {
        "tool_call_id": ${JSON.stringify(id || String(index))},
        "results": {
            "0": ${write(content)}
        },
        "is_error": ${isError || null}
    }`,
  join: texts => `<|START_TOOL_RESULT|>[\n${texts.join(',\n')}\n]<|END_TOOL_RESULT|>`,
})

/**
 * <|tool_call|>[{"name": "f", "arguments": {…}}, …]
 * 3.1 and later also write <tool_call>[…].
 */
export const granite3 = /* @__PURE__ */ jsonFormat('granite3', 'Granite 3', () => ({
  aliases: ['granite'],
  models: /granite-?3[.-]/,
  ...listBetween('<|tool_call|>', ''),
  isBareRead: true,
  isIndented: true,
  toolsForm: indentedTools(),
  otherMarks: [{ open: '<tool_call>', close: '</tool_call>' }],
}))

/**
 * functools[{"name": "f", "arguments": {…}}, …]
 * Later templates have <|tool_call|>[…]<|/tool_call|>; the model also slips into `functions[`.
 */
export const phi4Mini = /* @__PURE__ */ jsonFormat('phi4_mini', 'Phi 4 mini', () => ({
  aliases: ['phi4_mini_json'],
  models: /phi-?4-mini/,
  ...listBetween('functools', ''),
  toolsForm: indentedTools(),
  otherMarks: [
    { open: '<|tool_call|>', close: '<|/tool_call|>' },
    { open: 'functions[', close: '', isWeak: true },
  ],
}))

/**
 *  functools[{"name": "f", "arguments": {…}}, …]
 * The space before it is the tokenizer's.
 */
export const firefunctionV2 = /* @__PURE__ */ jsonFormat('firefunction_v2', 'FireFunction 2', () => ({
  models: /firefunction/,
  ...listBetween('functools', ''),
}))

/** <tool_calls>[{"name": "f", "arguments": {…}}, …]</tool_calls> */
export const jamba = /* @__PURE__ */ jsonFormat('jamba', 'Jamba 1.5, 1.6 and 1.7', () => ({
  models: /jamba/,
  ...listBetween('<tool_calls>', '</tool_calls>'),
  isBareRead: true,
  ...lines('  '),
}))

/** <tool_calls>[{"name": "f", "arguments": {…}}, …]</tool_calls> */
export const hunyuanA13b = /* @__PURE__ */ jsonFormat('hunyuan_a13b', 'Hunyuan A13B and dense', () => ({
  models: /hunyuan-(?:a13b|[\d.]+b)/,
  ...listBetween('<tool_calls>', '</tool_calls>'),
  silent: ['<answer>', '</answer>'],
  toolsForm: { ...bareTools, show: toolList() },
}))

/**
 * <tool_calls>[{"name": "f", "arguments": {…}, "id": "…"}, …]</tool_calls>
 * The template shows the tools as Python does; ours are JSON.
 */
export const apriel = /* @__PURE__ */ jsonFormat('apriel', 'Apriel 1.5 and 1.6', () => ({
  models: /apriel/,
  ...listBetween('<tool_calls>', '</tool_calls>'),
  envelope: { nameKey: 'name', argumentsKey: 'arguments', idKey: 'id', isIdLast: true },
  reasoning: [{ opens: ['Here are my reasoning steps:\n'], closes: ['[BEGIN FINAL RESPONSE]'] }],
  toolsForm: { heading: '', open: '<available_tools>\n', close: '\n</available_tools>' },
}))

/**
 * Action:\n```json\n[{"tool_name": "f", "parameters": {…}}]\n```
 * `directly-answer` is how the model says that it calls nothing.
 */
export const cohereCommandRPlus = /* @__PURE__ */ jsonFormat(
  'cohere_command_r_plus',
  'Command R and R+ of 2024',
  () => ({
    models: /command-r(?!7b)/,
    ...calls('Action:\n```json', '```'),
    grouping: 'list',
    envelope: { nameKey: 'tool_name', argumentsKey: 'parameters' },
    noCallNames: ['directly-answer', 'directly_answer'],
    ...results('<results>', '</results>'),
    ...lines('    '),
    toolsForm: {
      ...bareTools,
      heading: '## Available Tools',
      show: toolLines(tool => pythonTool(tool, commandTool), '\n\n'),
    },
    otherMarks: [{ open: 'Action: ```json', close: '```' }, { open: 'Action:```json', close: '```' }, fence],
  }),
)

/**
 * <|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "f", "parameters": {…}}, …\n]<|END_ACTION|>
 * A thinking section may stand before it, and the template writes an empty one.
 */
export const cohereCommandR7b = /* @__PURE__ */ jsonFormat('cohere_command_r7b', 'Command R7B, Command A', () => ({
  aliases: ['cohere_command3'],
  models: /command-(?:r7b|a\b)/,
  ...cohereAction(),
  toolsForm: cohereTools('## Available Tools'),
  resultsForm: cohereResults(content => content),
}))

/** The same, with text in <|START_TEXT|>…<|END_TEXT|>. */
export const cohereCommand4 = /* @__PURE__ */ jsonFormat(
  'cohere_command4',
  'Command A Reasoning, Command 4, North',
  () => ({
    aliases: ['cohere2moe'],
    models: /command-(?:a-reasoning|4)|north-mini/,
    ...cohereAction(),
    toolsForm: cohereTools('# Available Tools'),
    resultsForm: cohereResults(content => `{"content": ${content}}`),
  }),
)

/** <TOOLCALL>[{"name": "f", "arguments": {…}}, …]</TOOLCALL> */
export const nemotronNanoV2 = /* @__PURE__ */ jsonFormat('nemotron_nano_v2', 'Nemotron Nano 2, Llama Nemotron', () => ({
  models: /nemotron-nano-(?:v2|9b-v2|12b-v2)|llama-3[._]\d-nemotron/,
  ...listBetween('<TOOLCALL>', '</TOOLCALL>'),
  ...results('<TOOL_RESPONSE>', '</TOOL_RESPONSE>'),
  toolsForm: { heading: '', open: '<AVAILABLE_TOOLS>', close: '</AVAILABLE_TOOLS>', show: toolList(plainTool) },
  resultsForm: {
    isJson: true,
    write: ({ content }) => content,
    join: texts => `<TOOL_RESPONSE>[${texts.join(', ')}]</TOOL_RESPONSE>`,
  },
}))

/**
 * [{"name": "f", "arguments": {…}}, …]
 * Also in a fence, or behind [TOOL_CALLS] or <tool_call>.
 */
export const xlam = /* @__PURE__ */ jsonFormat('xlam', 'xLAM 1 and 2', () => ({
  models: /xlam/,
  ...bareCalls,
  grouping: 'list',
  toolsForm: indentedTools(),
  otherMarks: [
    fence,
    { ...fence, open: '```' },
    { open: '<tool_call>', close: '</tool_call>' },
    { open: '[TOOL_CALLS]', close: '' },
  ],
}))

/**
 * [{"name": "f", "parameters": {…}}, …]
 * What vLLM and SGLang let a model write where a call is required.
 */
export const jsonArray = /* @__PURE__ */ jsonFormat(
  'json_array',
  'any model, where the server is told to make it call a tool',
  () => ({
    ...bareCalls,
    grouping: 'list',
    envelope: parametersEnvelope,
    isBareRead: true,
  }),
)

/**
 * <|tools_prefix|>[{"f": {…}}, {"g": {…}}]<|tools_suffix|>
 * The key is the tool.
 */
export const apertus = /* @__PURE__ */ jsonFormat('apertus', 'Apertus', () => ({
  aliases: ['apertus2509'],
  models: /apertus/,
  ...listBetween('<|tools_prefix|>', '<|tools_suffix|>'),
  envelope: 'keyed-by-name',
  toolsForm: {
    ...bareTools,
    open: 'Tool Capabilities:\n',
    show: toolLines(tool => typeScriptTool(tool, { indent: () => '', hasLastComma: false })),
  },
  resultsForm: { isJson: true, write: ({ content }) => content, join: texts => `[${texts.join(', ')}]` },
}))

function commandTool({ name, description, args }: PythonParts): string {
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
