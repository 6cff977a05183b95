import { yamlCalls } from '../engine/yaml/yaml-calls.js'
import { escapeTags } from '../writing/json-text.js'
import { writeYamlEntries } from '../writing/yaml-writer.js'
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
