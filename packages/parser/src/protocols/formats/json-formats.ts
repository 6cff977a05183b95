import type { JsonMarks } from '../../engine/bodies/json-body.js'
import { type JsonMixProtocolOptions, jsonMixProtocol } from '../json-mix-protocol.js'
import type { ModelFormat } from '../model-format.js'

/** What such a format is known by, and in what its text differs from `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. */
interface JsonFormat extends Omit<ModelFormat, 'grammar' | 'create'> {
  readonly wire: JsonMixProtocolOptions
}

function jsonFormat({ wire, ...about }: JsonFormat): ModelFormat {
  return { ...about, grammar: 'json', create: () => jsonMixProtocol(wire) }
}

/** Small models put a bare call into a fence. */
const fence: JsonMarks = { open: '```json', close: '```', isWeak: true }
const parametersEnvelope = { nameKey: 'name', argumentsKey: 'parameters' }
const cohereEnvelope = { idKey: 'tool_call_id', nameKey: 'tool_name', argumentsKey: 'parameters' }

/** A prompt for models that were shown their tools between other marks than `<tools>`. */
const promptWith =
  (start: string, end: string) =>
  ({ tools, howTo }: { readonly tools: string; readonly howTo: string }) =>
    `You can use these tools, each given with the JSON Schema of its parameters:
${start}[${tools.split('\n').join(', ')}]${end}

${howTo} Call only tools that are listed, and wait for their results, which come in the next message. When no tool is needed, answer as usual and do not write the marks.`

const cohereAction = {
  toolCallStart: '<|START_ACTION|>',
  toolCallEnd: '<|END_ACTION|>',
  toolResponseStart: '<|START_TOOL_RESULT|>',
  toolResponseEnd: '<|END_TOOL_RESULT|>',
  grouping: 'list',
  gap: '',
  envelope: cohereEnvelope,
  isBareRead: true,
} as const

/** Formats that hold a call as one JSON object, between marks of their own or bare. */
export const jsonFormats: readonly ModelFormat[] = [
  // {"name": "f", "parameters": {…}}; {"name": "g", "parameters": {…}}
  // <|python_tag|>{"name": "f", "parameters": {…}}
  // The mark is a special token, so most servers take it away.
  jsonFormat({
    id: 'llama3_json',
    aliases: ['llama3', 'llama4_json'],
    family: 'Llama 3.1, 3.2 and 3.3',
    models: /^(?!.*nemotron).*llama-?3[.-][123]/,
    wire: {
      toolCallStart: '',
      toolCallEnd: '',
      envelope: parametersEnvelope,
      isBareRead: true,
      otherMarks: [
        { open: '<|python_tag|>', close: '', otherCloses: ['<|eom_id|>', '<|eot_id|>'] },
        fence,
        { ...fence, open: '```' },
      ],
    },
  }),
  // <|tool_call|>[{"name": "f", "arguments": {…}}, …]
  // 3.1 and later also write <tool_call>[…].
  jsonFormat({
    id: 'granite3',
    aliases: ['granite'],
    family: 'Granite 3',
    models: /granite-?3[.-]/,
    wire: {
      toolCallStart: '<|tool_call|>',
      toolCallEnd: '',
      grouping: 'list',
      gap: '',
      isBareRead: true,
      otherMarks: [{ open: '<tool_call>', close: '</tool_call>' }],
    },
  }),
  // <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call>
  // The arguments may be a JSON string.
  jsonFormat({ id: 'granite4', family: 'Granite 4', models: /granite-?4[.-]/, wire: {} }),
  // <function_call> {"name": "f", "arguments": {…}}
  // Each call has a mark of its own and none ends it; `no_function` is how the model says that it calls nothing.
  jsonFormat({
    id: 'granite_20b_fc',
    family: 'Granite 20B function calling',
    models: /granite-20b-function/,
    wire: {
      toolCallStart: '<function_call>',
      toolCallEnd: '',
      toolResponseStart: '<function_response>',
      toolResponseEnd: '</function_response>',
      gap: ' ',
      noCallNames: ['no_function'],
    },
  }),
  // functools[{"name": "f", "arguments": {…}}, …]
  // Later templates have <|tool_call|>[…]<|/tool_call|>; the model also slips into `functions[`.
  jsonFormat({
    id: 'phi4_mini',
    aliases: ['phi4_mini_json'],
    family: 'Phi 4 mini',
    models: /phi-?4-mini/,
    wire: {
      toolCallStart: 'functools',
      toolCallEnd: '',
      grouping: 'list',
      gap: '',
      otherMarks: [
        { open: '<|tool_call|>', close: '<|/tool_call|>' },
        { open: 'functions[', close: '', isWeak: true },
      ],
    },
  }),
  //  functools[{"name": "f", "arguments": {…}}, …]
  // The space before it is the tokenizer's.
  jsonFormat({
    id: 'firefunction_v2',
    family: 'FireFunction 2',
    models: /firefunction/,
    wire: { toolCallStart: 'functools', toolCallEnd: '', grouping: 'list', gap: '' },
  }),
  // <|action_start|><|plugin|>\n{"name": "f", "parameters": {…}}<|action_end|>
  jsonFormat({
    id: 'internlm2',
    aliases: ['internlm', 'interns1'],
    family: 'InternLM 2 and 2.5, Intern-S1',
    models: /internlm-?2|intern-?s1/,
    wire: {
      toolCallStart: '<|action_start|><|plugin|>',
      toolCallEnd: '<|action_end|>',
      envelope: parametersEnvelope,
      isBareRead: true,
      otherMarks: [' ', '\n'].map(gap => ({ open: `<|action_start|>${gap}<|plugin|>`, close: '<|action_end|>' })),
    },
  }),
  // <tool_calls>[{"name": "f", "arguments": {…}}, …]</tool_calls>
  jsonFormat({
    id: 'jamba',
    family: 'Jamba 1.5, 1.6 and 1.7',
    models: /jamba/,
    wire: {
      toolCallStart: '<tool_calls>',
      toolCallEnd: '</tool_calls>',
      grouping: 'list',
      gap: '',
      isBareRead: true,
    },
  }),
  // <tool_calls>[{"name": "f", "arguments": {…}}, …]</tool_calls>
  jsonFormat({
    id: 'hunyuan_a13b',
    family: 'Hunyuan A13B and dense',
    models: /hunyuan-(?:a13b|[\d.]+b)/,
    wire: { toolCallStart: '<tool_calls>', toolCallEnd: '</tool_calls>', grouping: 'list', gap: '' },
  }),
  // <tool_calls>[{"name": "f", "arguments": {…}, "id": "…"}, …]</tool_calls>
  // The id stands last in the template; no reader minds where.
  jsonFormat({
    id: 'apriel',
    family: 'Apriel 1.5 and 1.6',
    models: /apriel/,
    wire: {
      toolCallStart: '<tool_calls>',
      toolCallEnd: '</tool_calls>',
      grouping: 'list',
      gap: '',
      envelope: { nameKey: 'name', argumentsKey: 'arguments', idKey: 'id' },
      prompt: promptWith('<available_tools>', '</available_tools>'),
    },
  }),
  // <tool_calls>\n{"name": "f", "arguments": {…}}\n{"name": "g", "arguments": {…}}\n</tool_calls>
  // Lines of JSON, not a list.
  jsonFormat({
    id: 'minimax_m1',
    aliases: ['minimax'],
    family: 'MiniMax M1, MiniMax Text 01',
    models: /minimax-(?:m1|text)/,
    wire: { toolCallStart: '<tool_calls>', toolCallEnd: '</tool_calls>', grouping: 'lines' },
  }),
  // Action:\n```json\n[{"tool_name": "f", "parameters": {…}}]\n```
  // `directly-answer` is how the model says that it calls nothing.
  jsonFormat({
    id: 'cohere_command_r_plus',
    family: 'Command R and R+ of 2024',
    models: /command-r(?!7b)/,
    wire: {
      toolCallStart: 'Action:\n```json',
      toolCallEnd: '```',
      grouping: 'list',
      envelope: { nameKey: 'tool_name', argumentsKey: 'parameters' },
      noCallNames: ['directly-answer', 'directly_answer'],
      otherMarks: [{ open: 'Action: ```json', close: '```' }, { open: 'Action:```json', close: '```' }, fence],
    },
  }),
  // <|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "f", "parameters": {…}}, …\n]<|END_ACTION|>
  // A thinking section may stand before it, and the template writes an empty one.
  jsonFormat({
    id: 'cohere_command_r7b',
    aliases: ['cohere_command3'],
    family: 'Command R7B, Command A',
    models: /command-(?:r7b|a-\d)/,
    wire: {
      ...cohereAction,
      otherMarks: [{ open: '<|START_THINKING|><|END_THINKING|><|START_ACTION|>', close: '<|END_ACTION|>' }],
    },
  }),
  // The same, with text in <|START_TEXT|>…<|END_TEXT|>.
  jsonFormat({
    id: 'cohere_command4',
    aliases: ['cohere2moe'],
    family: 'Command A Reasoning, Command 4, North',
    models: /command-(?:a-reasoning|4)|north-mini/,
    wire: {
      ...cohereAction,
      prompt: promptWith('```json\n', '\n```'),
    },
  }),
  // <TOOLCALL>[{"name": "f", "arguments": {…}}, …]</TOOLCALL>
  jsonFormat({
    id: 'nemotron_nano_v2',
    family: 'Nemotron Nano 2, Llama Nemotron',
    models: /nemotron-nano-(?:v2|9b-v2|12b-v2)|llama-3[._]\d-nemotron/,
    wire: {
      toolCallStart: '<TOOLCALL>',
      toolCallEnd: '</TOOLCALL>',
      toolResponseStart: '<TOOL_RESPONSE>',
      toolResponseEnd: '</TOOL_RESPONSE>',
      grouping: 'list',
      gap: '',
      prompt: promptWith('<AVAILABLE_TOOLS>', '</AVAILABLE_TOOLS>'),
    },
  }),
  // [{"name": "f", "arguments": {…}}, …]
  // Also in a fence, or behind [TOOL_CALLS] or <tool_call>.
  jsonFormat({
    id: 'xlam',
    family: 'xLAM 1 and 2',
    models: /xlam/,
    wire: {
      toolCallStart: '',
      toolCallEnd: '',
      grouping: 'list',
      isBareRead: true,
      otherMarks: [
        fence,
        { ...fence, open: '```' },
        { open: '<tool_call>', close: '</tool_call>' },
        { open: '[TOOL_CALLS]', close: '' },
      ],
    },
  }),
  // [{"name": "f", "parameters": {…}}, …]
  // What vLLM and SGLang let a model write where a call is required.
  jsonFormat({
    id: 'json_array',
    family: 'any model, where the server is told to make it call a tool',
    wire: { toolCallStart: '', toolCallEnd: '', grouping: 'list', envelope: parametersEnvelope, isBareRead: true },
  }),
  // <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call>\n
  jsonFormat({ id: 'ernie45', family: 'ERNIE 4.5 and X1.1', models: /ernie-(?:4\.5|x1)/, wire: {} }),
  // <longcat_tool_call>{"name": "f", "arguments": {…}}</longcat_tool_call>
  jsonFormat({
    id: 'longcat',
    family: 'LongCat Flash',
    models: /longcat/,
    wire: { toolCallStart: '<longcat_tool_call>', toolCallEnd: '</longcat_tool_call>', gap: '' },
  }),
  // <|function_call|>{"name": "f", "arguments": {…}}                              3.1
  // <|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "f", "arguments": {…}}    3
  // All of these are special tokens; what is left without them is `function call`, or nothing.
  jsonFormat({
    id: 'gigachat3',
    family: 'GigaChat 3 and 3.1',
    models: /gigachat-?3/,
    wire: {
      toolCallStart: '<|function_call|>',
      toolCallEnd: '',
      gap: '',
      isBareRead: true,
      otherEnds: ['</s>', '<|message_sep|>'],
      otherMarks: [
        { open: '<|message_sep|>\n\nfunction call<|role_sep|>', close: '</s>', otherCloses: ['<|message_sep|>'] },
        { open: 'function call\n', close: '', isWeak: true },
      ],
    },
  }),
  // <tool_call>\n{"name": "f", "arguments": {…}}\n</tool_call><tool_call>…
  jsonFormat({ id: 'reka_edge', family: 'Reka Edge', models: /reka-edge/, wire: {} }),
  // <tool_call>{"name": "f", "arguments": {…}}</tool_call>
  jsonFormat({ id: 'exaone4', family: 'EXAONE 4', models: /exaone-?4/, wire: { gap: '' } }),
  // <|tools_prefix|>[{"f": {…}}, {"g": {…}}]<|tools_suffix|>
  // The key is the tool.
  jsonFormat({
    id: 'apertus',
    aliases: ['apertus2509'],
    family: 'Apertus',
    models: /apertus/,
    wire: {
      toolCallStart: '<|tools_prefix|>',
      toolCallEnd: '<|tools_suffix|>',
      grouping: 'list',
      gap: '',
      envelope: 'keyed-by-name',
    },
  }),
]
