import { type JsonMarks, jsonCalls, outerJsonCalls } from '../engine/bodies/json-body.js'
import type { ToolCall } from '../sdk/parts.js'
import type { FormatTraits } from './define-protocol.js'
import { formatProtocol, type ResultsForm } from './format-protocol.js'
import { formatMaker } from './model-format.js'
import { callArguments, hideMarks, type PromptParts, readCallInput } from './text-forms.js'
import type { EngineProtocol } from './tool-call-protocol.js'
import type { ToolsForm } from './tool-forms.js'

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
export interface JsonMixProtocolOptions extends FormatTraits {
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
  readonly gap?: string | readonly [before: string, behind: string] | undefined
  /** The call as an object, where that is not `{ name, arguments }`. */
  readonly envelope?: JsonEnvelope | undefined
  /** Calls without marks are read too: a model whose marks are special tokens loses them on the way. */
  readonly isBareRead?: boolean | undefined
  /** Names by which the model says that it calls nothing. */
  readonly noCallNames?: readonly string[] | undefined
  /** What stands between two calls. */
  readonly joint?: string | undefined
  /** What stands around a list of calls, where that is not just brackets. */
  readonly listMarks?: readonly [open: string, close: string] | undefined
  /** The calls are written over many lines, as `tojson(indent=4)` does. */
  readonly isIndented?: boolean | undefined
  /** How the tools are shown, where that is not one a line in `<tools>`. */
  readonly toolsForm?: ToolsForm | undefined
  /** How results are shown, where that is not as they are between their marks. */
  readonly resultsForm?: Partial<ResultsForm> | undefined
  /** The prompt, made of the tools and of how to call one. */
  readonly prompt?: ((parts: PromptParts) => string) | undefined
}

/** How a call is written as an object. */
export type JsonEnvelope =
  | {
      readonly nameKey: string
      readonly argumentsKey: string
      readonly idKey?: string | undefined
      /** The id stands behind the arguments. */
      readonly isIdLast?: boolean | undefined
    }
  | 'keyed-by-name'

export function jsonMixProtocol(options: JsonMixProtocolOptions = {}): EngineProtocol {
  const {
    toolCallStart = '<tool_call>',
    toolCallEnd = '</tool_call>',
    otherEnds: otherCloses,
    otherMarks = [],
  } = options
  const { toolResponseStart = '<tool_response>', toolResponseEnd = '</tool_response>', resultsForm } = options
  const { grouping = 'each', joint = grouping === 'list' ? ', ' : '\n', listMarks = ['[', ']'], gap = '\n' } = options
  const { envelope = { nameKey: 'name', argumentsKey: 'arguments' }, isBareRead = false, noCallNames } = options
  const open = toolCallStart.trim()
  const close = toolCallEnd.trim()
  if (open === '' && !isBareRead) {
    throw new TypeError(
      'jsonMixProtocol: toolCallStart is empty; give the text that opens a call, such as "<tool_call>".',
    )
  }
  const [before, behind] = typeof gap === 'string' ? [gap, gap] : gap
  // Space and line breaks around a mark are for the eye; models write them as they like.
  const marks = [open, close, toolResponseStart.trim(), toolResponseEnd.trim()].filter(Boolean)
  const wrap = (start: string, text: string, end: string, last = behind) =>
    [start.trim() && start.trimEnd() + before, text, end.trim() && last + end.trimStart()].join('')
  const wrapJson = (json: string) => wrap(toolCallStart, hideMarks(json, marks), toolCallEnd)
  const wrapCalls = (calls: readonly string[]) => {
    if (grouping === 'each') return calls.map(wrapJson).join(joint)
    return wrapJson(grouping === 'list' ? listMarks[0] + calls.join(joint) + listMarks[1] : calls.join(joint))
  }
  const isKeyedByName = envelope === 'keyed-by-name'
  const writeCall = (name: string, args: string, id: string) => {
    if (envelope === 'keyed-by-name') return `{${name}: ${args}}`
    const { nameKey, argumentsKey, idKey, isIdLast } = envelope
    const pairs = [`"${nameKey}": ${name}`, `"${argumentsKey}": ${args}`]
    if (idKey) pairs.splice(isIdLast ? pairs.length : 0, 0, `"${idKey}": ${id}`)
    return `{${pairs.join(', ')}}`
  }
  const callAsJson = (toolCall: ToolCall, i: number) => {
    const { toolName, toolCallId } = toolCall
    return writeCall(JSON.stringify(toolName), callArguments(toolCall), JSON.stringify(toolCallId || String(i)))
  }
  const isExact = (toolCall: ToolCall) => {
    const input = readCallInput(toolCall)
    return 'json' in input && input.isExact
  }
  const ways = [{ open, close, otherCloses }, ...otherMarks].filter(way => way.open !== '')
  const marked = jsonCalls(...ways.map(way => ({ ...way, isKeyedByName, noCallNames })))
  return formatProtocol({
    ...options,
    grammar: isBareRead ? context => [...marked(context), ...outerJsonCalls(context)] : marked,
    howTo: () => {
      const example = wrapCalls([writeCall('"function_name"', '{"parameter": "value"}', '"0"')])
      return howTo(example, grouping, open !== '')
    },
    writeCalls: toolCalls => {
      const calls = toolCalls.map(callAsJson)
      const isIndented = options.isIndented && toolCalls.every(isExact)
      return isIndented ? wrapJson(JSON.stringify(JSON.parse(`[${calls}]`), null, 4)) : wrapCalls(calls)
    },
    resultsForm: {
      write: ({ content }) => wrap(toolResponseStart, content, toolResponseEnd, before),
      ...resultsForm,
      marks: [...marks, ...(resultsForm?.marks ?? [])],
    },
  })
}

/** Small models put a bare call into a fence. */
export const fence: JsonMarks = { open: '```json', close: '```', isWeak: true }
/** The marks of calls, and of results. */
export const calls = (toolCallStart: string, toolCallEnd: string) => ({ toolCallStart, toolCallEnd })
export const results = (toolResponseStart: string, toolResponseEnd: string) => ({ toolResponseStart, toolResponseEnd })
export const bareCalls = { toolCallStart: '', toolCallEnd: '', isBareRead: true }
export const parametersEnvelope = { nameKey: 'name', argumentsKey: 'parameters' }

export const jsonFormat = /* @__PURE__ */ formatMaker('json', jsonMixProtocol)

/** How a call is made, for any marks and any grouping. */
function howTo(example: string, grouping: 'each' | 'list' | 'lines', hasMarks: boolean): string {
  const place = hasMarks ? 'between these marks' : 'and nothing else'
  const several = {
    each: `For several calls write several such ${hasMarks ? 'blocks' : 'objects'}, one after the other.`,
    list: 'For several calls put several such objects into the one list.',
    lines: 'For several calls put several such objects into the one block, each in a line of its own.',
  }
  const what =
    grouping === 'list'
      ? "a JSON list of objects with a function's name and its arguments"
      : 'a JSON object with its name and its arguments'
  return `To call a function, write ${what} ${place}, exactly like this:\n\n${example}\n\n${several[grouping]}`
}
