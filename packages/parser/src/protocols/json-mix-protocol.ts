import { type JsonMarks, jsonCalls, outerJsonCalls } from '../engine/bodies/json-body.js'
import type { ToolCall, ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { defineProtocol, type ProtocolDefinition } from './define-protocol.js'
import { functionPrompt, hideMarks, readCallInput, spacedJson, toolAsJson } from './text-forms.js'
import type { EngineProtocol } from './tool-call-protocol.js'

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
export interface JsonMixProtocolOptions extends Pick<ProtocolDefinition, 'reasoning' | 'silent'> {
  readonly toolCallStart?: string | undefined
  readonly toolCallEnd?: string | undefined
  readonly toolResponseStart?: string | undefined
  readonly toolResponseEnd?: string | undefined
  /** What may stand in place of `toolCallEnd`, such as the end of a turn. */
  readonly otherEnds?: readonly string[] | undefined
  /** Marks that are read as well, but never written. */
  readonly otherMarks?: readonly JsonMarks[] | undefined
  /** How the calls of one message stand together: each between marks of its own, in one list, or in lines of one block. */
  readonly grouping?: 'each' | 'list' | 'lines' | undefined
  /** What stands between a mark and the JSON. */
  readonly gap?: string | undefined
  /** The call as an object, where that is not `{ name, arguments }`. */
  readonly envelope?: JsonEnvelope | undefined
  /** Calls without marks are read too: a model whose marks are special tokens loses them on the way. */
  readonly isBareRead?: boolean | undefined
  /** Names by which the model says that it calls nothing. */
  readonly noCallNames?: readonly string[] | undefined
  /** The prompt, made of the tools (JSON, one a line) and of how to call one. */
  readonly prompt?: ((parts: { readonly tools: string; readonly howTo: string }) => string) | undefined
}

/** How a call is written as an object. */
export type JsonEnvelope =
  | { readonly nameKey: string; readonly argumentsKey: string; readonly idKey?: string | undefined }
  | 'keyed-by-name'

export function jsonMixProtocol({
  toolCallStart = '<tool_call>',
  toolCallEnd = '</tool_call>',
  toolResponseStart = '<tool_response>',
  toolResponseEnd = '</tool_response>',
  otherEnds: otherCloses,
  otherMarks = [],
  grouping = 'each',
  gap = '\n',
  envelope = { nameKey: 'name', argumentsKey: 'arguments' },
  isBareRead = false,
  noCallNames,
  prompt = functionPrompt,
  reasoning,
  silent,
}: JsonMixProtocolOptions = {}): EngineProtocol {
  const open = toolCallStart.trim()
  const close = toolCallEnd.trim()
  if (open === '' && !isBareRead) {
    throw new TypeError(
      'jsonMixProtocol: toolCallStart is empty; give the text that opens a call, such as "<tool_call>".',
    )
  }
  // Space and line breaks around a mark are for the eye; models write them as they like.
  const marks = [open, close, toolResponseStart.trim(), toolResponseEnd.trim()].filter(Boolean)
  const wrap = (start: string, json: string, end: string) =>
    [start.trimEnd(), hideMarks(json, marks), end.trimStart()].filter(Boolean).join(gap)
  const wrapCalls = (calls: readonly string[]) => {
    const json = grouping === 'list' ? `[${calls.join(', ')}]` : calls.join('\n')
    return wrap(toolCallStart, json, toolCallEnd)
  }
  const isKeyedByName = envelope === 'keyed-by-name'
  const writeCall = (name: string, args: string, id: string) => {
    if (envelope === 'keyed-by-name') return `{${name}: ${args}}`
    const { nameKey, argumentsKey, idKey } = envelope
    return `{${idKey ? `"${idKey}": ${id}, ` : ''}"${nameKey}": ${name}, "${argumentsKey}": ${args}}`
  }
  const callAsJson = (toolCall: ToolCall, i = 0) => {
    const input = readCallInput(toolCall)
    const args = 'json' in input ? input.json : JSON.stringify(input.text)
    return writeCall(JSON.stringify(toolCall.toolName), args, JSON.stringify(toolCall.toolCallId || String(i)))
  }
  const ways = [{ open, close, otherCloses }, ...otherMarks].filter(way => way.open !== '')
  const marked = jsonCalls(...ways.map(way => ({ ...way, isKeyedByName, noCallNames })))
  const resultKey = envelope !== 'keyed-by-name' && envelope.idKey

  return defineProtocol({
    reasoning,
    silent,
    grammar: isBareRead ? context => [...marked(context), ...outerJsonCalls(context)] : marked,
    renderTools: tools => tools.map(toolAsJson).join('\n'),
    toolSystemPromptTemplate: tools => {
      const call = writeCall('"function_name"', '{"parameter": "value"}', '"0"')
      return prompt({ tools, howTo: howTo({ example: wrapCalls([call]), grouping, hasMarks: open !== '' }) })
    },
    formatToolCall: toolCall => wrapCalls([callAsJson(toolCall)]),
    formatToolCalls:
      grouping === 'each' ? undefined : toolCalls => (toolCalls.length ? wrapCalls(toolCalls.map(callAsJson)) : ''),
    formatToolResponse({ toolCallId, toolName, output }: ToolResult) {
      const { value, isError } = readToolOutput(output)
      const id = resultKey ? { [resultKey]: toolCallId } : {}
      const result = spacedJson({ ...id, name: toolName, ...(isError ? { error: value } : { content: value }) })
      return wrap(toolResponseStart, result, toolResponseEnd)
    },
  })
}

/** How a call is made, for any marks and any grouping. */
function howTo({
  example,
  grouping,
  hasMarks,
}: {
  readonly example: string
  readonly grouping: 'each' | 'list' | 'lines'
  readonly hasMarks: boolean
}): string {
  const place = hasMarks ? ' between these marks' : ' and nothing else'
  const several = {
    each: `For several calls write several such ${hasMarks ? 'blocks' : 'objects'}, one after the other.`,
    list: 'For several calls put several such objects into the one list.',
    lines: 'For several calls put several such objects into the one block, each in a line of its own.',
  }
  const what = grouping === 'list' ? 'a JSON list of objects with' : 'a JSON object with'
  const whose = grouping === 'list' ? "a function's name and its arguments" : 'its name and its arguments'
  return `To call a function, write ${what} ${whose}${place}, exactly like this:

${example}

${several[grouping]}`
}
