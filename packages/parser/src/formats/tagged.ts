import type { CallGrammar } from '../engine/grammar.js'
import { anyCalls, callsWithRepair } from '../engine/other-forms.js'
import { mixedCalls } from '../engine/tags/mixed-calls.js'
import { taggedCalls } from '../engine/tags/parameter-tags.js'
import { callsInTags, createTaggedProtocol } from '../protocols/tagged-protocol.js'
import type { FunctionTool } from '../sdk/parts.js'
import { elementTool, pythonParts } from '../writing/tool-notations.js'
import { bareTools, toolFields, toolJson } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'
import { museMessages, museThoughts } from './muse.js'

const taggedFormat = /* @__PURE__ */ formatMaker('tagged', createTaggedProtocol)

const functionTags = (section: string) => ({
  section: `<${section}>\n$call\n</${section}>`,
  call: '<function=$name>\n$args\n</function>',
  argument: '<parameter=$key>\n$value\n</parameter>',
})
const argumentTags = {
  call: '<tool_call>$name$args</tool_call>',
  argument: '<arg_key>$key</arg_key><arg_value>$value</arg_value>',
  joint: '',
  result: '<tool_response>$content</tool_response>',
}
/** `<invoke name="get_weather"><parameter name="city">`, with a prefix in each tag: `<atem:invoke`. */
const invokeTags = (prefix: string, section: string, gap = '\n') => ({
  section: `<${section}>${gap}$calls${gap}</${section}>`,
  call: `<${prefix}invoke name="$name">${gap}$args${gap}</${prefix}invoke>`,
  argument: `<${prefix}parameter name="$key">$value</${prefix}parameter>`,
  untypedIsText: true,
})
/** The tag of each argument shows whether it is text: `string="true"`. */
const dsmlTags = (section: string, word = '｜DSML｜') => ({
  ...invokeTags(word, word + section),
  argument: `<${word}parameter name="$key" string="$isText">$value</${word}parameter>`,
  isText: (attributes: string) => attributes.includes('string="true"'),
  untypedIsText: false,
})
/** The bars of `｜DSML｜` as models also write them: of another kind, twice, or not at all. */
const otherBars = ['‖', '｜｜', '|', '||', '']
const otherDsml = (section: string) => {
  const tags = otherBars.map(bar => callsInTags(dsmlTags(section, `${bar}DSML${bar}`)))
  return anyCalls(callsWithRepair('other-mark', ...tags), mixedCalls)
}
const dsml = (section: string, frame: string) => ({
  ...dsmlTags(section),
  otherForms: otherDsml(section),
  note: 'Set string="true" for text and string="false" for all else. ',
  toolsForm: { heading: '## Tools', frame, tool: '$function', isLast: true },
})
const hunyuanTags = (suffix: string) => ({
  section: `<tool_calls${suffix}>\n$calls\n</tool_calls${suffix}>`,
  call: `<tool_call${suffix}>$name<tool_sep${suffix}>\n$args\n</tool_call${suffix}>`,
  argument: `<arg_key${suffix}>$key</arg_key${suffix}>\n<arg_value${suffix}>$value</arg_value${suffix}>`,
})
const miniTags = (space: string) => ({
  call: `<function${space}name="$name">$args</function>`,
  argument: `<param${space}name="$key">$value</param>`,
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
 * The prompt shows the tools as XML elements. The formats below show them as lines of JSON.
 */
export const qwen3Coder = /* @__PURE__ */ taggedFormat('qwen3_coder qwen3_xml mimo', () => ({
  writtenBy: ['Qwen3-Coder, Nemotron 3, MiMo V2', /qwen-?3-coder|nemotron-?3|mimo-v2/],
  otherForms: mixedCalls,
  ...functionTags('tool_call'),
  toolsForm: { tool: elementTool },
}))

/**
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Paris
 *     </parameter>
 *     </function>
 *     </tool_call>
 */
export const qwen35 = /* @__PURE__ */ taggedFormat('qwen3_5 step3p5', () => ({
  writtenBy: ['Qwen 3.5 and 3.6, Step 3.5', /qwen-?3\.[56]|step-?3\.[5-9]/],
  otherForms: mixedCalls,
  ...functionTags('tool_call'),
}))

/**
 *     <tool_call>
 *     <function=get_weather>
 *     <parameter=city>
 *     Paris
 *     </parameter>
 *     </function>
 *     </tool_call>
 */
export const kExaone2 = /* @__PURE__ */ taggedFormat('k_exaone2', () => ({
  writtenBy: ['K-EXAONE 2', /k-exaone-2(?!\d)/],
  ...functionTags('tool_call'),
  result: '<tool_result>$content</tool_result>',
  toolsForm: { ...bareTools, heading: '# Available Tools', tool: '<tool>$tool</tool>' },
}))

/**
 *     <seed:tool_call>
 *     <function=get_weather>
 *     <parameter=city>Paris</parameter>
 *     </function>
 *     </seed:tool_call>
 *
 * The chat template writes lists and objects as Python literals; we write JSON, which is read as
 * well.
 */
export const seedOss = /* @__PURE__ */ taggedFormat('seed_oss', () => ({
  writtenBy: ['Seed-OSS', /seed-oss/],
  ...functionTags('seed:tool_call'),
  argument: '<parameter=$key>$value</parameter>',
  trimsBlockLayout: true,
  reasoning: [{ opens: ['<seed:think>'], closes: ['</seed:think>'] }],
  toolsForm: { ...bareTools, tool: seedTool, joint: '\n\n' },
}))

function seedTool(tool: FunctionTool): string {
  const { name, description, args } = pythonParts(tool)
  const head = `Function:\ndef ${name}(${args.map(({ key, type }) => `${key}: ${type}`).join(',')}):\n    """`
  const lines = args.map(
    ({ key, type, isNeeded, text }) =>
      `- ${key} (${type}) [${isNeeded ? '必填' : '选填'}]: ${text}`,
  )
  return [head, description, '', ...(args.length ? ['Args:', ...lines, ''] : []), '"""']
    .join('\n    ')
    .replaceAll(/^ +$/gm, '')
}

/**
 *     <tool_call>get_weather
 *     <arg_key>city</arg_key>
 *     <arg_value>Paris</arg_value>
 *     </tool_call>
 */
export const glm45 = /* @__PURE__ */ taggedFormat('glm_4_5 glm glm45', () => ({
  writtenBy: ['GLM 4.5 and 4.6', /glm-?4\.[56]/],
  otherForms: mixedCalls,
  call: '<tool_call>$name\n$args\n</tool_call>',
  argument: '<arg_key>$key</arg_key>\n<arg_value>$value</arg_value>',
}))

/**
 *     <tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>
 */
export const glm47 = /* @__PURE__ */ taggedFormat('glm_4_7 glm47 ling3', () => ({
  writtenBy: ['GLM 4.7 and 5, Ling 3', /glm-?(?:4\.7|5)|(?:ling|ring)-3/],
  otherForms: mixedCalls,
  ...argumentTags,
  resultJoint: '',
}))

/**
 *     <tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value></tool_call>
 */
export const poolsideV1 = /* @__PURE__ */ taggedFormat('poolside_v1', () => ({
  writtenBy: ['poolside Laguna', /laguna/],
  ...argumentTags,
  toolsForm: { heading: '### Tools', frame: '<available_tools>\n$tools\n</available_tools>' },
}))

/**
 *     <minimax:tool_call>
 *     <invoke name="get_weather">
 *     <parameter name="city">Paris</parameter>
 *     </invoke>
 *     </minimax:tool_call>
 */
export const minimaxM2 = /* @__PURE__ */ taggedFormat('minimax_m2', () => ({
  writtenBy: ['MiniMax M2', /minimax-m2/],
  otherForms: mixedCalls,
  ...invokeTags('', 'minimax:tool_call'),
  toolsForm: { tool: '<tool>$function</tool>' },
  result: '<response>$content</response>',
}))

/**
 *     <tool_calls:opensource>
 *     <tool_call:opensource>get_weather<tool_sep:opensource>
 *     <arg_key:opensource>city</arg_key:opensource>
 *     <arg_value:opensource>Paris</arg_value:opensource>
 *     </tool_call:opensource>
 *     </tool_calls:opensource>
 */
export const hunyuanV3 = /* @__PURE__ */ taggedFormat('hunyuan_v3 hy_v3 hunyuan', () => ({
  writtenBy: ['Hunyuan 3', /hy3|hunyuan-?3/],
  // The tags of the open weights have a suffix: `<tool_calls:opensource>`.
  ...hunyuanTags(':opensource'),
  others: [hunyuanTags('')],
  result: '<tool_response:opensource>\n$content\n</tool_response:opensource>',
  results: '<tool_responses:opensource>\n$results\n</tool_responses:opensource>',
  resultMarks: ['</tool_response'],
}))

/**
 *     <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>
 */
export const step3 = /* @__PURE__ */ taggedFormat('step3', () => ({
  writtenBy: ['Step 3', /step-?3(?!\.5)/],
  ...invokeTags('steptml:', '', ''),
  section: '<｜tool_calls_begin｜>$calls<｜tool_calls_end｜>',
  around: '<｜tool_call_begin｜>function<｜tool_sep｜>$call<｜tool_call_end｜>',
  ignoredInSection: [
    '<｜tool_call_begin｜>',
    'function<｜tool_sep｜>',
    '<｜tool_sep｜>',
    '<｜tool_call_end｜>',
  ],
  result: '<｜tool_output_begin｜>$content<｜tool_output_end｜>',
}))

/**
 *     <function name="get_weather"><param name="city">Paris</param></function>
 */
export const minicpm5 = /* @__PURE__ */ taggedFormat('minicpm5', () => ({
  writtenBy: ['MiniCPM 5', /minicpm-?5/],
  ...miniTags(' '),
  // `<functionname=`, `<functionĠname=`: the space is lost, or written as the tokenizer shows it.
  others: [miniTags(''), miniTags('Ġ')],
  untypedIsText: true,
  readsCdata: true,
  note: 'Put text that holds <, & or line breaks into <![CDATA[…]]>. ',
}))

/**
 *     <dots_function_call><invoke name="get_weather"><parameter name="city">Paris</parameter></invoke></dots_function_call>
 */
export const dots = /* @__PURE__ */ taggedFormat('dots', () => ({
  writtenBy: ['dots.llm', /dots\.llm/],
  ...invokeTags('', 'dots_function_call', ''),
  silent: ['</dots_function_call>'],
}))

/**
 *     <function_calls>
 *     <invoke name="get_weather">
 *     <parameter name="city">Paris</parameter>
 *     </invoke>
 *     </function_calls>
 */
export const anthropicXml = /* @__PURE__ */ taggedFormat('anthropic_xml', () => ({
  writtenBy: ['models that learnt from Claude'],
  otherForms: mixedCalls,
  ...invokeTags('', 'function_calls'),
  result: '<function_results>\n$content\n</function_results>',
  toolsForm: {
    frame: '<functions>\n$tools\n</functions>',
    tool: tool => {
      const { description, ...fields } = toolFields(tool)
      return `<function>${toolJson({ description, ...fields })}</function>`
    },
  },
}))

/**
 *     <｜DSML｜function_calls>
 *     <｜DSML｜invoke name="get_weather">
 *     <｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜function_calls>
 */
export const deepseekV32Dsml = /* @__PURE__ */ taggedFormat(
  'deepseek_v3_2_dsml deepseek_v32 deepseekv32',
  () => ({
    writtenBy: ['DeepSeek V3.2', /deepseek-v3\.2/],
    ...dsml('function_calls', '<functions>\n$tools\n</functions>'),
    result: '<result>$content</result>',
    results: '<function_results>\n$results\n</function_results>',
  }),
)

/**
 *     <｜DSML｜tool_calls>
 *     <｜DSML｜invoke name="get_weather">
 *     <｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜tool_calls>
 */
export const deepseekV4Dsml = /* @__PURE__ */ taggedFormat(
  'deepseek_v4_dsml deepseek_v4 deepseekv4',
  () => ({
    writtenBy: ['DeepSeek V4', /deepseek-v4/],
    ...dsml('tool_calls', '### Available Tool Schemas\n\n$tools'),
    others: [dsml('function_calls', '')],
    result: '<tool_result>$content</tool_result>',
    resultJoint: '\n\n',
  }),
)

/**
 * `toolscall tool="get_weather" index="1"argument key="city" type="string"Parisargumentcalltools`: what
 * a server leaves that strips the special tokens (decision 83). The second call begins with
 * `callcall`.
 */
const strippedKimiK3: CallGrammar = tools => {
  const opens = ['tools', 'call', ''].map(before => `${before}call tool="`)
  const call = { nameEnd: '" index="', headEnd: '"', close: 'calltools' }
  const calls = opens.map(open =>
    taggedCalls({
      call: { ...call, open },
      toolOpens: opens,
      argument: {
        open: 'argument key="',
        keyEnd: '" type="',
        headEnd: '"',
        close: 'argument',
      },
      isText: type => type === 'string',
    }),
  )
  return callsWithRepair(
    'missing-open',
    ...calls,
  )(tools).map(mark => ({
    ...mark,
    strength: 'weak',
    onlyAtLineStart: true,
  }))
}

/**
 *     <|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 *
 * Text is in `<|open|>response<|sep|>`, reasoning in `<|open|>think<|sep|>`. Also read: what a
 * server leaves that strips the special tokens.
 */
export const kimiK3 = /* @__PURE__ */ taggedFormat('kimi_k3', () => ({
  writtenBy: ['Kimi K3', /kimi-?k3/],
  otherForms: strippedKimiK3,
  section: '<|open|>tools<|sep|>$calls<|close|>tools<|sep|>',
  call: '<|open|>call tool="$name" index="$place"<|sep|>$args<|close|>call<|sep|>',
  argument: '<|open|>argument key="$key" type="$type"<|sep|>$value<|close|>argument<|sep|>',
  isText: attributes =>
    attributes.includes('type="') ? attributes.includes('type="string"') : undefined,
  result:
    '<|open|>message role="tool" tool="$name" index="$place"<|sep|>$content<|close|>message<|sep|>',
  resultJoint: '<|end_of_msg|>',
  toolsForm: { frame: '```json\n$tools\n```', list: '[$tools]' },
  // `<|open|>think<|sep|>|<|open|>response<|sep|>`: without reasoning, the end mark is missing.
  reasoning: [
    {
      opens: ['<|open|>think<|sep|>'],
      closes: ['<|close|>think<|sep|>', '<|open|>response<|sep|>'],
    },
  ],
  silent: [
    ...[
      '<|open|>response<|sep|>',
      '<|close|>response<|sep|>',
      '<|open|>message role="assistant"<|sep|>',
    ],
    ...['<|close|>message<|sep|>', '<|end_of_msg|>'],
  ],
}))

/**
 *     <|start|>assistant to=get_weather<|message|><atem:function_calls>
 *     <atem:invoke name="get_weather">
 *     <atem:parameter name="city">Paris</atem:parameter>
 *     </atem:invoke>
 *     </atem:function_calls>
 *
 * Text is a message too: ` to=user<|message|>Let me look.<|eom|>`. The prompt ends with the first
 * `<|start|>assistant`. A message to `self` is reasoning. Also read: `get_weather.get_weather` for
 * a tool without a namespace, and headers without their special tokens.
 */
export const museGlimmer = /* @__PURE__ */ taggedFormat('muse_glimmer muse', () => ({
  writtenBy: ['Muse Glimmer', /muse-?glimmer/],
  ...invokeTags('atem:', ''),
  section: '<atem:function_calls>\n$call\n</atem:function_calls>',
  untypedIsText: false,
  messages: museMessages,
  reasoning: [museThoughts],
  around: '<|start|>assistant to=$name<|message|>$call',
  joint: '<|eom|>',
  result: '<tool_output name="$name">\n$content\n</tool_output>',
  toolsForm: { heading: '', frame: '// Function schemas\n$tools', tool: '$function', isLast: true },
}))
