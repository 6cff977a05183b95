import type { CallGrammar, Mark, MarkStrength } from '../engine/grammar.js'
import {
  type JsonMarks,
  jsonCallMark,
  jsonCalls,
  outerJsonCalls,
  outerUnmarkedJsonCalls,
} from '../engine/json/json-calls.js'
import { isSpecialToken } from '../engine/mark-strength.js'
import { namedMark } from '../engine/named-mark.js'
import { readNameBefore } from '../engine/text/read-marks.js'
import { checkOptionNames, type OptionNames } from '../options/check-options.js'
import type { FormatDefinition, FormatTemplates } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol, FormatExtras } from './protocol.js'

/** The options of `jsonMixProtocol`. */
export interface JsonMixProtocolOptions
  extends FormatExtras,
    Pick<JsonForm, 'toolsForm' | 'prompt' | 'otherMarks'> {
  /**
   * The mark that opens a call. It must not be empty.
   *
   * @default '<tool_call>'
   */
  readonly toolCallStart?: string | undefined
  /**
   * The mark that ends a call.
   *
   * @default '</tool_call>'
   */
  readonly toolCallEnd?: string | undefined
  /**
   * The mark before a result.
   *
   * @default '<tool_response>'
   */
  readonly toolResponseStart?: string | undefined
  /**
   * The mark after a result.
   *
   * @default '</tool_response>'
   */
  readonly toolResponseEnd?: string | undefined
}

/**
 * Creates a protocol whose calls are JSON between marks, as Hermes, Qwen, Granite 4 and many other
 * models write them:
 *
 *     Let me look.
 *     <tool_call>
 *     {"name": "get_weather", "arguments": {"city": "Paris"}}
 *     </tool_call>
 *
 * It also reads:
 * - a list of calls, or several objects, between one pair of marks
 * - `parameters` for `arguments`, arguments as a JSON string, a name after the arguments
 * - `{"type": "function", "function": {…}}` around the call
 * - a missing end mark, a brace too many, and other faults that the JSON reader repairs
 *
 * @example
 * ```ts
 * import { createToolMiddleware, jsonMixProtocol } from '@toolglot/parser'
 *
 * const protocol = jsonMixProtocol({ toolCallStart: '[CALL]', toolCallEnd: '[/CALL]' })
 *
 * export const middleware = createToolMiddleware({ protocol })
 * ```
 */
export function jsonMixProtocol(options: JsonMixProtocolOptions = {}): EngineProtocol {
  checkOptionNames('jsonMixProtocol', options, jsonMixOptionNames)
  const { toolCallStart = '<tool_call>', toolCallEnd = '</tool_call>', ...others } = options
  const { toolResponseStart = '<tool_response>', toolResponseEnd = '</tool_response>' } = options
  if (toolCallStart.trim() === '') {
    throw new TypeError(
      'jsonMixProtocol: toolCallStart is empty; give what opens a call, such as "<tool_call>".',
    )
  }
  const lines = (...texts: readonly string[]) => texts.filter(text => text.trim() !== '').join('\n')
  return createJsonProtocol({
    ...others,
    call: lines(toolCallStart.trimEnd(), envelope, toolCallEnd.trimStart()),
    result: lines(toolResponseStart.trimEnd(), '$content', toolResponseEnd.trimStart()),
    resultMarks: [toolResponseStart.trim(), toolResponseEnd.trim()].filter(Boolean),
  })
}

const jsonMixOptionNames: OptionNames<JsonMixProtocolOptions> = {
  toolCallStart: true,
  toolCallEnd: true,
  toolResponseStart: true,
  toolResponseEnd: true,
  toolsForm: true,
  prompt: true,
  otherMarks: true,
  reasoning: true,
  callsInReasoning: true,
  hasSpecialTokens: true,
  silent: true,
  otherForms: true,
}

const envelope = '{"name": "$name", "arguments": $args}'

/**
 * A format of JSON between marks. The marks are those in `call`, or those in `calls` if all calls are
 * together in a list or in lines.
 */
interface JsonForm extends FormatTemplates, Pick<FormatDefinition, 'calls' | 'joint' | 'callId'> {
  readonly call?: string | undefined
  /** What the open mark proves, if its spelling does not show it. */
  readonly strength?: MarkStrength | undefined
  /** Marks that are read as well, but never written. */
  readonly otherMarks?: readonly JsonMarks[] | undefined
  /**
   * Calls without marks are read too.
   *
   * @default true if there are no marks, or if the open mark is a special token, which servers strip
   */
  readonly isBareRead?: boolean | undefined
}

export function createJsonProtocol(form: JsonForm): EngineProtocol {
  const {
    calls,
    call = calls ? envelope : `<tool_call>\n${envelope}\n</tool_call>`,
    otherMarks = [],
  } = form
  const around = calls?.split(/\[?\s*\$calls\s*\]?/) ?? call.split(/\{"name".*?\$args\}/)
  // `<tool_call> {`, `<tool_call>\n{`: whitespace around a mark means nothing.
  const [before = '', close = ''] = around.map(mark => mark.trim())
  // `<|message_model|>$name<|content_invoke_tool_json|>`: the mark before the name is a header, which
  // servers may strip.
  const [header = '', open = header] = before.split('$name')
  const isKeyedByName = call.startsWith('{"$name"')
  const markPairs = [{ open, close, strength: form.strength }, ...otherMarks].filter(
    ({ open }) => open !== '',
  )
  // `{"name": "$name", "parameters": $args}`: `arguments` is then a key of other formats.
  const ownKeys = new Set([...call.matchAll(/"(\w+)":/g)].map(([, key = '']) => key))
  const keys = isKeyedByName ? {} : { ownKeys }
  const marked = jsonCalls(...markPairs.map(pair => ({ ...pair, isKeyedByName, ...keys })))
  const headerMark: Mark = {
    text: header,
    *read(cursor) {
      yield* readNameBefore(cursor, [open])
      return 0
    },
  }
  const headed: CallGrammar = ({ lookup }) => {
    const strength = 'line'
    const openMarks = lookup.names.map(name => name + open)
    const create = (name: string) => jsonCallMark({ open: name + open, close, strength }, openMarks)
    return [headerMark, namedMark({ text: '', strength }, { lookup, after: open, create })]
  }
  const isBareRead = form.isBareRead ?? (open === '' || isSpecialToken(open))
  const grammars = [
    marked,
    ...(open === header ? [] : [headed]),
    ...(isBareRead ? [open ? outerUnmarkedJsonCalls : outerJsonCalls] : []),
  ]
  const isList = calls?.includes('[')
  return formatProtocol({
    joint: isList ? ', ' : '\n',
    // A format that writes calls on one line writes results on one line, too.
    result:
      open && (isList || !call.includes('\n'))
        ? '<tool_response>$content</tool_response>'
        : undefined,
    ...form,
    grammar: tools => grammars.flatMap(each => each(tools)),
    call,
    marks: [header, open, close].filter(Boolean),
    howTo: sample => {
      const what = isList
        ? "a JSON list of objects with a function's name and its arguments"
        : 'a JSON object with its name and its arguments'
      const place = open ? 'between these marks' : 'and nothing else'
      const together = `put several such objects into the one ${isList ? 'list' : 'block, each in a line of its own'}`
      const apart = `write several such ${open ? 'blocks' : 'objects'}, one after the other`
      return `To call a function, write ${what} ${place}, exactly like this:

${sample(['function_name', '{"parameter": "value"}'])}

For several calls ${calls ? together : apart}.`
    },
  })
}
