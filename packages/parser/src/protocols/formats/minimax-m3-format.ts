import { envelopedElementCalls } from '../../engine/bodies/element-body.js'
import { ANY_KIND, Kind, type Shape } from '../../engine/shape.js'
import { isRecord } from '../../schema/is-record.js'
import type { ToolCall } from '../../sdk/parts.js'
import { defineProtocol } from '../define-protocol.js'
import type { ModelFormat } from '../model-format.js'
import { isClearText, writeRawJson } from '../raw-value.js'
import { resultsWriter } from '../result-forms.js'
import { hideTags, readCallInput } from '../text-forms.js'
import type { FormatContext } from '../tool-call-protocol.js'
import { plainTool, toolLines, toolsWriter } from '../tool-forms.js'
import { createToolShapes } from '../tool-shapes.js'

/** Stands before every tag. */
const TOKEN = ']<]minimax[>['
const open = (tag: string) => `${TOKEN}<${tag}>`
const close = (tag: string) => `${TOKEN}</${tag}>`

/**
 *     ]<]minimax[>[<tool_call>
 *     ]<]minimax[>[<invoke name="search">]<]minimax[>[<query>hats]<]minimax[>[</query>]<]minimax[>[<tags>]<]minimax[>[<item>new]<]minimax[>[</item>]<]minimax[>[</tags>]<]minimax[>[</invoke>
 *     ]<]minimax[>[</tool_call>
 *
 * Models: MiniMax M3. Strings are raw; objects are elements, and so are lists, whose members have the tag `item`. Quirks that are
 * read: missing ends, a call without its section, JSON in place of elements. What elements cannot say is written as JSON.
 */
export const minimaxM3: ModelFormat = {
  id: 'minimax_m3',
  family: 'MiniMax M3',
  models: /minimax-m3/,
  grammar: 'element',
  create() {
    const results = resultsWriter({ write: ({ content }) => `<response>${content}</response>`, marks: ['</response'] })
    return defineProtocol({
      grammar: envelopedElementCalls(
        { bracket: `${TOKEN}<`, isVerbatim: true },
        { tag: 'invoke', attribute: 'name', section: 'tool_call' },
      ),
      ...toolsWriter(
        { show: toolLines(tool => `<tool>${plainTool(tool)}</tool>`) },
        () => `To call functions, write all calls into one block, exactly in this form:

${wrap([
  writeInvoke(
    'function_name',
    `${element('parameter_1', 'value_1')}${element('parameter_2', element('item', `${element('key_a', 'a')}${element('key_b', 'b')}`))}`,
  ),
  writeInvoke('other_function', element('parameter_1', 'value_1')),
])}

Write text as it is. An object is one element for each of its keys, a list one <item> element for each member.`,
      ),
      formatToolCall: (toolCall, context) => wrap([writeCall(toolCall, context)]),
      formatToolCalls: (toolCalls, context) => wrap(toolCalls.map(toolCall => writeCall(toolCall, context))),
      ...results,
      reasoning: [{ opens: ['<mm:think>'], closes: ['</mm:think>'] }],
    })
  },
}

const element = (tag: string, content: string) => `${open(tag)}${content}${close(tag)}`
const writeInvoke = (toolName: string, content: string) =>
  `${TOKEN}<invoke name="${toolName}">${content}${close('invoke')}`
const wrap = (calls: readonly string[]) => [open('tool_call'), ...calls, close('tool_call')].join('\n')

function writeCall(toolCall: ToolCall, { tools = [] }: FormatContext): string {
  const { toolName } = toolCall
  const input = readCallInput(toolCall)
  if ('text' in input) return writeInvoke(toolName, hideTags(JSON.stringify(input.text)))
  const isKnown = input.isExact && tools.some(tool => tool.name === toolName)
  const children =
    isKnown && isRecord(input.value) ? writeChildren(input.value, createToolShapes(tools).shapeOf(toolName)) : undefined
  return writeInvoke(toolName, children ?? hideTags(input.json))
}

const tagName = /^[\p{L}_][\p{L}\p{N}_.-]*$/u

/** One element for each key; undefined where one of them cannot be written as such. */
function writeChildren(value: Record<string, unknown>, shape: Shape): string | undefined {
  let text = ''
  for (const [key, each] of Object.entries(value)) {
    if (each === undefined) continue
    const content = tagName.test(key) && key !== 'invoke' ? writeValue(each, shape.property(key)) : undefined
    if (content === undefined) return undefined
    text += element(key, content)
  }
  return text
}

/** What stands between the tags of a value; undefined where that would be read as something else. */
function writeValue(value: unknown, shape: Shape): string | undefined {
  const { kinds } = shape
  if (typeof value === 'string')
    return kinds === Kind.string && !value.includes(TOKEN) ? value : clearText(value, kinds)
  if (Array.isArray(value) && value.length && kinds === Kind.array) {
    const items = value.map((item, i) => writeValue(item ?? null, shape.item(i)))
    return items.includes(undefined) ? undefined : items.map(item => element('item', item ?? '')).join('')
  }
  if (isRecord(value) && kinds === Kind.object) {
    const children = writeChildren(value, shape)
    if (children) return children
  }
  return writeRawJson(value, shape)
}

/** A text where something else may stand too: it must not look like that. */
function clearText(text: string, kinds: number): string | undefined {
  return kinds & Kind.string && kinds !== ANY_KIND && isClearText(text) && !text.includes(TOKEN) ? text : undefined
}
