import type { CallGrammar } from '../engine/body.js'
import type { ToolCall, ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { defineProtocol, type FormatTraits, traitsOf } from './define-protocol.js'
import { hideMarks, type PromptParts, spacedJson } from './text-forms.js'
import type { EngineProtocol, FormatContext } from './tool-call-protocol.js'
import { type ToolsForm, toolsWriter } from './tool-forms.js'

/** A result in the terms that a format needs. */
interface WrittenResult {
  /** Neither id nor name holds a mark. */
  readonly id: string
  readonly name: string
  /** Text that holds none of the marks. */
  readonly content: string
  readonly isError: boolean
  /** The place of the result among those of its message. */
  readonly index: number
}

/** How results are shown: each one, and the results of one message together. */
export interface ResultsForm {
  readonly write: (result: WrittenResult) => string
  readonly join?: ((results: readonly string[]) => string) | undefined
  /** What must not stand in a result as it is. */
  readonly marks?: readonly string[] | undefined
  /** Text is written as JSON too. */
  readonly isJson?: boolean | undefined
  /** The format says in its own way that a result is an error. */
  readonly hasErrors?: boolean | undefined
}

/** Results as they are, between two marks. */
export const between = (open: string, close: string, joint = '\n'): ResultsForm => ({
  write: ({ content }) => open + content + close,
  join: results => results.join(joint),
})

/** How the built-in formats are described: calls and results are written message by message. */
interface FormatParts extends FormatTraits {
  readonly grammar: CallGrammar
  readonly toolsForm?: ToolsForm | undefined
  /** How to call a function, and the prompt that is made of it, where it is not that of most. */
  readonly howTo: () => string
  readonly prompt?: ((parts: PromptParts) => string) | undefined
  readonly writeCalls: (toolCalls: readonly ToolCall[], context: FormatContext) => string
  readonly resultsForm: ResultsForm
}

export function formatProtocol(parts: FormatParts): EngineProtocol {
  const { grammar, toolsForm = {}, howTo, prompt, writeCalls, resultsForm } = parts
  const { write, join = results => results.join('\n'), marks = [], isJson = false, hasErrors = false } = resultsForm
  const holdsMark = (text: string) => marks.some(mark => text.includes(mark))
  const plain = (name: string) => (holdsMark(name) ? name.replace(/[^\w.:-]+/g, '_') : name)
  const writeResult = ({ toolCallId, toolName, output }: ToolResult, index: number) => {
    const { value, isError } = readToolOutput(output)
    const shown = isError && !hasErrors ? { error: value } : value
    // Text that could leave its wrapper goes in as a JSON string, which can spell any mark in another way.
    const isText = typeof shown === 'string' && !isJson && !holdsMark(shown)
    const content = isText ? shown : hideMarks(spacedJson(shown), marks)
    return write({ id: plain(toolCallId), name: plain(toolName), content, isError, index })
  }
  return defineProtocol({
    ...traitsOf(parts),
    grammar,
    ...toolsWriter(toolsForm, howTo, prompt),
    formatToolCall: (toolCall, context) => writeCalls([toolCall], context),
    formatToolCalls: (toolCalls, context) => (toolCalls.length ? writeCalls(toolCalls, context) : ''),
    formatToolResponse: toolResult => join([writeResult(toolResult, 0)]),
    formatToolResponses: toolResults => join(toolResults.map(writeResult)),
  })
}
