import { elementCalls } from '../engine/tags/tool-tags.js'
import { anyObjectShape, JsonType, type Shape } from '../engine/values/shape.js'
import { checkOptionNames } from '../options/check-options.js'
import { elementWriter, isClearText } from '../writing/element-writer.js'
import { escapeTags, resultMarks } from '../writing/json-text.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/** The options of `morphXmlProtocol`. */
export interface MorphXmlProtocolOptions {
  /** JSON Schemas by tool name. Arguments are typed by these instead of the tools' own schemas. */
  readonly originalToolSchemas?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Creates a protocol for any model that writes XML well. A call is an element: its tag is the tool's
 * name, and its children are the arguments:
 *
 *     <write_file>
 *     <path>src/a.ts</path>
 *     <content>
 *     if (a < b && c) return '</p>'
 *     </content>
 *     <tags><item>new</item><item>draft</item></tags>
 *     </write_file>
 *
 * Strings are raw text: nothing is escaped or unescaped. Two things cannot be raw text:
 * - A string that contains its own close tag, or that looks like a number where the schema allows
 *   both: `<![CDATA[5]]>`.
 * - An object with a key that is not a tag name: `{"a b": 1}`. It is written as JSON.
 *
 * @example
 * ```ts
 * import { createToolMiddleware, morphXmlProtocol } from '@toolglot/parser'
 *
 * export const middleware = createToolMiddleware({ protocol: morphXmlProtocol() })
 * ```
 */
export function morphXmlProtocol(options: MorphXmlProtocolOptions = {}): EngineProtocol {
  checkOptionNames('morphXmlProtocol', options, { originalToolSchemas: true })
  return formatProtocol({
    grammar: elementCalls,
    originalToolSchemas: options.originalToolSchemas,
    howTo: () => elementInstructions,
    ...elementTemplates,
    writeArgs: ({ args, text }, shape = anyObjectShape, { name }) =>
      args ? childrenWriter(name)(args, shape)?.join('\n') : text && escapeTags(text),
    // A call with an undeclared parameter may not be read as a call: it is then written as JSON.
    isReadBack: true,
  })
}

/** Templates of formats whose call is an element with the name of the tool: `<get_weather>…`. */
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
    writeElementText(text, shape, [`<${tag}`, `</${tag}`, `</ ${tag}`, `</${toolName}`]),
  )

function writeElementText(text: string, shape: Shape, marks: readonly string[]): string {
  const isPlain = shape.types === JsonType.string
  if (text === '' && isPlain) return ''
  const isSafe = !marks.some(mark => text.includes(mark)) && !/^\s*(?:<!\[CDATA\[|$)/.test(text)
  // `5`, `true`, `{"a":1}`, `<b>`: where the schema allows more than strings, the reader would not
  // read these as strings.
  if (!isSafe || !(isPlain || (isClearText(text) && !text.startsWith('<')))) return cdata(text)
  return asBlock(text.startsWith('\n') || (isPlain && text.includes('\n')), text)
}

const asBlock = (isBlock: boolean, text: string) => (isBlock ? `\n${text}\n` : text)

const cdata = (text: string) =>
  `<![CDATA[${asBlock(text.startsWith('\n'), text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
