import { strippedCalls } from '../engine/json/stripped-calls.js'
import { mixedCalls } from '../engine/tags/mixed-calls.js'
import { namedJsonProtocol } from '../protocols/named-json-protocol.js'
import { namespaceTools } from '../writing/tool-notations.js'
import { bareTools } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'

const namedJsonFormat = /* @__PURE__ */ formatMaker('named-json', namedJsonProtocol)

/** `functions.get_weather:0{"city": "Paris"}` */
const strippedKimi = /* @__PURE__ */ strippedCalls({
  starts: ['functions.', ''],
  hasIndex: true,
  fillers: ['<|tool_call_argument_begin|>'],
  ends: ['<|tool_call_end|>', '<|tool_calls_section_end|>'],
})

/**
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>
 *
 * `functions.get_weather:0` is the id of the call, and a result refers to it. Also read: a missing
 * section, `<|tool_call_section_begin|>`, missing ends, an id without `functions.`, without the
 * index, with another index (`:call_7`), or without its dot and colon; what a server leaves that strips
 * the special tokens.
 */
export const kimiK2 = /* @__PURE__ */ namedJsonFormat('kimi_k2', () => ({
  writtenBy: ['Kimi K2, K2 Thinking, K2.5 and K2.6', /kimi-?k2|moonlight/],
  header:
    /^<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[^\s<]+?)(?::\d+)?(?:\s*<\|tool_call_argument_begin\|>)?$/,
  separators: ['<|tool_call_argument_begin|>'],
  aroundName: /^functions\.?|:[\w-]+$|\d+$/g,
  spell: mark => [mark.replace('_calls_', '_call_')],
  callsInReasoning: true,
  otherForms: strippedKimi,
  call: '<|tool_call_begin|>$id<|tool_call_argument_begin|>$args<|tool_call_end|>',
  calls: '<|tool_calls_section_begin|>$calls<|tool_calls_section_end|>',
  marks: ['<|', '## Return of '],
  // An id that the model wrote is kept: `functions.get_weather:0`. Other ids are replaced by the
  // position of the call in the conversation.
  callId: (id, name, ordinal) => {
    const prefix = `functions.${name}:`
    return id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)) ? id : prefix + ordinal
  },
  result: '## Return of $id\n$content',
  toolsForm: { frame: '$tools', list: '[$tools]' },
}))

/**
 * Returns a function that shortens or pads an id to the length that the model knows: `call_1`
 * becomes `0000call1`. A call and its result get the same id.
 */
const idOf = (length: number) => (id: string) =>
  `${'0'.repeat(length)}${id.toLowerCase().replace(/[^a-z0-9]/g, '')}`.slice(-length)

/** What both forms of Mistral share: both are read, whichever the prompt asks for. */
const mistralMarks = () => ({
  opens: ['[TOOL_CALLS]'],
  section: undefined,
  ends: [],
  header: /^\[TOOL_CALLS\]\s*(?<name>[^\s[\]{}]+)\s*(?:\[CALL_ID\][^[\]{}]*)?(?:\[ARGS\])?$/,
  separators: ['[ARGS]'],
  hasEnvelopes: true,
  hasBareNames: true,
  otherForms: mixedCalls,
  reasoning: [{ opens: ['[THINK]'], closes: ['[/THINK]'] }],
  marks:
    '[TOOL_CALLS] [ARGS] [CALL_ID] [TOOL_RESULTS] [/TOOL_RESULTS] [THINK] [/THINK] [INST] [/INST]'.split(
      ' ',
    ),
  resultJoint: '',
  toolsForm: { heading: '', frame: '[AVAILABLE_TOOLS]$tools[/AVAILABLE_TOOLS]', list: '[$tools]' },
})

/**
 *     [TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}
 *
 * Also read: `[CALL_ID]`, a missing `[ARGS]`, and `get_weather{…}` at the start of a line: a server
 * that strips special tokens leaves that.
 */
export const mistral = /* @__PURE__ */ namedJsonFormat('mistral', () => ({
  writtenBy: [
    'Mistral, Ministral, Magistral, Devstral',
    /mistral(?!:|$)|(?:mini|magi|dev|code)stral|(?:pix|vox)tral/,
  ],
  ...mistralMarks(),
  call: '[TOOL_CALLS]$name[ARGS]$args',
  result: '[TOOL_RESULTS]$content[/TOOL_RESULTS]',
}))

/**
 *     [TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "0000call1"}]
 *
 * The id has nine letters and digits.
 */
export const mistralV3 = /* @__PURE__ */ namedJsonFormat('mistral_v3', () => ({
  // `mistral-large-2407`: the models of 2024 have the month in their names. Ollama's `mistral` is 7B.
  writtenBy: [
    'Mistral 7B, Nemo, Large 2, Mixtral',
    /mistral(?:[:-]7b|-nemo|(:latest)?$)|mixtral.*|\w{0,12}tral.{0,40}-24\d\d/,
  ],
  ...mistralMarks(),
  calls: '[TOOL_CALLS] [$calls]',
  joint: ', ',
  call: '{"name": "$name", "arguments": $args, "id": "$id"}',
  callId: idOf(9),
  result: '[TOOL_RESULTS] {"content": $json, "call_id": "$id"}[/TOOL_RESULTS]',
}))

/** What V3 and V3.1 share, with the spellings of distilled models: `<｜tool_call_begin｜>`. */
const deepseekMarks = {
  header:
    /^<｜tool[▁_ ]call[▁_ ]begin｜>\s*(?:function\s*<｜tool[▁_ ]sep｜>\s*)?(?<name>[^\s<{]+)\s*(?:<｜tool[▁_ ]sep｜>)?$/,
  spell: (mark: string) => [mark.replaceAll('▁', '_'), mark.replaceAll('▁', ' ')],
  calls: '<｜tool▁calls▁begin｜>$calls<｜tool▁calls▁end｜>',
  marks: ['<｜'],
  result: '<｜tool▁output▁begin｜>$content<｜tool▁output▁end｜>',
}

/**
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
 *     ```json
 *     {"city": "Paris"}
 *     ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Also read: a missing section, fence or end, marks written with `_` or a space for `▁`, and the
 * form of V3.1.
 */
export const deepseekV3 = /* @__PURE__ */ namedJsonFormat('deepseek_v3 deepseekv3', () => ({
  writtenBy: ['DeepSeek V3 and R1', /deepseek[.-](?:chat-)?(?:v3(?!\.\d)|r1)/],
  ...deepseekMarks,
  call: '<｜tool▁call▁begin｜>function<｜tool▁sep｜>$name\n```json\n$args\n```<｜tool▁call▁end｜>',
  joint: '\n',
  results: '<｜tool▁outputs▁begin｜>$results<｜tool▁outputs▁end｜>',
  toolsForm: {
    heading: '## Tools',
    frame: '### Function\n\n$tools',
    tool: '```json\n$tool\n```',
    joint: '\n\n',
  },
}))

/**
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Also read: the same as for V3, and the form of V3.
 */
export const deepseekV31 = /* @__PURE__ */ namedJsonFormat(
  'deepseek_v3_1 deepseek_v31 deepseekv31',
  () => ({
    // Bedrock's `deepseek.v3-v1` is 3.1.
    writtenBy: ['DeepSeek V3.1 and V3.2-Exp', /deepseek[.-](?:chat-)?v3(?:\.1|\.2-exp|-v1)/],
    ...deepseekMarks,
    call: '<｜tool▁call▁begin｜>$name<｜tool▁sep｜>$args<｜tool▁call▁end｜>',
    resultJoint: '',
    // The chat template shows no tools. The model card asks for this form.
    toolsForm: {
      heading: '## Tools',
      frame: '$tools',
      tool: '### $name\nDescription: $description\n\nParameters: $parameters',
      joint: '\n\n',
    },
  }),
)

/**
 *     <function=get_weather>{"city": "Paris"}</function>
 *
 * Llama 3.1 writes this too if it is asked for custom tools as Meta documents it.
 */
export const functionaryV31 = /* @__PURE__ */ namedJsonFormat('functionary_v3_1', () => ({
  writtenBy: ['Functionary 3.1', /functionary-\w+-v3\.1/],
  otherForms: mixedCalls,
  header: /^<function=["']?(?<name>[^\s<>"']+)["']?\s*>$/,
  call: '<function=$name>$args</function>',
  marks: ['<|', '<function=', '</function>'],
  toolsForm: { ...bareTools, tool: '$function', joint: '\n\n' },
}))

/**
 *     >>>get_weather
 *     {"city": "Paris"}
 *
 * The prompt ends with the first `>>>`, so an answer may begin with the name of the tool. `>>>all`
 * comes before text for the user.
 */
export const functionaryV32 = /* @__PURE__ */ namedJsonFormat('functionary_v3_2', () => ({
  writtenBy: ['Functionary 3.2', /functionary-\w+-v3\.2/],
  markRules: { '>>>': { strength: 'weak' } },
  header: /^>>>(?<name>[^\s<>{}"']+)$/,
  hasBareNames: true,
  isOpenedByPrompt: true,
  silent: ['>>>all\n', 'all\n'],
  call: '>>>$name\n$args',
  marks: ['<|', '>>>'],
  toolsForm: { ...bareTools, ...namespaceTools(['', '    ']) },
}))

/**
 *     <|tool_calls|><|tool_call:begin|>00000call1<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Paris"}<|tool_call:end|><|calls|>
 *
 * The model invents the id, and a result refers to it. Also read: missing ends, no id, no section.
 */
export const solarOpen = /* @__PURE__ */ namedJsonFormat('solar_open', () => ({
  writtenBy: ['Solar Open', /solar-?open/],
  header:
    /^<\|tool_call:begin\|>\s*(?:[^\s<]*\s*<\|tool_call:name\|>)?\s*(?<name>[^\s<]+)\s*(?:<\|tool_call:args\|>)?$/,
  separators: ['<|tool_call:args|>'],
  call: '<|tool_call:begin|>$id<|tool_call:name|>$name<|tool_call:args|>$args<|tool_call:end|>',
  calls: '<|tool_calls|>$calls<|calls|>',
  marks: ['<|'],
  callId: idOf(10),
  result:
    '<|tool_response:begin|>$id<|tool_response:name|>$name<|tool_response:result|>$content<|tool_response:end|>',
  resultJoint: '',
  toolsForm: {
    heading: '## Tools',
    frame: '### Available Tools\n<|tools:begin|>$tools<|tools:end|>',
    tool: '<|tool:begin|>$function<|tool:end|>',
    joint: '',
  },
}))

/** Headers of messages: `<|channel|>final<|message|>`. The prompt may end with `<|start|>assistant`. */
const headers = (...channels: string[]) =>
  ['<|channel|>', '<|start|>assistant<|channel|>'].flatMap(start =>
    channels.map(each => `${start}${each}<|message|>`),
  )

/** Headers of text for the user. The text may be JSON. */
const answers = headers('commentary', 'final', 'final json', 'final <|constrain|>json')

/**
 * Headers of JSON in the channel `commentary`. The header of a call ends with the same words, so
 * without `<|start|>assistant` they count only at the start of the text (`^`).
 */
const comments = headers('commentary json', 'commentary <|constrain|>json').map(each =>
  each.replace(/^<\|channel/, '^$&'),
)

/** `commentary to=functions.get_weather json{"city": "Paris"}` */
const strippedHarmony = /* @__PURE__ */ strippedCalls({
  starts: [
    'to=functions.',
    'commentary to=functions.',
    'assistant to=functions.',
    'assistantcommentary to=functions.',
    'assistant commentary to=functions.',
  ],
  fillers: ['commentary', 'json', 'code', '<|constrain|>', '<|message|>'],
  ends: ['<|call|>', '<|end|>', '<|return|>'],
})

/**
 *     <|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Paris"}<|call|>
 *
 * The model writes reasoning as a message in the channel `analysis`:
 * `<|channel|>analysis<|message|>Let me look.<|end|>`. Messages do not nest, so any other header
 * ends reasoning. Also read: the recipient before or after the channel, any channel,
 * `<|constrain|>json`, a first header without the `<|start|>assistant` that the prompt ends with,
 * a declared tool without `functions.`, and what a server leaves that strips the special tokens.
 */
export const gptOssHarmony = /* @__PURE__ */ namedJsonFormat(
  'gpt_oss_harmony openai gpt_oss harmony',
  () => ({
    writtenBy: ['gpt-oss', /gpt-?oss/],
    opens: ['<|start|>assistant', '<|channel|>', 'to=functions.'],
    markRules: { 'to=functions.': { strength: 'weak', countsInReasoning: true } },
    header:
      /^(?=.*(?:functions\.|<\|channel\|>))(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s*to=(?:functions\.(?<name>[^\s<]+)|(?<declared>[^\s<]+))(?:<\|channel\|>\w+)?\s*(?:<\|constrain\|>\s*)?(?:\w+\s*)?<\|message\|>$/,
    separators: ['<|message|>'],
    ends: ['<|call|>', '<|end|>', '<|return|>'],
    reasoning: [{ opens: headers('analysis'), closes: ['<|end|>', '<|return|>', ...answers] }],
    callsInReasoning: true,
    otherForms: strippedHarmony,
    // `to=assistant`: a message to the model itself is not a call.
    silent: [
      ...['', '<|start|>assistant'].map(start => `${start}<|channel|>commentary to=assistant`),
      ...comments,
    ],
    call: '<|start|>assistant to=functions.$name<|channel|>commentary json<|message|>$args<|call|>',
    marks: ['<|', 'to=functions.'],
    result: '<|start|>functions.$name to=assistant<|channel|>commentary<|message|>$json<|end|>',
    resultJoint: '',
    toolsForm: { frame: '## functions\n\n$tools', ...namespaceTools() },
  }),
)

/**
 *     Action: get_weather
 *     Action Input: {"city": "Paris"}
 *
 * Also read: the input in a fence, and `Observation:` after it, at which the model should stop. A
 * `Thought:` before it is text.
 */
export const react = /* @__PURE__ */ namedJsonFormat('react', () => ({
  writtenBy: ['models prompted as in ReAct'],
  opens: ['Action:'],
  markRules: { 'Action:': { strength: 'line' } },
  header: /^Action:[ \t]*(?<name>[^\s{}]+)[ \t]*\r?\n\s*Action Input:$/,
  separators: ['Action Input:'],
  ends: ['Observation:'],
  call: 'Action: $name\nAction Input: $args',
  joint: '\n',
  marks: ['Action:', 'Action Input:', 'Observation:'],
  result: 'Observation: $content',
}))
