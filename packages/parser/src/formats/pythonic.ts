import type { JsonMarks } from '../engine/json/json-calls.js'
import { bareList, pythonicCalls } from '../engine/json/python-calls.js'
import {
  type FormatDefinition,
  type FormatTemplates,
  formatProtocol,
} from '../protocols/format-protocol.js'
import type { EngineProtocol } from '../protocols/protocol.js'
import { escapeMarks, spacedJson } from '../writing/json-text.js'
import { openAiTool } from '../writing/tool-prompt.js'
import { formatMaker } from './model-format.js'

/**
 * What tells one format of Python calls from another. Where they are no list in `calls` but lines,
 * no bare list is read.
 */
interface PythonicForm extends FormatTemplates, Pick<FormatDefinition, 'calls'> {
  /** Other marks that are read. */
  readonly others?: readonly JsonMarks[]
  /** What is said before the tools, and before the example of calls. */
  readonly words?: readonly [tools: string, calls: string]
  /** Text stands in single quotes, as Python itself would write it. */
  readonly isSingleQuoted?: boolean
}

/** JSON as a Python literal. The escapes that we write in strings mean the same in both. */
function pythonOf(json: string): string {
  const tokens = /"(?:[^"\\]|\\.)*"|true|false|null/g
  return json.replace(tokens, token => pythonConstants[token] ?? JSON.stringify(JSON.parse(token)))
}

const pythonConstants: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
}

/** A JSON string in single quotes. */
function singleQuoted(json: string): string {
  const text = json
    .slice(1, -1)
    .replace(/\\.|'/g, token => (token === '\\"' ? '"' : token === "'" ? "\\'" : token))
  return `'${text}'`
}

function pythonicProtocol(form: PythonicForm): EngineProtocol {
  const {
    calls = '[$calls]',
    others = [],
    isSingleQuoted = false,
    words: [before, behind] = listWords,
  } = form
  const isList = calls.includes('[$calls]')
  const [open = '', close = ''] = calls.split(isList ? '[$calls]' : '$calls')
  const ways = open ? [{ open, close }, ...others] : others
  const marks = ways.flatMap(way => [way.open, way.close])
  const writeArgument = ([key, value]: [string, unknown]) => {
    const json = pythonOf(spacedJson(value))
    const literal = isSingleQuoted && json.startsWith('"') ? singleQuoted(json) : json
    return /^[A-Za-z_]\w*$/.test(key)
      ? `${key}=${literal}`
      : `**{${JSON.stringify(key)}: ${literal}}`
  }
  return formatProtocol({
    toolsForm: { list: '[$tools]' },
    ...form,
    grammar: pythonicCalls(isList ? [...ways, bareList] : ways),
    call: '$name($args)',
    notInName: /[\s()[\]{}<>"'`,;:=|]+/g,
    writeArgs: ({ args, json, text }) => {
      // Text that holds numbers which a value would round is not taken apart.
      const written = args
        ? Object.entries(args).map(writeArgument).join(', ')
        : `**${pythonOf(json)}`
      return escapeMarks(text ?? written, marks)
    },
    calls,
    joint: isList ? ', ' : '\n',
    marks,
    howTo: sample => sample(['name_a', { key: 'text', other: 5 }], ['name_b', {}]),
    prompt: ({ tools, howTo }) => `${before}${tools}\n\n${behind}\n${howTo}\n${rules}`,
  })
}

const pythonicFormat = /* @__PURE__ */ formatMaker('pythonic', pythonicProtocol)

const rules =
  'Write values as Python does: text in quotes, True, False, None, lists and dictionaries. Name every argument. Call only functions that are listed. Then stop and wait for the results. When no function is needed, just answer.'

const listWords = [
  'These are the functions that you can call, in JSON:\n',
  'To call functions, answer with nothing but a list of calls:',
] as const

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
    { open: '```tool_code', close: '```' },
    { open: '```python', close: '```', isWeakMark: true },
  ],
  result: '<tool_response>\n$content</tool_response>',
}))
