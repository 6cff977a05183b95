import { namedJsonProtocol } from '../protocols/named-json-protocol.js'
import { namespaceTools } from '../writing/tool-notations.js'
import { bareTools } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'

const namedJsonFormat = /* @__PURE__ */ formatMaker('named-json', namedJsonProtocol)

/**
 * `functions.get_weather:0` is the id of a call, and results are told apart by it. Quirks that are
 * read: a missing section or one in the singular, missing ends, no `functions.`, no index, neither
 * the dot nor the colon of it.
 */
export const kimiK2 = /* @__PURE__ */ namedJsonFormat('kimi_k2', () => ({
  writtenBy: ['Kimi K2, K2 Thinking, K2.5 and K2.6', /kimi-?k2|moonlight/],
  header:
    /^<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[^\s<]+?)(?::\d+)?(?:\s*<\|tool_call_argument_begin\|>)?$/,
  separators: ['<|tool_call_argument_begin|>'],
  aroundName: /^functions\.?|\d+$/g,
  spell: mark => [mark.replace('_calls_', '_call_')],
  callsInReasoning: true,
  call: '<|tool_call_begin|>$id<|tool_call_argument_begin|>$args<|tool_call_end|>',
  calls: '<|tool_calls_section_begin|>$calls<|tool_calls_section_end|>',
  marks: ['<|', '## Return of '],
  // The id that the model itself gave the call; otherwise its place in the conversation, which is
  // that of its result too.
  callId: (id, name, ordinal) => {
    const prefix = `functions.${name}:`
    return id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)) ? id : prefix + ordinal
  },
  result: '## Return of $id\n$content',
  toolsForm: { frame: '$tools', list: '[$tools]' },
}))

/**
 * Letters and digits of an id, as many as the model knows it by; the same for a call and its
 * result.
 */
const idOf = (length: number) => (id: string) =>
  `${'0'.repeat(length)}${id.toLowerCase().replace(/[^a-z0-9]/g, '')}`.slice(-length)

/** Both forms are read, whichever was asked for. */
const mistralMarks = () => ({
  opens: ['[TOOL_CALLS]'],
  section: undefined,
  ends: [],
  header: /^\[TOOL_CALLS\]\s*(?<name>[^\s[\]{}]+)\s*(?:\[CALL_ID\][^[\]{}]*)?(?:\[ARGS\])?$/,
  separators: ['[ARGS]'],
  hasEnvelopes: true,
  hasBareNames: true,
  reasoning: [{ opens: ['[THINK]'], closes: ['[/THINK]'] }],
  marks:
    '[TOOL_CALLS] [ARGS] [CALL_ID] [TOOL_RESULTS] [/TOOL_RESULTS] [THINK] [/THINK] [INST] [/INST]'.split(
      ' ',
    ),
  resultJoint: '',
  toolsForm: { heading: '', frame: '[AVAILABLE_TOOLS]$tools[/AVAILABLE_TOOLS]', list: '[$tools]' },
})

/**
 * Quirks that are read: `[CALL_ID]`, a missing `[ARGS]`, and `get_weather{…}` at the beginning of a
 * line, which is what a server leaves that strips special tokens.
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

/** A list of calls, each with an id of nine characters. */
export const mistralV3 = /* @__PURE__ */ namedJsonFormat('mistral_v3', () => ({
  // Those of 2024 have the month in their names; Ollama's `mistral` is 7B.
  writtenBy: [
    'Mistral 7B, Nemo, Large 2, Mixtral',
    /mistral(?:[:-]7b|-nemo|(:latest)?$)|mixtral.*|\w*tral.*-24\d\d/,
  ],
  ...mistralMarks(),
  calls: '[TOOL_CALLS] [$calls]',
  joint: ', ',
  call: '{"name": "$name", "arguments": $args, "id": "$id"}',
  callId: idOf(9),
  result: '[TOOL_RESULTS] {"content": $json, "call_id": "$id"}[/TOOL_RESULTS]',
}))

/** What both have in common, and what distilled models make of it. */
const deepseekMarks = {
  header:
    /^<｜tool[▁_ ]call[▁_ ]begin｜>\s*(?:function\s*<｜tool[▁_ ]sep｜>\s*)?(?<name>[^\s<{]+)\s*(?:<｜tool[▁_ ]sep｜>)?$/,
  spell: (mark: string) => [mark.replaceAll('▁', '_'), mark.replaceAll('▁', ' ')],
  calls: '<｜tool▁calls▁begin｜>$calls<｜tool▁calls▁end｜>',
  marks: ['<｜'],
  result: '<｜tool▁output▁begin｜>$content<｜tool▁output▁end｜>',
}

/**
 * Quirks that are read: a missing section, fence or end, marks written with `_` or a space, and the
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

/** Quirks that are read: as above, and the form of V3. */
export const deepseekV31 = /* @__PURE__ */ namedJsonFormat(
  'deepseek_v3_1 deepseek_v31 deepseekv31',
  () => ({
    // Bedrock's `deepseek.v3-v1` is 3.1.
    writtenBy: ['DeepSeek V3.1 and V3.2-Exp', /deepseek[.-](?:chat-)?v3(?:\.1|\.2-exp|-v1)/],
    ...deepseekMarks,
    call: '<｜tool▁call▁begin｜>$name<｜tool▁sep｜>$args<｜tool▁call▁end｜>',
    resultJoint: '',
    // The chat template shows no tools; this is the form that the model's card asks for.
    toolsForm: {
      heading: '## Tools',
      frame: '$tools',
      tool: '### $name\nDescription: $description\n\nParameters: $parameters',
      joint: '\n\n',
    },
  }),
)

/** Llama 3.1 writes this too, when asked for custom tools in Meta's own way. */
export const functionaryV31 = /* @__PURE__ */ namedJsonFormat('functionary_v3_1', () => ({
  writtenBy: ['Functionary 3.1', /functionary-\w+-v3\.1/],
  header: /^<function=["']?(?<name>[^\s<>"']+)["']?\s*>$/,
  call: '<function=$name>$args</function>',
  marks: ['<|', '<function=', '</function>'],
  toolsForm: { ...bareTools, tool: '$function', joint: '\n\n' },
}))

/**
 * The first `>>>` is the prompt's, so that the text may begin with the tool's name. `>>>all` stands
 * before what is said to the user.
 */
export const functionaryV32 = /* @__PURE__ */ namedJsonFormat('functionary_v3_2', () => ({
  writtenBy: ['Functionary 3.2', /functionary-\w+-v3\.2/],
  markRules: { '>>>': { strength: 'weak' } },
  header: /^>>>(?<name>[^\s<>{}"']+)$/,
  hasBareNames: true,
  silent: ['>>>all\n', 'all\n'],
  call: '>>>$name\n$args',
  marks: ['<|', '>>>'],
  toolsForm: { ...bareTools, ...namespaceTools(['', '    ']) },
}))

/**
 * The model makes up the id; results are told apart by it. Quirks that are read: missing ends, no
 * id, no section.
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

/** The header of a message in a channel; of the first one the prompt has written the beginning. */
const headers = (...channels: string[]) =>
  ['<|channel|>', '<|start|>assistant<|channel|>'].flatMap(start =>
    channels.map(each => `${start}${each}<|message|>`),
  )

/** An answer may be JSON. */
const answers = headers('commentary', 'final', 'final json', 'final <|constrain|>json')

/**
 * What comes before it, too; but the same words end the header of a call, so that without their
 * beginning they count only at that of the text.
 */
const comments = headers('commentary json', 'commentary <|constrain|>json').map(each =>
  each.replace(/^<\|channel/, '^$&'),
)

/**
 *     <|channel|>analysis<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>
 *
 * Quirks that are read: the recipient before or behind the channel, any channel, no
 * `<|constrain|>`, a first header without its `<|start|>assistant`, which is the prompt's, no
 * `functions.` before a declared tool. What is said in `analysis` is thought; messages do not nest,
 * so any other header ends it.
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
    // A recipient that is the model itself means nothing.
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
 * A thought before it is text. Quirks that are read: the input in a fence, and `Observation:`
 * behind it, at which a model should stop.
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
