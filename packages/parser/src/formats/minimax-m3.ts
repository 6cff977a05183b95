import { mixedCalls } from '../engine/tags/mixed-calls.js'
import { elementOrParameterCalls } from '../engine/tags/parameter-tags.js'
import { formatProtocol } from '../protocols/format-protocol.js'
import { elementWriter } from '../writing/element-writer.js'
import { formatMaker } from './model-format.js'

/** The token before every tag. */
const TOKEN = ']<]minimax[>['

const writeChildren = /* @__PURE__ */ elementWriter(TOKEN, text => text)

const withTokens = (xml: string) => xml.replaceAll('<', `${TOKEN}<`)

/**
 *     ]<]minimax[>[<tool_call>
 *     ]<]minimax[>[<invoke name="get_weather">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[</invoke>
 *     ]<]minimax[>[</tool_call>
 *
 * A token comes before every tag. Strings are raw text. Objects and lists are elements; the items
 * of a list have the tag `item`. Also read: missing ends, a call without its section, JSON in place
 * of elements. Values that elements cannot express are written as JSON.
 */
export const minimaxM3 = /* @__PURE__ */ formatMaker('element', formatProtocol)(
  'minimax_m3',
  () => ({
    writtenBy: ['MiniMax M3', /minimax-m3/],
    otherForms: mixedCalls,
    grammar: elementOrParameterCalls({
      section: { open: `${TOKEN}<tool_call>`, close: `${TOKEN}</tool_call>` },
      call: {
        open: `${TOKEN}<invoke name="`,
        nameEnd: '"',
        headEnd: '>',
        close: `${TOKEN}</invoke>`,
      },
      bracket: `${TOKEN}<`,
    }),
    toolsForm: { tool: '<tool>$function</tool>' },
    howTo: () => `To call functions, write all calls into one block, exactly in this form:

${withTokens(`<tool_call>
<invoke name="function_name"><parameter_1>value_1</parameter_1><parameter_2><item><key_a>a</key_a><key_b>b</key_b></item></parameter_2></invoke>
<invoke name="other_function"><parameter_1>value_1</parameter_1></invoke>
</tool_call>`)}

Write text as it is. An object is one element for each of its keys, a list one <item> element for each member.`,
    call: withTokens('<invoke name="$name">$args</invoke>'),
    writeArgs: ({ args }, shape) => args && shape && writeChildren(args, shape)?.join(''),
    isReadBack: true,
    calls: withTokens('<tool_call>\n$calls\n</tool_call>'),
    joint: '\n',
    result: '<response>$content</response>',
    reasoning: [{ opens: ['<mm:think>'], closes: ['</mm:think>'] }],
  }),
)
