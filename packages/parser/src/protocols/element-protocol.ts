import { elementCalls } from '../engine/tags/elements.js'
import { anyObjectShape, JsonType, type Shape } from '../engine/values/shape.js'
import { checkOptionNames } from '../options/check-options.js'
import { elementWriter, isClearText } from '../writing/element-writer.js'
import { escapeTags, resultMarks } from '../writing/json-text.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * One element a call; the tag is the tool's name, the children are its arguments:
 *
 *     <write_file>
 *     <path>src/a.ts</path>
 *     <content>
 *     if (a < b && c) return '</p>'
 *     </content>
 *     <tags><item>new</item><item>draft</item></tags>
 *     </write_file>
 *
 * Models: any that writes XML well; by prompting only. Strings are raw, nothing is escaped and
 * nothing unescaped. What raw text cannot say (a string that holds its own close tag, or one that
 * looks like a number where the schema allows both) is written as `<![CDATA[…]]>`, and objects
 * whose keys are no tag names as JSON.
 */
export interface MorphXmlProtocolOptions {
  /** JSON Schemas that replace those of the tools, by tool name. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
}

export function morphXmlProtocol(options: MorphXmlProtocolOptions = {}): EngineProtocol {
  checkOptionNames('morphXmlProtocol', options, { originalToolSchemas: true })
  return formatProtocol({
    grammar: elementCalls,
    originalToolSchemas: options.originalToolSchemas,
    howTo: () => elementInstructions,
    ...elementTemplates,
    writeArgs: ({ args, text }, shape = anyObjectShape, { name }) =>
      args ? childrenWriter(name)(args, shape)?.join('\n') : text && escapeTags(text),
    // A tag that the schema forbids proves no call, and may be another tool's.
    isReadBack: true,
  })
}

/**
 * A call as an element named after the tool, a result as one that holds the tool's name and what
 * came out.
 */
export const elementTemplates = {
  call: '<$name>\n$args\n</$name>',
  joint: '\n',
  notInName: /[\s<>]+/g,
  result:
    '<tool_response>\n<tool_name>$name</tool_name>\n<result>\n$content\n</result>\n</tool_response>',
  errorResult:
    '<tool_response>\n<tool_name>$name</tool_name>\n<error>\n$content\n</error>\n</tool_response>',
  resultMarks,
}

const elementInstructions = `To call a function, write one XML element whose tag is the function's name, with one child element for each parameter:

<function_name>
<parameter_name>value</parameter_name>
</function_name>

Write text as it is, on several lines if needed, and escape nothing. Write a list as <item> elements, and an object as child elements. For several calls, write several elements one after the other.`

const childrenWriter = (toolName: string) =>
  elementWriter('', (text, shape, tag) =>
    writeElementText(text, shape, [`<${tag}`, `</${tag}`, `</${toolName}`]),
  )

function writeElementText(text: string, shape: Shape, marks: readonly string[]): string {
  const isPlain = shape.types === JsonType.string
  if (text === '' && isPlain) return ''
  const isSafe = !marks.some(mark => text.includes(mark)) && !/^\s*(?:<!\[CDATA\[|$)/.test(text)
  // Without a type to go by, what looks like a number, a constant, JSON or an element would be read
  // as one.
  if (!isSafe || !(isPlain || (isClearText(text) && !text.startsWith('<')))) return cdata(text)
  return asBlock(text.startsWith('\n') || (isPlain && text.includes('\n')), text)
}

const asBlock = (isBlock: boolean, text: string) => (isBlock ? `\n${text}\n` : text)

const cdata = (text: string) =>
  `<![CDATA[${asBlock(text.startsWith('\n'), text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
