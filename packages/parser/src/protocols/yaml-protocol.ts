import { yamlCalls } from '../engine/yaml/yaml-calls.js'
import { escapeTags, spacedJson } from '../writing/json-text.js'
import { elementTemplates } from './element-protocol.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * One element a call; the tag is the tool's name, the arguments are YAML:
 *
 *     <write_file>
 *     path: src/a.ts
 *     tags:
 *       - new
 *     content: |
 *       if (a < b && c) return '</p>'
 *     </write_file>
 *
 * Models: any that writes YAML well; by prompting only. What a value is the schema says, and not
 * how it looks. Text of several lines is a block, which needs no escapes and cannot end the call,
 * since it is indented. What a block or a plain scalar cannot say is a JSON string, which is YAML
 * too.
 */
export function yamlXmlProtocol(): EngineProtocol {
  return formatProtocol({
    grammar: yamlCalls,
    howTo: () => yamlInstructions,
    ...elementTemplates,
    writeArgs: ({ args, text }) =>
      args ? writeYamlEntries(args, 0).join('\n') : text && escapeTags(text),
    // Behind a block a key that nobody declares is taken for a line of it.
    isReadBack: true,
  })
}

const yamlInstructions = `To call a function, write an XML element whose tag is the function's name, with the arguments in it as YAML:

<function_name>
some_text: value
some_list:
  - first
  - second
long_text: |
  First line, as it is: "no escapes", # no comment
    second line
</function_name>

Write text of several lines as a block behind |, indented by two spaces. Each tag stands in a line of its own, and is not indented. For several calls write several elements, one after the other.`

/** Deeper than this, values are JSON: the indentation would take more than the values. */
const MAX_BLOCK_DEPTH = 16

const plainKeyPattern = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u

/** The lines of a mapping or a list, each without the indentation of the whole. */
function writeYamlEntries(value: object, depth: number): string[] {
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, each]) => {
    const [first, ...rest] =
      isList && Array.isArray(each) ? [` ${spacedJson(each)}`] : writeValue(each, depth)
    const [second = '', ...others] = rest
    // A mapping begins in the line of its dash.
    if (isList && first === '') return [`- ${second.slice(2)}`, ...others]
    const name = plainKeyPattern.test(key) ? key : escapeTags(JSON.stringify(key))
    return [(isList ? '-' : `${name}:`) + first, ...rest]
  })
}

/** What stands behind a key or a dash, with the space before it; and the lines below it. */
function writeValue(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return writeYamlString(value)
  const isStructure = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isStructure || depth === MAX_BLOCK_DEPTH) return [` ${spacedJson(value)}`]
  return ['', ...writeYamlEntries(value, depth + 1).map(indented)]
}

const indented = (line: string) => (line === '' ? '' : `  ${line}`)

/** Characters that are better escaped: controls, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/u
const plainText = /^(?:[\p{L}_/]|\.{1,2}\/)/u
/** What a plain scalar cannot hold, or might be taken for something else with. */
const unplain = /:(?:\s|$)|\s#|<\/|\s$|^(?:true|false|null|none|yes|no|on|off|nan|infinity)$/iu

function writeYamlString(text: string): string[] {
  const lines = text.split('\n')
  const hasText = lines.some(line => line !== '')
  if (
    lines.length > 1 &&
    hasText &&
    !lines.some(line => unprintable.test(line.replaceAll('\t', '')))
  ) {
    const breaks = lines.length - 1 - lines.findLastIndex(line => line !== '')
    const sign = breaks === 0 ? '-' : breaks === 1 ? '' : '+'
    // Without the digit the first line tells how far the block is indented.
    const digit = /^[\n\s]/.test(text) ? '2' : ''
    return [` |${digit}${sign}`, ...lines.slice(0, breaks ? -1 : lines.length).map(indented)]
  }
  const isPlain = plainText.test(text) && !unplain.test(text) && !unprintable.test(text)
  return [` ${isPlain ? text : JSON.stringify(text)}`]
}
