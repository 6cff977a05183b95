import { type JsonMarks, jsonCalls, outerJsonCalls } from '../engine/bodies/json-body.js'
import type { FormatTraits } from './define-protocol.js'
import { type FormatForm, type FormatParts, formatProtocol } from './format-protocol.js'
import { formatMaker } from './model-format.js'
import { fillIn } from './text-forms.js'
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
export interface JsonMixProtocolOptions extends FormatTraits, Pick<FormatForm, 'toolsForm' | 'prompt'> {
  readonly toolCallStart?: string | undefined
  readonly toolCallEnd?: string | undefined
  readonly toolResponseStart?: string | undefined
  readonly toolResponseEnd?: string | undefined
  /** Marks that are read as well, but never written. */
  readonly otherMarks?: readonly JsonMarks[] | undefined
}

export function jsonMixProtocol(options: JsonMixProtocolOptions = {}): EngineProtocol {
  const { toolCallStart = '<tool_call>', toolCallEnd = '</tool_call>', ...others } = options
  const { toolResponseStart = '<tool_response>', toolResponseEnd = '</tool_response>' } = options
  if (toolCallStart.trim() === '') {
    throw new TypeError(
      'jsonMixProtocol: toolCallStart is empty; give the text that opens a call, such as "<tool_call>".',
    )
  }
  const lines = (...texts: readonly string[]) => texts.filter(text => text.trim() !== '').join('\n')
  return jsonProtocol({
    ...others,
    block: lines(toolCallStart.trimEnd(), '$json', toolCallEnd.trimStart()),
    result: lines(toolResponseStart.trimEnd(), '$content', toolResponseEnd.trimStart()),
    resultMarks: [toolResponseStart.trim(), toolResponseEnd.trim()].filter(Boolean),
  })
}

/** A format of JSON between marks, in templates. */
interface JsonForm extends Partial<FormatForm>, Pick<FormatParts, 'joint' | 'writeArgs'> {
  /** What stands around the `$json` of a call; or of all calls, where they stand together. Space around marks is for the eye. */
  readonly block?: string | undefined
  /** The call as an object. */
  readonly call?: string | undefined
  /** All `$calls` of one message together: a list in brackets, or lines. */
  readonly calls?: string | undefined
  /** What may stand in place of the mark that closes a call, such as the end of a turn. */
  readonly otherEnds?: readonly string[] | undefined
  /** Marks that are read as well, but never written. */
  readonly otherMarks?: readonly JsonMarks[] | undefined
  /** Calls without marks are read too: a model whose marks are special tokens loses them on the way. */
  readonly isBareRead?: boolean | undefined
  /** Names by which the model says that it calls nothing. */
  readonly noCallNames?: readonly string[] | undefined
}

/** Small models put a bare call into a fence. */
export const fence: JsonMarks = { open: '```json', close: '```', isWeak: true }

function jsonProtocol(form: JsonForm): EngineProtocol {
  const { block = '<tool_call>\n$json\n</tool_call>', call = '{"name": "$name", "arguments": $args}', calls } = form
  const { otherEnds: otherCloses, otherMarks = [], noCallNames } = form
  // Models write space and line breaks around a mark as they like.
  const [open = '', close = ''] = block.split('$json').map(mark => mark.trim())
  const isKeyedByName = call.startsWith('{"$name"')
  const ways = [{ open, close, otherCloses }, ...otherMarks].filter(way => way.open !== '')
  const marked = jsonCalls(...ways.map(way => ({ ...way, isKeyedByName, noCallNames })))
  const isBareRead = form.isBareRead ?? open === ''
  return formatProtocol({
    result: '<tool_response>\n$content\n</tool_response>',
    joint: calls?.startsWith('[') ? ', ' : '\n',
    ...form,
    grammar: isBareRead ? context => [...marked(context), ...outerJsonCalls(context)] : marked,
    call: calls ? call : fillIn(block, { json: call }),
    calls: calls && fillIn(block, { json: calls }),
    marks: [open, close].filter(Boolean),
    howTo: sample => howTo(sample(['function_name', '{"parameter": "value"}']), calls, open !== ''),
  })
}

export const jsonFormat = /* @__PURE__ */ formatMaker('json', jsonProtocol)

/** How a call is made, for any marks, and alone or together with others. */
function howTo(example: string, calls: string | undefined, hasMarks: boolean): string {
  const isList = calls?.startsWith('[')
  const what = isList
    ? "a JSON list of objects with a function's name and its arguments"
    : 'a JSON object with its name and its arguments'
  const several = calls
    ? `put several such objects into the one ${isList ? 'list' : 'block, each in a line of its own'}`
    : `write several such ${hasMarks ? 'blocks' : 'objects'}, one after the other`
  const place = hasMarks ? 'between these marks' : 'and nothing else'
  return `To call a function, write ${what} ${place}, exactly like this:\n\n${example}\n\nFor several calls ${several}.`
}
