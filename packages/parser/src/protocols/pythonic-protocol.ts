import type { JsonMarks } from '../engine/json/json-calls.js'
import { bareList, pythonicCalls } from '../engine/json/python-calls.js'
import { escapeMarks, spacedJson } from '../writing/json-text.js'
import type { FormatDefinition, FormatTemplates } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

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

export function pythonicProtocol(form: PythonicForm): EngineProtocol {
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

export const rules =
  'Write values as Python does: text in quotes, True, False, None, lists and dictionaries. Name every argument. Call only functions that are listed. Then stop and wait for the results. When no function is needed, just answer.'

export const listWords = [
  'These are the functions that you can call, in JSON:\n',
  'To call functions, answer with nothing but a list of calls:',
] as const
