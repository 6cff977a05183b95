import type { TaggedGrammar } from '../../engine/bodies/tagged-body.js'
import type { FunctionTool } from '../../sdk/parts.js'
import { taggedFormat } from '../tagged-protocol.js'
import { spacedJson, toolFields } from '../text-forms.js'
import { bareTools, elementTool, pythonParts, toolLines, toolList } from '../tool-forms.js'

/** A result in tags, in lines of its own. */
const inTags = (tag: string) => `<${tag}>\n$content\n</${tag}>`

/** `<function=NAME><parameter=KEY>…`, in a section of its own. */
const functionTags = (section: string) => ({
  grammar: {
    section: { open: `<${section}>`, close: `</${section}>` },
    call: { open: '<function=', nameEnd: '>', close: '</function>' },
    argument: { open: '<parameter=', keyEnd: '>', close: '</parameter>' },
    hasBlocks: true,
  },
  gap: '\n',
  isApart: true,
  result: inTags('tool_response'),
})
/** `<invoke name="NAME"><parameter name="KEY">…`, with a prefix before each tag. */
const invokeTags = (prefix: string, section: string): TaggedGrammar => ({
  section: { open: `<${section}>`, close: `</${section}>` },
  call: { open: `<${prefix}invoke name="`, nameEnd: '"', headEnd: '>', close: `</${prefix}invoke>` },
  argument: { open: `<${prefix}parameter name="`, keyEnd: '"', headEnd: '>', close: `</${prefix}parameter>` },
  isSilentText: true,
})
/** `<tool_call>NAME<arg_key>KEY</arg_key><arg_value>…`. */
const argumentTags = (gap: string) => ({
  grammar: {
    call: { open: '<tool_call>', close: '</tool_call>' },
    argument: { open: '<arg_key>', keyEnd: '</arg_key>', headEnd: '<arg_value>', close: '</arg_value>' },
  },
  gap,
  keyGap: gap,
  result: `<tool_response>${gap}$content${gap}</tool_response>`,
})
/** The type of each argument stands in its tag: `string="true"` or `string="false"`. */
const dsml = (section: string, frame: string) => ({
  grammar: {
    ...invokeTags('｜DSML｜', `｜DSML｜${section}`),
    isText: (attributes: string) => (/string="(true|false)"/.exec(attributes)?.[1] ?? 'false') === 'true',
    isSilentText: false,
  },
  gap: '\n',
  attributes: ' string="$isText"',
  note: 'Set string="true" for text and string="false" for all else. ',
  toolsForm: { heading: '## Tools', frame, show: toolLines('$function'), isLast: true },
})
/** `<tool_call>NAME<tool_sep><arg_key>…` in a section; the open weights have a suffix in each tag. */
const hunyuanTags = (suffix: string): TaggedGrammar => ({
  section: { open: `<tool_calls${suffix}>`, close: `</tool_calls${suffix}>` },
  call: { open: `<tool_call${suffix}>`, nameEnd: `<tool_sep${suffix}>`, close: `</tool_call${suffix}>` },
  argument: {
    open: `<arg_key${suffix}>`,
    keyEnd: `</arg_key${suffix}>`,
    headEnd: `<arg_value${suffix}>`,
    close: `</arg_value${suffix}>`,
  },
})
/** `<function name="NAME"><param name="KEY">…`, without a section. */
const miniTags = (space: string): TaggedGrammar => ({
  call: { open: `<function${space}name="`, nameEnd: '"', headEnd: '>', close: '</function>' },
  argument: { open: `<param${space}name="`, keyEnd: '"', headEnd: '>', close: '</param>' },
  isSilentText: true,
  hasSections: true,
})

/**
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Paris
 *     </parameter>
 *     </function>
 *     </tool_call>
 *
 * The tools are shown as XML elements.
 */
export const qwen3Coder = /* @__PURE__ */ taggedFormat('qwen3_coder', 'Qwen3-Coder, Nemotron 3, MiMo V2', () => ({
  aliases: ['qwen3_xml', 'mimo'],
  models: /qwen-?3-coder|nemotron-?3|mimo-v2/,
  ...functionTags('tool_call'),
  toolsForm: { show: toolLines(elementTool) },
}))

/** The same, with the tools as lines of JSON. */
export const qwen35 = /* @__PURE__ */ taggedFormat('qwen3_5', 'Qwen 3.5 and 3.6, Step 3.5', () => ({
  aliases: ['step3p5'],
  models: /qwen-?3\.[56]|step-?3\.[5-9]/,
  ...functionTags('tool_call'),
}))

/** The same, with other marks around tools and results. */
export const kExaone2 = /* @__PURE__ */ taggedFormat('k_exaone2', 'K-EXAONE 2', () => ({
  models: /k-exaone-2/,
  ...functionTags('tool_call'),
  result: '<tool_result>$content</tool_result>',
  toolsForm: { ...bareTools, heading: '# Available Tools', show: toolLines('<tool>$tool</tool>') },
}))

/**
 *     <seed:tool_call>
 *     <function=get_weather>
 *     <parameter=city>Paris</parameter>
 *     </function>
 *     </seed:tool_call>
 *
 * The template writes lists and objects as Python does; JSON is read for what it is.
 */
export const seedOss = /* @__PURE__ */ taggedFormat('seed_oss', 'Seed-OSS', () => ({
  models: /seed-oss/,
  ...functionTags('seed:tool_call'),
  reasoning: [{ opens: ['<seed:think>'], closes: ['</seed:think>'] }],
  isInline: true,
  toolsForm: { ...bareTools, show: toolLines(seedTool, '\n\n') },
}))

function seedTool(tool: FunctionTool): string {
  const { name, description, args } = pythonParts(tool)
  const head = `Function:\ndef ${name}(${args.map(({ key, type }) => `${key}: ${type}`).join(',')}):\n    """`
  const lines = args.map(
    ({ key, type, isNeeded, text }) => `- ${key} (${type}) [${isNeeded ? '必填' : '选填'}]: ${text}`,
  )
  return [head, description, '', ...(args.length ? ['Args:', ...lines, ''] : []), '"""']
    .join('\n    ')
    .replaceAll(/^ +$/gm, '')
}

export const glm45 = /* @__PURE__ */ taggedFormat('glm_4_5', 'GLM 4.5 and 4.6', () => ({
  aliases: ['glm', 'glm45'],
  models: /glm-?4\.[56]/,
  ...argumentTags('\n'),
}))

export const glm47 = /* @__PURE__ */ taggedFormat('glm_4_7', 'GLM 4.7 and 5, Ling 3', () => ({
  aliases: ['glm47', 'ling3'],
  models: /glm-?(?:4\.7|5)|(?:ling|ring)-3/,
  ...argumentTags(''),
  joint: '',
  resultJoint: '',
}))

/** The same, with other marks around the tools. */
export const poolsideV1 = /* @__PURE__ */ taggedFormat('poolside_v1', 'poolside Laguna', () => ({
  models: /laguna/,
  ...argumentTags(''),
  joint: '',
  toolsForm: { heading: '### Tools', frame: '<available_tools>\n$tools\n</available_tools>' },
}))

export const minimaxM2 = /* @__PURE__ */ taggedFormat('minimax_m2', 'MiniMax M2', () => ({
  models: /minimax-m2/,
  grammar: invokeTags('', 'minimax:tool_call'),
  gap: '\n',
  toolsForm: { show: toolLines('<tool>$function</tool>') },
  result: '<response>$content</response>',
}))

export const hunyuanV3 = /* @__PURE__ */ taggedFormat('hunyuan_v3', 'Hunyuan 3', () => ({
  aliases: ['hy_v3', 'hunyuan'],
  models: /hy3|hunyuan-?3/,
  grammar: hunyuanTags(':opensource'),
  others: [hunyuanTags('')],
  gap: '\n',
  keyGap: '\n',
  result: inTags('tool_response:opensource'),
  results: '<tool_responses:opensource>\n$results\n</tool_responses:opensource>',
  resultMarks: ['</tool_response'],
}))

export const step3 = /* @__PURE__ */ taggedFormat('step3', 'Step 3', () => ({
  models: /step-?3(?!\.5)/,
  grammar: {
    ...invokeTags('steptml:', ''),
    section: { open: '<｜tool_calls_begin｜>', close: '<｜tool_calls_end｜>' },
    fillers: ['<｜tool_call_begin｜>', 'function<｜tool_sep｜>', '<｜tool_sep｜>', '<｜tool_call_end｜>'],
  },
  gap: '',
  around: '<｜tool_call_begin｜>function<｜tool_sep｜>$call<｜tool_call_end｜>',
  result: '<｜tool_output_begin｜>$content<｜tool_output_end｜>',
}))

export const minicpm5 = /* @__PURE__ */ taggedFormat('minicpm5', 'MiniCPM 5', () => ({
  models: /minicpm-?5/,
  grammar: miniTags(' '),
  // The space gets lost, or shows as the tokenizer writes it.
  others: [miniTags(''), miniTags('Ġ')],
  gap: '',
  note: 'Put text that holds <, & or line breaks into <![CDATA[…]]>. ',
  result: inTags('tool_response'),
}))

export const dots = /* @__PURE__ */ taggedFormat('dots', 'dots.llm', () => ({
  models: /dots\.llm/,
  grammar: invokeTags('', 'dots_function_call'),
  silent: ['</dots_function_call>'],
  gap: '',
  result: inTags('tool_response'),
}))

export const anthropicXml = /* @__PURE__ */ taggedFormat('anthropic_xml', 'models that learnt from Claude', () => ({
  grammar: invokeTags('', 'function_calls'),
  gap: '\n',
  toolsForm: { frame: '<functions>\n$tools\n</functions>', show: toolLines(functionElement) },
  result: inTags('function_results'),
}))

function functionElement(tool: FunctionTool): string {
  const { description, ...fields } = toolFields(tool)
  return `<function>${spacedJson({ description, ...fields })}</function>`
}

export const deepseekV32Dsml = /* @__PURE__ */ taggedFormat('deepseek_v3_2_dsml', 'DeepSeek V3.2', () => ({
  aliases: ['deepseek_v32', 'deepseekv32'],
  models: /deepseek-v3\.2/,
  ...dsml('function_calls', '<functions>\n$tools\n</functions>'),
  result: '<result>$content</result>',
  results: '<function_results>\n$results\n</function_results>',
}))

export const deepseekV4Dsml = /* @__PURE__ */ taggedFormat('deepseek_v4_dsml', 'DeepSeek V4', () => ({
  aliases: ['deepseek_v4', 'deepseekv4'],
  models: /deepseek-v4/,
  ...dsml('tool_calls', '### Available Tool Schemas\n\n$tools'),
  result: '<tool_result>$content</tool_result>',
  resultJoint: '\n\n',
}))

/**
 *     <|open|>response<|sep|>Let me look.<|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|>
 *     <|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 *
 * (All in one line.) Models: Kimi K3. Each argument says its type: a string is raw, all else is JSON. What is said stands in a `response`,
 * what is thought in a `think`. Where a server strips the special tokens nothing can be read.
 */
export const kimiK3 = /* @__PURE__ */ taggedFormat('kimi_k3', 'Kimi K3', () => ({
  models: /kimi-?k3/,
  grammar: {
    section: { open: '<|open|>tools<|sep|>', close: '<|close|>tools<|sep|>' },
    call: { open: '<|open|>call tool="', nameEnd: '"', headEnd: '<|sep|>', close: '<|close|>call<|sep|>' },
    argument: {
      open: '<|open|>argument key="',
      keyEnd: '"',
      headEnd: '<|sep|>',
      close: '<|close|>argument<|sep|>',
    },
    isText: attributes => {
      const type = /type="([^"]*)"/.exec(attributes)?.[1]
      return type === undefined ? undefined : type === 'string'
    },
  },
  gap: '',
  attributes: ' type="$type"',
  callAttributes: ' index="$place"',
  result: '<|open|>message role="tool" tool="$name" index="$place"<|sep|>$content<|close|>message<|sep|>',
  resultJoint: '<|end_of_msg|>',
  toolsForm: { frame: '```json\n$tools\n```', show: toolList() },
  reasoning: [
    {
      opens: ['<|open|>think<|sep|>'],
      // A model that does not think goes right on to its answer.
      closes: ['<|close|>think<|sep|>', '<|open|>response<|sep|>'],
    },
  ],
  silent: [
    ...['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|open|>message role="assistant"<|sep|>'],
    ...['<|close|>message<|sep|>', '<|end_of_msg|>'],
  ],
}))

/**
 *      to=user<|message|>Let me look.<|eom|><|start|>assistant to=get_weather<|message|><atem:function_calls>
 *     <atem:invoke name="get_weather">
 *     <atem:parameter name="city">Paris</atem:parameter>
 *     </atem:invoke>
 *     </atem:function_calls><|eot|>
 *
 * Models: Muse Glimmer. The first `<|start|>assistant` is the prompt's. Strings are raw and keep their space; all else is JSON. What
 * is addressed to `self` is thought and shown to nobody. Quirks that are read: `get_weather.get_weather` for a tool without
 * a namespace, and headers from which the special tokens were stripped.
 */
export const museGlimmer = /* @__PURE__ */ taggedFormat('muse_glimmer', 'Muse Glimmer', () => ({
  aliases: ['muse'],
  models: /muse-?glimmer/,
  grammar: {
    ...invokeTags('atem:', 'atem:function_calls'),
    isSilentText: false,
    toolName: (written, isTool) => {
      const half = written.slice(0, written.length / 2)
      return !isTool(written) && written === `${half}.${half}` && isTool(half) ? half : written
    },
  },
  addresses: {
    opens: ['<|start|>assistant to=', 'assistant to=', ' to=', 'to='],
    headerEnd: '<|message|>',
    ends: ['<|eom|>', '<|eot|>'],
    readers: ['user'],
    self: 'self',
  },
  isApart: true,
  around: '<|start|>assistant to=$name<|message|>$call',
  joint: '<|eom|>',
  gap: '\n',
  result: '<tool_output name="$name">\n$content\n</tool_output>',
  resultMarks: ['<|'],
  toolsForm: { heading: '', frame: '// Function schemas\n$tools', show: toolLines('$function'), isLast: true },
}))
