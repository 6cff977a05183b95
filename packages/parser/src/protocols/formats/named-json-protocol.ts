import { type NamedJsonGrammar, namedJsonCalls } from '../../engine/bodies/named-json-body.js'
import type { ToolCall } from '../../sdk/parts.js'
import { defineProtocol, type FormatTraits, traitsOf } from '../define-protocol.js'
import { formatMaker } from '../model-format.js'
import { type ResultsForm, resultsWriter } from '../result-forms.js'
import { callArguments, hideMarks } from '../text-forms.js'
import type { EngineProtocol } from '../tool-call-protocol.js'
import { type ToolsForm, toolsWriter } from '../tool-forms.js'

/** A format with the tool's name in its markup and the arguments as JSON: what is read, and how the same is written. */
export interface NamedJsonDefinition extends FormatTraits {
  readonly grammar: NamedJsonGrammar
  /** Marks around results and tools. Neither these nor the grammar's own may stand in a value. */
  readonly otherMarks: readonly string[]
  readonly writeCall: (call: WrittenCall) => string
  /** The calls of one message, where they do not just stand one behind the other. */
  readonly joinCalls?: ((calls: readonly string[]) => string) | undefined
  readonly writeResult: ResultsForm['write']
  /** The results of one message, where they do not just stand one below the other. */
  readonly joinResults?: ResultsForm['join']
  /** Text in a result is written as JSON too. */
  readonly isResultJson?: boolean | undefined
  /** The tools as the chat template shows them. */
  readonly toolsForm: ToolsForm
}

export interface WrittenCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly args: string
  /** The place of the call in its message. */
  readonly index: number
}

function namedJsonProtocol(definition: NamedJsonDefinition): EngineProtocol {
  const { grammar, otherMarks, writeCall, writeResult, joinResults, toolsForm } = definition
  const { joinCalls = calls => calls.join('') } = definition
  const { section, opens, separators = [], ends } = grammar
  const marks = [
    ...new Set([
      ...(section?.opens ?? []),
      ...(section?.closes ?? []),
      ...opens,
      ...separators,
      ...ends,
      ...(definition.silent ?? []),
      ...(definition.reasoning ?? []).flatMap(({ opens, closes }) => [...opens, ...closes]),
      ...otherMarks,
    ]),
  ]
  const formatCall = (toolCall: ToolCall, index: number) => {
    const args = hideMarks(callArguments(toolCall), marks)
    return writeCall({ id: toolCall.toolCallId, name: toolCall.toolName, args, index })
  }
  const sample = (...args: readonly string[]) =>
    joinCalls(args.map((each, index) => writeCall({ id: `call${index}`, name: 'function_name', args: each, index })))
  const results = resultsWriter({ write: writeResult, join: joinResults, marks, isJson: definition.isResultJson })
  return defineProtocol({
    ...traitsOf(definition),
    grammar: namedJsonCalls(grammar),
    ...toolsWriter(
      toolsForm,
      () => `To call a function, write its name and a JSON object with its arguments exactly like this:

${sample('{"parameter": "value"}')}

Two calls look like this:

${sample('{"parameter": "one"}', '{"parameter": "two"}')}`,
    ),
    formatToolCall: toolCall => joinCalls([formatCall(toolCall, 0)]),
    formatToolCalls: toolCalls => joinCalls(toolCalls.map(formatCall)),
    ...results,
  })
}

export const namedJsonFormat = /* @__PURE__ */ formatMaker('named-json', namedJsonProtocol)
