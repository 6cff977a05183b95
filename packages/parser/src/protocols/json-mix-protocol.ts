import { type JsonMarks, jsonCalls } from '../engine/bodies/json-body.js'
import type { ToolCall, ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { defineProtocol } from './define-protocol.js'
import { functionPrompt, hideMarks, readCallInput, spacedJson, toolAsJson } from './text-forms.js'
import type { EngineProtocol, ToolSystemPromptTemplate } from './tool-call-protocol.js'

/**
 * JSON between marks, mixed with text:
 *
 *     Let me look.
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 *
 * Models: Hermes 2/3/4, Qwen 2.5 and 3, Granite 4, EXAONE 4, Reka and many more; with other marks nearly any model.
 * Quirks that are read: a list of calls or several objects between one pair of marks, `parameters` for `arguments`,
 * arguments as a JSON string, the name behind the arguments, an OpenAI `{"type": "function", "function": …}` around it, a
 * missing end mark, a brace too many, and all that the tolerant JSON reader takes.
 */
export interface JsonMixProtocolOptions {
  readonly toolCallStart?: string | undefined
  readonly toolCallEnd?: string | undefined
  readonly toolResponseStart?: string | undefined
  readonly toolResponseEnd?: string | undefined
  /** Marks that are read as well, but never written. */
  readonly otherMarks?: readonly JsonMarks[] | undefined
}

export function jsonMixProtocol({
  toolCallStart = '<tool_call>',
  toolCallEnd = '</tool_call>',
  toolResponseStart = '<tool_response>',
  toolResponseEnd = '</tool_response>',
  otherMarks = [],
}: JsonMixProtocolOptions = {}): EngineProtocol {
  if (toolCallStart.trim() === '') {
    throw new TypeError(
      'jsonMixProtocol: toolCallStart is empty; give the text that opens a call, such as "<tool_call>".',
    )
  }
  // Space and line breaks around a mark are for the eye; models write them as they like.
  const marks = [toolCallStart, toolCallEnd, toolResponseStart, toolResponseEnd]
    .map(mark => mark.trim())
    .filter(Boolean)
  const wrap = (start: string, json: string, end: string) =>
    `${start.trimEnd()}\n${hideMarks(json, marks)}${end.trim() ? `\n${end.trimStart()}` : ''}`

  return defineProtocol({
    grammar: jsonCalls({ open: toolCallStart.trim(), close: toolCallEnd.trim() }, ...otherMarks),
    renderTools: tools => tools.map(toolAsJson).join('\n'),
    toolSystemPromptTemplate: jsonMixPrompt({ toolCallStart, toolCallEnd }),
    formatToolCall(toolCall: ToolCall) {
      const input = readCallInput(toolCall)
      const args = 'json' in input ? input.json : JSON.stringify(input.text)
      return wrap(toolCallStart, `{"name": ${JSON.stringify(toolCall.toolName)}, "arguments": ${args}}`, toolCallEnd)
    },
    formatToolResponse({ toolName, output }: ToolResult) {
      const { value, isError } = readToolOutput(output)
      return wrap(
        toolResponseStart,
        spacedJson({ name: toolName, ...(isError ? { error: value } : { content: value }) }),
        toolResponseEnd,
      )
    },
  })
}

/** The prompt for any pair of marks. */
function jsonMixPrompt({
  toolCallStart,
  toolCallEnd,
}: {
  toolCallStart: string
  toolCallEnd: string
}): ToolSystemPromptTemplate {
  const call = (name: string, args: string) =>
    `${toolCallStart.trimEnd()}\n{"name": ${name}, "arguments": ${args}}\n${toolCallEnd.trimStart()}`
  return tools =>
    functionPrompt({
      tools,
      howTo: `To call a function, write a JSON object with its name and its arguments between these marks, exactly like this:

${call('"function_name"', '{"parameter": "value"}')}

For several calls write several such blocks, one after the other.`,
    })
}
