import type { NamedJsonGrammar } from '../../engine/bodies/named-json-body.js'
import type { FunctionTool } from '../../sdk/parts.js'
import { spacedJson, toolAsJson, toolFields } from '../text-forms.js'
import { toolLines } from '../tool-forms.js'
import { namedJsonFormat } from './named-json-protocol.js'

const SEP = '<｜tool▁sep｜>'

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
const otherMarks = [
  '<｜tool▁outputs▁begin｜>',
  '<｜tool▁outputs▁end｜>',
  '<｜tool▁output▁begin｜>',
  '<｜tool▁output▁end｜>',
  SEP,
  '<｜end▁of▁sentence｜>',
]
/**
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
 *     ```json
 *     {"city": "Paris"}
 *     ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Models: DeepSeek V3, V3-0324, R1 and its distillations. Quirks that are read: a missing section, fence or end, marks written
 * with `_` or a space, and the form of V3.1.
 */
export const deepseekV3 = /* @__PURE__ */ namedJsonFormat(
  {
    id: 'deepseek_v3',
    aliases: ['deepseekv3'],
    family: 'DeepSeek V3 and R1',
    models: /deepseek-(?:chat-)?(?:v3(?!\.\d)|r1)/,
  },
  () => ({
    grammar,
    otherMarks,
    writeCall: ({ name, args }) =>
      `<｜tool▁call▁begin｜>function${SEP}${name}\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>`,
    joinCalls: calls => `<｜tool▁calls▁begin｜>${calls.join('\n')}<｜tool▁calls▁end｜>`,
    writeResult: ({ content }) => `<｜tool▁output▁begin｜>${content}<｜tool▁output▁end｜>`,
    joinResults: results => `<｜tool▁outputs▁begin｜>${results.join('\n')}<｜tool▁outputs▁end｜>`,
    toolsForm: {
      heading: '## Tools',
      open: '### Function\n\n',
      close: '',
      show: toolLines(tool => `\`\`\`json\n${toolAsJson(tool)}\n\`\`\``, '\n\n'),
    },
  }),
)

function describeTool(tool: FunctionTool): string {
  const { name, description = '', parameters = {} } = toolFields(tool)
  return `### ${name}\nDescription: ${description}\n\nParameters: ${spacedJson(parameters)}`
}

/**
 *     <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
 *
 * Models: DeepSeek V3.1, V3.1-Terminus, V3.2-Exp. Quirks that are read: as above, and the form of V3.
 */
export const deepseekV31 = /* @__PURE__ */ namedJsonFormat(
  {
    id: 'deepseek_v3_1',
    aliases: ['deepseek_v31', 'deepseekv31'],
    family: 'DeepSeek V3.1 and V3.2-Exp',
    models: /deepseek-(?:chat-)?v3\.(?:1|2-exp)/,
  },
  () => ({
    grammar,
    otherMarks,
    writeCall: ({ name, args }) => `<｜tool▁call▁begin｜>${name}${SEP}${args}<｜tool▁call▁end｜>`,
    joinCalls: calls => `<｜tool▁calls▁begin｜>${calls.join('')}<｜tool▁calls▁end｜>`,
    writeResult: ({ content }) => `<｜tool▁output▁begin｜>${content}<｜tool▁output▁end｜>`,
    joinResults: results => results.join(''),
    // The chat template shows no tools; this is the form that the model's card asks for.
    toolsForm: { heading: '## Tools', open: '', close: '', show: toolLines(describeTool, '\n\n') },
  }),
)
