import { yamlCalls } from '../engine/yaml/yaml-calls.js'
import { escapeTags } from '../writing/json-text.js'
import { writeYamlEntries } from '../writing/yaml-writer.js'
import { elementTemplates } from './element-protocol.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * Creates a protocol for any model that writes YAML well. A call is an element: its tag is the
 * tool's name, and its text is the arguments as YAML:
 *
 *     <write_file>
 *     path: src/a.ts
 *     tags:
 *       - new
 *     content: |
 *       if (a < b && c) return '</p>'
 *     </write_file>
 *
 * The schema decides the type of a value, not its spelling. Text of several lines is a block: it
 * needs no escapes, and it cannot end the call because it is indented. Text that neither a block nor
 * a plain scalar can express is a JSON string, which is YAML too.
 *
 * @example
 * ```ts
 * import { createToolMiddleware, yamlXmlProtocol } from '@toolglot/parser'
 *
 * export const middleware = createToolMiddleware({ protocol: yamlXmlProtocol() })
 * ```
 */
export function yamlXmlProtocol(): EngineProtocol {
  return formatProtocol({
    grammar: yamlCalls,
    howTo: () => yamlInstructions,
    ...elementTemplates,
    writeArgs: ({ args, text }) =>
      args ? writeYamlEntries(args, 0).join('\n') : text && escapeTags(text),
    // After a block, an undeclared key would be read as a line of the block.
    isReadBack: true,
  })
}

const yamlInstructions = `To call a function, write an XML element whose tag is the function's name and whose content is the arguments as YAML:

<function_name>
some_text: value
some_list:
  - first
  - second
long_text: |
  First line, as it is: "no escapes", # no comment
    second line
</function_name>

Write text of several lines as a block after |, indented by two spaces. Put each tag on its own line, without indentation. For several calls, write several elements one after the other.`
