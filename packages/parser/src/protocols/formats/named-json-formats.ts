import { type NamedJsonGrammar, namedJsonCalls } from '../../engine/bodies/named-json-body.js'
import type { FunctionTool } from '../../sdk/parts.js'
import type { FormatTraits } from '../define-protocol.js'
import { between, formatProtocol, type ResultsForm } from '../format-protocol.js'
import { formatMaker } from '../model-format.js'
import { callArguments, hideMarks, spacedJson, toolAsJson, toolFields } from '../text-forms.js'
import type { EngineProtocol } from '../tool-call-protocol.js'
import { bareTools, namespaceTools, plainTool, type ToolsForm, toolLines, toolList } from '../tool-forms.js'

/** A format with the tool's name in its markup and the arguments as JSON: what is read, and how the same is written. */
interface NamedJsonDefinition extends FormatTraits {
  readonly grammar: NamedJsonGrammar
  /** Marks around results and tools. Neither these nor the grammar's own may stand in a value. */
  readonly otherMarks: readonly string[]
  /** `args` is JSON text, `index` the place of the call in its message. */
  readonly writeCall: (call: { id: string; name: string; args: string; index: number }) => string
  /** The calls of one message, where they do not just stand one behind the other. */
  readonly joinCalls?: (calls: readonly string[]) => string
  readonly resultsForm: ResultsForm
  /** The tools as the chat template shows them. */
  readonly toolsForm?: ToolsForm
}

function namedJsonProtocol(definition: NamedJsonDefinition): EngineProtocol {
  const { grammar, otherMarks, writeCall, joinCalls = calls => calls.join(''), resultsForm } = definition
  const { section, opens, separators = [], ends } = grammar
  const thoughts = (definition.reasoning ?? []).flatMap(({ opens, closes }) => [...opens, ...closes])
  const sections = section ? [...section.opens, ...section.closes] : []
  const own = [...sections, ...opens, ...separators, ...ends, ...(definition.silent ?? []), ...thoughts]
  const marks = [...new Set([...own, ...otherMarks])]
  const sample = (...args: readonly string[]) =>
    joinCalls(args.map((each, index) => writeCall({ id: `call${index}`, name: 'function_name', args: each, index })))
  return formatProtocol({
    ...definition,
    grammar: namedJsonCalls(grammar),
    howTo: () => `To call a function, write its name and a JSON object with its arguments exactly like this:

${sample('{"parameter": "value"}')}

Two calls look like this:

${sample('{"parameter": "one"}', '{"parameter": "two"}')}`,
    writeCalls: toolCalls =>
      joinCalls(
        toolCalls.map((toolCall, index) => {
          const args = hideMarks(callArguments(toolCall), marks)
          return writeCall({ id: toolCall.toolCallId, name: toolCall.toolName, args, index })
        }),
      ),
    resultsForm: { ...resultsForm, marks },
  })
}

const namedJsonFormat = /* @__PURE__ */ formatMaker('named-json', namedJsonProtocol)

/**
 *     <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>
 *
 * Models: Kimi K2, K2 Thinking, K2.5, K2.6. `functions.NAME:INDEX` is the id of the call, and results are told apart by it.
 * Quirks that are read: a missing section or one in the singular, missing ends, no `functions.`, no index.
 */
export const kimiK2 = /* @__PURE__ */ namedJsonFormat('kimi_k2', 'Kimi K2, K2 Thinking, K2.5 and K2.6', () => ({
  models: /kimi-?k2|moonlight/,
  grammar: {
    section: {
      opens: ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'],
      closes: ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    },
    opens: ['<|tool_call_begin|>'],
    header:
      /^<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[^\s<]+?)(?::\d+)?(?:\s*<\|tool_call_argument_begin\|>)?$/,
    separators: ['<|tool_call_argument_begin|>'],
    ends: ['<|tool_call_end|>'],
  },
  callsInReasoning: true,
  otherMarks: ['<|', '## Return of '],
  writeCall: ({ id, name, args, index }) =>
    `<|tool_call_begin|>${kimiId(id, name, index)}<|tool_call_argument_begin|>${args}<|tool_call_end|>`,
  joinCalls: calls => `<|tool_calls_section_begin|>${calls.join('')}<|tool_calls_section_end|>`,
  resultsForm: { write: ({ id, name, content, index }) => `## Return of ${kimiId(id, name, index)}\n${content}` },
  toolsForm: { open: '', close: '', show: toolList() },
}))

/** The id that the model itself gave the call; otherwise its place in the message, which is that of its result too. */
function kimiId(id: string, name: string, index: number): string {
  const prefix = `functions.${name}:`
  return id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)) ? id : prefix + index
}

/**
 *     [TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}[TOOL_CALLS]get_time[ARGS]{"tz": "CET"}
 *
 * Models: Mistral Small 3, Devstral, Magistral, Ministral 3, Medium 3, Large 3. Older ones (7B v0.3, Nemo, Large 2) write
 * `[TOOL_CALLS] [{"name": …, "arguments": …}]`, which is read too, and so are `[CALL_ID]`, a missing `[ARGS]`, and
 * `get_weather{…}` at the beginning of a line, which is what a server leaves that strips special tokens.
 */
export const mistral = /* @__PURE__ */ namedJsonFormat('mistral', 'Mistral, Ministral, Magistral and Devstral', () => ({
  models: /mistral|ministral|magistral|devstral|codestral|mixtral/,
  grammar: {
    opens: ['[TOOL_CALLS]'],
    header: /^\[TOOL_CALLS\]\s*(?<name>[^\s[\]{}]+)\s*(?:\[CALL_ID\][^[\]{}]*)?(?:\[ARGS\])?$/,
    separators: ['[ARGS]'],
    ends: [],
    hasEnvelopes: true,
    hasBareNames: true,
  },
  reasoning: [{ opens: ['[THINK]'], closes: ['[/THINK]'] }],
  otherMarks: ['[CALL_ID]', '[TOOL_RESULTS]', '[/TOOL_RESULTS]', '[INST]', '[/INST]'],
  writeCall: ({ name, args }) => `[TOOL_CALLS]${name}[ARGS]${args}`,
  resultsForm: between('[TOOL_RESULTS]', '[/TOOL_RESULTS]', ''),
  toolsForm: { heading: '', open: '[AVAILABLE_TOOLS]', close: '[/AVAILABLE_TOOLS]', show: toolList() },
}))

const SEP = '<｜tool▁sep｜>'

const deepseekTools = (write: (tool: FunctionTool) => string): ToolsForm => ({
  ...bareTools,
  heading: '## Tools',
  show: toolLines(write, '\n\n'),
})
/** What both write, and what distilled models make of it. */
const grammar: NamedJsonGrammar = {
  section: {
    opens: ['<｜tool▁calls▁begin｜>', '<｜tool_calls_begin｜>', '<｜tool calls begin｜>'],
    closes: ['<｜tool▁calls▁end｜>', '<｜tool_calls_end｜>', '<｜tool calls end｜>'],
  },
  opens: ['<｜tool▁call▁begin｜>', '<｜tool_call_begin｜>', '<｜tool call begin｜>'],
  ends: ['<｜tool▁call▁end｜>', '<｜tool_call_end｜>', '<｜tool call end｜>'],
  header:
    /^<｜tool[▁_ ]call[▁_ ]begin｜>\s*(?:function\s*<｜tool[▁_ ]sep｜>\s*)?(?<name>[^\s<{]+)\s*(?:<｜tool[▁_ ]sep｜>)?$/,
}
/**
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
 *     ```json
 *     {"city": "Paris"}
 *     ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Models: DeepSeek V3, V3-0324, R1 and its distillations. Quirks that are read: a missing section, fence or end, marks written
 * with `_` or a space, and the form of V3.1.
 */
export const deepseekV3 = /* @__PURE__ */ namedJsonFormat('deepseek_v3', 'DeepSeek V3 and R1', () => ({
  aliases: ['deepseekv3'],
  models: /deepseek-(?:chat-)?(?:v3(?!\.\d)|r1)/,
  grammar,
  otherMarks: ['<｜'],
  writeCall: ({ name, args }) =>
    `<｜tool▁call▁begin｜>function${SEP}${name}\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>`,
  joinCalls: calls => `<｜tool▁calls▁begin｜>${calls.join('\n')}<｜tool▁calls▁end｜>`,
  resultsForm: {
    ...between('<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'),
    join: results => `<｜tool▁outputs▁begin｜>${results.join('\n')}<｜tool▁outputs▁end｜>`,
  },
  toolsForm: {
    ...deepseekTools(tool => `\`\`\`json\n${toolAsJson(tool)}\n\`\`\``),
    open: '### Function\n\n',
  },
}))

/**
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Models: DeepSeek V3.1, V3.1-Terminus, V3.2-Exp. Quirks that are read: as above, and the form of V3.
 */
export const deepseekV31 = /* @__PURE__ */ namedJsonFormat('deepseek_v3_1', 'DeepSeek V3.1 and V3.2-Exp', () => ({
  aliases: ['deepseek_v31', 'deepseekv31'],
  models: /deepseek-(?:chat-)?v3\.(?:1|2-exp)/,
  grammar,
  otherMarks: ['<｜'],
  writeCall: ({ name, args }) => `<｜tool▁call▁begin｜>${name}${SEP}${args}<｜tool▁call▁end｜>`,
  joinCalls: calls => `<｜tool▁calls▁begin｜>${calls.join('')}<｜tool▁calls▁end｜>`,
  resultsForm: between('<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>', ''),
  // The chat template shows no tools; this is the form that the model's card asks for.
  toolsForm: deepseekTools(tool => {
    const { name, description = '', parameters = {} } = toolFields(tool)
    return `### ${name}\nDescription: ${description}\n\nParameters: ${spacedJson(parameters)}`
  }),
}))

/**
 *     <function=get_weather>{"city": "Paris"}</function>
 *
 * Models: functionary-medium-v3.1, and Llama 3.1 when asked for custom tools in Meta's own way.
 */
export const functionaryV31 = /* @__PURE__ */ namedJsonFormat('functionary_v3_1', 'Functionary 3.1', () => ({
  models: /functionary-\w+-v3\.1/,
  grammar: {
    opens: ['<function='],
    header: /^<function=["']?(?<name>[^\s<>"']+)["']?\s*>$/,
    ends: ['</function>'],
  },
  otherMarks: ['<|', '</tool_response'],
  writeCall: ({ name, args }) => `<function=${name}>${args}</function>`,
  resultsForm: between('<tool_response>\n', '\n</tool_response>'),
  toolsForm: { ...bareTools, show: toolLines(plainTool, '\n\n') },
}))

/**
 *     >>>all
 *     Let me look.>>>get_weather
 *     {"city": "Paris"}>>>get_time
 *     {"tz": "CET"}
 *
 * Models: functionary v3.2. The first `>>>` is the prompt's, so that the text may begin with the tool's name. `>>>all` stands before
 * what is said to the user.
 */
export const functionaryV32 = /* @__PURE__ */ namedJsonFormat('functionary_v3_2', 'Functionary 3.2', () => ({
  models: /functionary-\w+-v3\.2/,
  grammar: {
    opens: ['>>>'],
    header: /^>>>(?<name>[^\s<>{}"']+)$/,
    ends: [],
    hasBareNames: true,
  },
  silent: ['>>>all\n'],
  otherMarks: ['<|', '</tool_response'],
  writeCall: ({ name, args }) => `>>>${name}\n${args}`,
  resultsForm: between('<tool_response>\n', '\n</tool_response>'),
  toolsForm: {
    ...bareTools,
    show: namespaceTools({ indent: depth => '    '.repeat(Math.max(depth - 1, 0)), hasLastComma: true }),
  },
}))

/**
 *     <|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>get_weather<|tool_call:args|>{"city": "Paris"}<|tool_call:end|><|calls|>
 *
 * Models: Solar Open. The model makes up the id, ten characters long; results are told apart by it. Quirks that are read: missing
 * ends, no id, no section.
 */
export const solarOpen = /* @__PURE__ */ namedJsonFormat('solar_open', 'Solar Open', () => ({
  models: /solar-?open/,
  grammar: {
    section: { opens: ['<|tool_calls|>'], closes: ['<|calls|>'] },
    opens: ['<|tool_call:begin|>'],
    header:
      /^<\|tool_call:begin\|>\s*(?:[^\s<]*\s*<\|tool_call:name\|>)?\s*(?<name>[^\s<]+)\s*(?:<\|tool_call:args\|>)?$/,
    separators: ['<|tool_call:args|>'],
    ends: ['<|tool_call:end|>'],
  },
  otherMarks: ['<|'],
  writeCall: ({ id, name, args }) =>
    `<|tool_call:begin|>${solarId(id)}<|tool_call:name|>${name}<|tool_call:args|>${args}<|tool_call:end|>`,
  joinCalls: calls => `<|tool_calls|>${calls.join('')}<|calls|>`,
  resultsForm: {
    write: ({ id, name, content }) =>
      `<|tool_response:begin|>${solarId(id)}<|tool_response:name|>${name}<|tool_response:result|>${content}<|tool_response:end|>`,
    join: results => results.join(''),
  },
  toolsForm: {
    heading: '## Tools',
    open: '### Available Tools\n<|tools:begin|>',
    close: '<|tools:end|>',
    show: toolLines(tool => `<|tool:begin|>${plainTool(tool)}<|tool:end|>`, ''),
  },
}))

/** Ten lower-case letters and digits, the same for a call and its result. */
function solarId(id: string): string {
  const plain = id.toLowerCase().replace(/[^a-z0-9]/g, '')
  return plain.slice(-10).padStart(10, '0')
}

/** The header of a message in a channel; of the first one the prompt has written the beginning. */
const headers = (...channels: string[]) =>
  ['', '<|start|>assistant'].flatMap(start => channels.map(channel => `${start}<|channel|>${channel}<|message|>`))

/**
 *     <|channel|>analysis<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Paris"}<|call|>
 *
 * Models: gpt-oss. Quirks that are read: the recipient before or behind the channel, any channel, no `<|constrain|>`, a first header without
 * its `<|start|>assistant`, which is the prompt's. What is said in `analysis` is thought; messages do not nest, so any other header ends it.
 */
export const gptOssHarmony = /* @__PURE__ */ namedJsonFormat('gpt_oss_harmony', 'gpt-oss', () => ({
  aliases: ['openai', 'gpt_oss', 'harmony'],
  models: /gpt-oss/,
  grammar: {
    opens: ['<|start|>assistant', '<|channel|>', 'to=functions.'],
    header:
      /^(?:<\|start\|>assistant)?(?:<\|channel\|>\w+)?\s*to=functions\.(?<name>[^\s<]+)(?:<\|channel\|>\w+)?\s*(?:<\|constrain\|>\s*)?(?:\w+\s*)?<\|message\|>$/,
    separators: ['<|message|>'],
    ends: ['<|call|>', '<|end|>', '<|return|>'],
  },
  reasoning: [{ opens: headers('analysis'), closes: ['<|end|>', '<|return|>', ...headers('commentary', 'final')] }],
  callsInReasoning: true,
  // A recipient that is the model itself means nothing.
  silent: ['', '<|start|>assistant'].map(start => `${start}<|channel|>commentary to=assistant`),
  otherMarks: ['<|'],
  writeCall: ({ name, args }) =>
    `<|start|>assistant to=functions.${name}<|channel|>commentary json<|message|>${args}<|call|>`,
  resultsForm: {
    write: ({ name, content }) =>
      `<|start|>functions.${name} to=assistant<|channel|>commentary<|message|>${content}<|end|>`,
    join: results => results.join(''),
    isJson: true,
  },
  toolsForm: { open: '## functions\n\n', close: '', show: namespaceTools() },
}))

/**
 *     Thought: I need the weather.
 *     Action: get_weather
 *     Action Input: {"city": "Paris"}
 *     Observation: …
 *
 * Models: any that was prompted in the manner of ReAct. The thought is text. Quirks that are read: the input in a fence, and the word
 * `Observation:` behind it, at which a model should have stopped.
 */
export const react = /* @__PURE__ */ namedJsonFormat('react', 'models prompted as in ReAct', () => ({
  grammar: {
    opens: ['Action:'],
    header: /^Action:[ \t]*(?<name>[^\s{}]+)[ \t]*\r?\n\s*Action Input:$/,
    separators: ['Action Input:'],
    ends: ['Observation:'],
  },
  otherMarks: [],
  writeCall: ({ name, args }) => `Action: ${name}\nAction Input: ${args}`,
  joinCalls: calls => calls.join('\n'),
  resultsForm: between('Observation: ', ''),
}))
