// Writes the results of tools by the templates of a format:
//
//     <tool_response>
//     18 degrees
//     </tool_response>
import type { Mark, ToolShapes } from '../engine/grammar.js'
import { createShapeLook } from '../engine/json/other-shape-look.js'
import { markStrength } from '../engine/mark-strength.js'
import { markTextsIn } from '../engine/text/mark-texts.js'
import type { Verdict } from '../engine/text/verdict.js'
import type { FunctionTool, ToolResult } from '../sdk/parts.js'
import { readToolOutput } from '../sdk/tool-result.js'
import { escapeControlTokens } from '../writing/control-tokens.js'
import { fillTemplate } from '../writing/fill-template.js'
import { escapeMarks, spacedJson } from '../writing/json-text.js'
import { callReference, withoutMarks } from './call-reference.js'
import type { FormatDefinition } from './format-definition.js'
import type { FormatContext } from './protocol.js'
import { createToolShapes, findScanner, readCalls } from './request-scanner.js'

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

/**
 * Writes one result. Its text, its name and its id contain no special token, no tag that models know
 * and no mark of the format (decision 79). A call without marks is found by reading the result:
 *
 *     {"output": "[get_weather(city=\"Paris\")]"}
 *     {"output": "\u005bget_weather(city=\"Paris\")]"}
 */
function writeResult(
  format: FormatDefinition,
  toolResult: ToolResult,
  position: number,
  context: FormatContext,
): string {
  const { marks, readerFor } = preparedResults(format)
  const reader = readerFor(context.tools, toolResult.toolName)
  const fill = (plainMarks: readonly string[], words: readonly string[] = []) =>
    fillResult(format, toolResult, position, context, { marks, plainMarks, words })
  const written = fill([])
  const plainMarks = markTextsIn(written, reader.callMarks).filter(
    mark => written.includes(mark) && !marks.includes(mark),
  )
  if (containsOtherShape(reader, written)) {
    return fill([...plainMarks, ...brackets], toolNamesIn(written, reader.shapes))
  }
  if (plainMarks.length === 0 || !reader.containsCall(written)) return written
  return fill(plainMarks)
}

/** What a result must not contain depends on the format only, and is prepared once. */
interface PreparedResults {
  /** The text that is escaped in any result. */
  readonly marks: readonly string[]
  readerFor(tools: readonly FunctionTool[] | undefined, toolName: string): ResultReader
}

/** Reads results as an answer would be read, to see whether they contain a call. */
interface ResultReader {
  readonly shapes: ToolShapes
  /** The marks at which the reader of the format looks for a call. */
  readonly callMarks: readonly Mark[]
  /** Decides how a line begins that may be a call in another shape. */
  readonly look: (ahead: string) => Verdict
  containsCall(text: string): boolean
}

const prepared = new WeakMap<FormatDefinition, PreparedResults>()

function preparedResults(format: FormatDefinition): PreparedResults {
  const known = prepared.get(format) ?? prepareResults(format)
  prepared.set(format, known)
  return known
}

/** The results of a conversation are of the same tools, so the last reader is kept. */
function prepareResults(format: FormatDefinition): PreparedResults {
  let last: { readonly tools: readonly FunctionTool[]; readonly reader: ResultReader } | undefined
  return {
    marks: findMarksInResults(format),
    readerFor(given, toolName) {
      const tools = withTool(given, toolName)
      if (!last || !areSameTools(last.tools, tools)) {
        last = { tools, reader: createResultReader(format, tools) }
      }
      return last.reader
    },
  }
}

/** Each message comes with a list of its own, but the schemas in it are the same objects. */
function areSameTools(left: readonly FunctionTool[], right: readonly FunctionTool[]): boolean {
  const isSame = ({ name, inputSchema }: FunctionTool, i: number) =>
    name === right[i]?.name && inputSchema === right[i]?.inputSchema
  return left.length === right.length && left.every(isSame)
}

function createResultReader(
  format: FormatDefinition,
  tools: readonly FunctionTool[],
): ResultReader {
  const shapes = createToolShapes(tools)
  const allMarks = [...format.grammar(shapes), ...(format.otherForms?.(shapes) ?? [])]
  return {
    shapes,
    callMarks: allMarks.filter(mark => !mark.opensNoCall),
    look: createShapeLook(shapes.lookup),
    containsCall: text => readCalls(findScanner(format), text, tools).length > 0,
  }
}

const brackets = ['{', '[']
/** So many lines that begin like a call are read. A result with more of them is escaped. */
const MAX_LOOKS = 64
/** How much of the text from such a line on is read. */
const MAX_LINE_CHARS = 4096

/**
 * Whether a line of a result would be a call if it began an answer. The brackets of JSON are then
 * escaped, and the names of tools: `\u0067et_weather(city="Paris")`.
 */
function containsOtherShape({ look, containsCall }: ResultReader, written: string): boolean {
  const starts = [...written.matchAll(/^[^\S\n]*(?=\S)/gm)]
    .map(({ index, 0: space }) => index + space.length)
    .filter(at => look(written.slice(at, at + 512)) === 'yes')
  if (starts.length > MAX_LOOKS) return true
  return starts.some(at => containsCall(written.slice(at, at + MAX_LINE_CHARS)))
}

/** The names of tools in a text, as they are written there. */
function toolNamesIn(text: string, { lookup }: ToolShapes): string[] {
  const words = text.replaceAll('\\_', '_').match(/[\p{L}_][\p{L}\p{N}_.-]*/gu) ?? []
  const names = [...new Set(words)].filter(word => lookup.find(word) !== undefined)
  return names.flatMap(name => [name, name.replaceAll('_', '\\_')])
}

/** The text that is escaped in one result. */
interface EscapedMarks {
  /** Marks that are escaped in any result. */
  readonly marks: readonly string[]
  /** Marks that are also ordinary text, such as `{`. */
  readonly plainMarks: readonly string[]
  /** Names of tools. The name of the result is not escaped. */
  readonly words: readonly string[]
}

/** Fills the template of a result. Marks are escaped in the text, and removed from name and id. */
function fillResult(
  format: FormatDefinition,
  { toolCallId, toolName, output }: ToolResult,
  position: number,
  context: FormatContext,
  { marks, plainMarks, words }: EscapedMarks,
): string {
  const { result = taggedResult, errorResult } = format
  const { value, isError } = readToolOutput(output)
  const template = (isError && errorResult) || result
  // Without a template for errors, the content says that it is one: `{"error": "not found"}`.
  const shown = isError && !errorResult ? { error: value } : value
  const isJson = typeof shown !== 'string' || template.includes('$json')
  const text = writeContent(format, shown, isJson)
  // `{"name": "get_weather", …}`: the brackets of JSON can be escaped only inside a string.
  const isQuoted = isJson && plainMarks.length > 0
  const allMarks = [...marks, ...plainMarks]
  const quoted = isQuoted ? JSON.stringify(text) : text
  const content = escapeMarks(escapeControlTokens(quoted), [...allMarks, ...words])
  const name = withoutMarks(toolName, allMarks)
  const reference = callReference(format, marks, { toolCallId, name, position }, context)
  return fillTemplate(template, { name, ...reference, content, json: content })
}

function writeContent(
  { writeJson = spacedJson, resultMarks = [] }: FormatDefinition,
  value: unknown,
  isJson: boolean,
): string {
  // `tool result: 18 degrees`: a result that ends with its line is JSON if it has several lines.
  const isLine = resultMarks.includes('\n')
  if (isJson || typeof value !== 'string' || (isLine && value.includes('\n')))
    return writeJson(value)
  return value
}

/** Returns the tools of the request, and the tool of the result if it is not one of them. */
function withTool(tools: readonly FunctionTool[] = [], name: string): readonly FunctionTool[] {
  if (tools.some(tool => tool.name === name)) return tools
  return [...tools, { type: 'function', name, inputSchema: undefined }]
}

/** The text that must be escaped in arguments: the format's marks and the tags around results. */
export function marksInArguments(format: FormatDefinition): string[] {
  const { result = taggedResult, errorResult = '', results = '$results', marks = [] } = format
  const resultTags = (results + result + errorResult).match(/<[^\s<>]+/g) ?? []
  return [...marks, ...resultTags]
}

/** The text that must be escaped in results, names and ids. */
export const marksInResults = (format: FormatDefinition): readonly string[] =>
  preparedResults(format).marks

function findMarksInResults(format: FormatDefinition): string[] {
  const { resultMarks = [], reasoning = [] } = format
  const reasoningMarks = reasoning.flatMap(({ opens, closes }) => [...opens, ...closes])
  return [
    ...new Set([
      ...marksInArguments(format),
      ...resultMarks,
      ...marksOfCalls(format),
      ...reasoningMarks,
    ]),
  ]
}

/** The marks of a format that are not ordinary text, as `{`, `Action:` and a code fence are. */
export function marksOfCalls(format: FormatDefinition): string[] {
  const marks = format.grammar(createToolShapes([])).filter(isTagOrToken)
  return marks.map(mark => mark.text)
}

const isTagOrToken = (mark: Mark) => ['token', 'tag'].includes(markStrength(mark))
