// Writes the results of tools by the templates of a format:
//
//     <tool_response>
//     18 degrees
//     </tool_response>
import type { ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { fillTemplate } from '../writing/fill-template.js'
import { escapeMarks, spacedJson } from '../writing/json-text.js'
import { callReference, includesMark, withoutMarks } from './call-reference.js'
import type { FormatDefinition } from './format-definition.js'
import type { FormatContext } from './protocol.js'

/**
 * The result of a format whose chat template marks results only by the role of their message, which
 * the server writes (decision 26).
 */
const taggedResult = '<tool_response>\n$content\n</tool_response>'

/** Writes all results of one message. */
export function writeResults(
  format: FormatDefinition,
  toolResults: readonly ToolResult[],
  context: FormatContext,
): string {
  const { results = '$results', resultJoint = '\n' } = format
  const written = toolResults.map((each, i) => writeResult(format, each, i, context))
  return fillTemplate(results, { results: written.join(resultJoint) })
}

function writeResult(
  format: FormatDefinition,
  { toolCallId, toolName, output }: ToolResult,
  position: number,
  context: FormatContext,
): string {
  const { result = taggedResult, errorResult } = format
  const marks = marksInResults(format)
  const { value, isError } = readToolOutput(output)
  const template = (isError && errorResult) || result
  // Without a template for errors, the content says that it is one: `{"error": "not found"}`.
  const shown = isError && !errorResult ? { error: value } : value
  const content = writeContent(format, template, shown, marks)
  const name = withoutMarks(toolName, marks)
  const reference = callReference(format, marks, { toolCallId, name, position }, context)
  return fillTemplate(template, { name, ...reference, content, json: content })
}

function writeContent(
  { writeJson = spacedJson }: FormatDefinition,
  template: string,
  value: unknown,
  marks: readonly string[],
): string {
  const isRawText = typeof value === 'string' && !template.includes('$json')
  // `see </tool_response> here` would end its own result, so it becomes a JSON string, in which
  // the mark is escaped.
  if (isRawText && !includesMark(value, marks)) return value
  return escapeMarks(writeJson(value), marks)
}

/** The text that must be escaped in arguments: the format's marks and the tags around results. */
export function marksInArguments(format: FormatDefinition): string[] {
  const { result = taggedResult, errorResult = '', results = '$results', marks = [] } = format
  const resultTags = (results + result + errorResult).match(/<[^\s<>]+/g) ?? []
  return [...marks, ...resultTags]
}

/** The text that must be escaped in results, names and ids. */
export function marksInResults(format: FormatDefinition): string[] {
  return [...marksInArguments(format), ...(format.resultMarks ?? [])]
}
