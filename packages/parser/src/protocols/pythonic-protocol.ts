import type { JsonMarks } from '../engine/json/json-calls.js'
import { bareList, pythonicCalls } from '../engine/json/python-calls.js'
import { escapeControlTokens } from '../writing/control-tokens.js'
import { escapeMarks, spacedJson } from '../writing/json-text.js'
import type { FormatDefinition, FormatTemplates } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * A format of Python calls. `calls` is a list, `[$calls]`, or lines, `$calls`. A list without marks is
 * read only in a format of lists.
 */
interface PythonicForm extends FormatTemplates, Pick<FormatDefinition, 'calls'> {
  /** Other marks that are read too, but never written. */
  readonly others?: readonly JsonMarks[]
  /** The sentences of the prompt before the tools, and before the example of calls. */
  readonly words?: readonly [tools: string, calls: string]
  /** Text is written in single quotes, as Python's `repr` writes it. */
  readonly isSingleQuoted?: boolean
}

/** Writes JSON as a Python literal. The escapes of JSON mean the same in Python. */
function pythonOf(json: string): string {
  const tokens = /"(?:[^"\\]|\\.)*"|true|false|null/g
  return json.replace(tokens, token => pythonConstants[token] ?? JSON.stringify(JSON.parse(token)))
}

const pythonConstants: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
}

/** Writes a JSON string in single quotes. */
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
    words: [toolsIntro, callsIntro] = listWords,
  } = form
  const isList = calls.includes('[$calls]')
  const [open = '', close = ''] = calls.split(isList ? '[$calls]' : '$calls')
  const markPairs = open ? [{ open, close }, ...others] : others
  const marks = markPairs.flatMap(pair => [pair.open, pair.close])
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
    grammar: pythonicCalls(isList ? [...markPairs, bareList] : markPairs),
    call: '$name($args)',
    notInName: /[\s()[\]{}<>"'`,;:=|]+/g,
    writeArgs: ({ args, json, text }) => {
      // `{"id": 12345678901234567890}` is text, because a JavaScript value would round the number.
      const written = args
        ? Object.entries(args).map(writeArgument).join(', ')
        : `**${pythonOf(json)}`
      return escapeMarks(escapeControlTokens(text ?? written), marks)
    },
    calls,
    joint: isList ? ', ' : '\n',
    marks,
    howTo: sample => sample(['name_a', { key: 'text', other: 5 }], ['name_b', {}]),
    prompt: ({ tools, howTo }) => `${toolsIntro}${tools}\n\n${callsIntro}\n${howTo}\n${rules}`,
  })
}

export const rules =
  'Write values as Python does: text in quotes, True, False, None, lists and dictionaries. Name every argument. Call only functions that are listed. Then stop and wait for the results. When no function is needed, just answer.'

export const listWords = [
  'These are the functions that you can call, in JSON:\n',
  'To call functions, answer with nothing but a list of calls:',
] as const
