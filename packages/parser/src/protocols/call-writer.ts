// Writes calls by the templates of a format, for the history and for examples in the prompt:
//
//     <tool_call>
//     {"name": "get_weather", "arguments": {"city": "Paris"}}
//     </tool_call>
import type { FunctionTool, ToolCall } from '../sdk/parts.js'
import { escapeControlTokens } from '../writing/control-tokens.js'
import { fillTemplate } from '../writing/fill-template.js'
import { type CallInput, escapeMarks, escapeTags, readCallInput } from '../writing/json-text.js'
import { callReference, withoutMarks } from './call-reference.js'
import type { FormatDefinition } from './format-definition.js'
import type { FormatContext } from './protocol.js'
import { createToolShapes, findScanner, readCalls } from './request-scanner.js'
import { marksInArguments, marksInResults } from './result-writer.js'

/** Writes all calls of one message. */
export function writeCalls(
  format: FormatDefinition,
  toolCalls: readonly ToolCall[],
  context: FormatContext,
): string {
  const { calls = '$calls', joint = '' } = format
  const written = toolCalls.map((each, i) => writeCall(format, each, i, context))
  return fillTemplate(calls, { calls: written.join(joint) })
}

function writeCall(
  format: FormatDefinition,
  toolCall: ToolCall,
  position: number,
  context: FormatContext,
): string {
  const { call, notInName } = format
  const { toolCallId, toolName } = toolCall
  const name = withoutMarks(notInName ? toolName.replace(notInName, '_') : toolName, [])
  const args = writeArguments(format, toolCall, context)
  // `<f>\n$args\n</f>`: without arguments their line is left out.
  const template = args ? call : call.replace(/\s*\$args/, '')
  const reference = callReference(
    format,
    marksInResults(format),
    { toolCallId, name, position },
    context,
  )
  return fillTemplate(template, { name, ...reference, args }, marksInArguments(format))
}

function writeArguments(
  format: FormatDefinition,
  toolCall: ToolCall,
  { tools }: FormatContext,
): string {
  const input = readCallInput(toolCall)
  const tool = findTool(toolCall.toolName, tools)
  // Without the tools, the shape that the reader will use is unknown (decision 48).
  const shape = tools && createToolShapes([tool], format.originalToolSchemas).shapeOf(tool.name)
  const written = format.writeArgs
    ? format.writeArgs(input, shape, tool)
    : writeJsonArguments(format, input)
  if (written === undefined) return escapeTags(input.json)
  if (!format.isReadBack || !input.args) return written
  const isSame = readsBack(format, written, input.args, tool, tools)
  return isSame ? written : escapeTags(input.json)
}

/** The declared tool of that name, or one that takes any arguments (decision 48). */
function findTool(name: string, tools: readonly FunctionTool[] | undefined): FunctionTool {
  const declared = tools?.find(tool => tool.name === name)
  return declared ?? { type: 'function', name, inputSchema: undefined }
}

/** The line break and indent before `"arguments": $args` in a call of several lines. */
const argumentsIndent = /\n +(?="\w+": \$args\n)/

function writeJsonArguments(format: FormatDefinition, { args, json }: CallInput): string {
  const marks = marksInArguments(format)
  const lineBreak = argumentsIndent.exec(format.call)?.[0]
  if (!lineBreak || !args) return escapeMarks(escapeControlTokens(json), marks)
  // A call of several lines has arguments of several lines, as `tojson(indent=4)` writes them.
  const lines = JSON.stringify(args, null, 4).replaceAll('\n', lineBreak)
  return escapeMarks(escapeControlTokens(lines), marks)
}

/** Reads the call as it would be written. Returns whether the same arguments come out, unrepaired. */
function readsBack(
  format: FormatDefinition,
  written: string,
  args: Record<string, unknown>,
  tool: FunctionTool,
  tools: readonly FunctionTool[] = [],
): boolean {
  const call = fillTemplate(format.call, { name: tool.name, args: written, place: 1 })
  const text = fillTemplate(format.calls ?? '$calls', { calls: call })
  // Another tool can change the reading only if the text contains its name.
  const named = tools.filter(each => text.includes(each.name))
  const [read, ...others] = readCalls(findScanner(format), text, [...named, tool])
  if (!read || others.length > 0 || read.repairs.length > 0) return false
  return read.input === JSON.stringify(args)
}
