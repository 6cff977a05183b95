import type { ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { hideMarks, spacedJson } from './text-forms.js'

/** A result in the terms that a format needs. */
export interface WrittenResult {
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
  readonly marks: readonly string[]
  /** Text is written as JSON too. */
  readonly isJson?: boolean | undefined
  /** The format says in its own way that a result is an error. */
  readonly hasErrors?: boolean | undefined
}

/** Shows a result, and the results of one message together. */
interface ResultsWriter {
  formatToolResponse(toolResult: ToolResult): string
  formatToolResponses(toolResults: readonly ToolResult[]): string
}

export function resultsWriter(form: ResultsForm): ResultsWriter {
  const { write, join = results => results.join('\n'), marks, isJson = false, hasErrors = false } = form
  const writeOne = ({ toolCallId, toolName, output }: ToolResult, index: number) => {
    const { value, isError } = readToolOutput(output)
    const shown = isError && !hasErrors ? { error: value } : value
    const isText = typeof shown === 'string' && !isJson && !marks.some(mark => shown.includes(mark))
    // Text that could leave its wrapper goes in as a JSON string, which can spell any mark in another way.
    const content = isText ? shown : hideMarks(spacedJson(shown), marks)
    return write({ id: plain(toolCallId), name: plain(toolName), content, isError, index })
  }
  const plain = (name: string) => (marks.some(mark => name.includes(mark)) ? name.replace(/[^\w.:-]+/g, '_') : name)
  return {
    formatToolResponse: toolResult => join([writeOne(toolResult, 0)]),
    formatToolResponses: toolResults => join(toolResults.map(writeOne)),
  }
}
