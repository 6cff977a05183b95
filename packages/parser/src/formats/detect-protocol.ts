import { isSpecialToken } from '../engine/mark-strength.js'
import type { FormatContext } from '../protocols/protocol.js'
import { readCalls } from '../protocols/request-scanner.js'
import type { FunctionTool } from '../sdk/parts.js'
import { bestFormats, type ModelFormat, modelScore } from './model-format.js'
import { nativeFormats } from './registry.js'

/** What a protocol can be told by. One of them, or a string of which it is guessed. */
export interface ProtocolHints {
  /** As in `model.modelId`: `qwen/qwen3-coder-30b`. */
  readonly modelId?: string | undefined
  /** The Jinja template of a model, as in its tokenizer_config.json. */
  readonly chatTemplate?: string | undefined
  /** What a model wrote. */
  readonly text?: string | undefined
  /** The tools of that text, if they are known: then only their names count as calls. */
  readonly tools?: readonly FunctionTool[] | undefined
}

export interface ProtocolDetection {
  /** The name of the protocol, for `getProtocol`. */
  readonly protocol: string
  readonly by: 'modelId' | 'chatTemplate' | 'text'
  /** Other protocols that fit as well, such as those that differ only in their prompt. */
  readonly alternatives: readonly string[]
}

/**
 * Tells which built-in protocol a model uses: by its id, its chat template, or something that it
 * wrote.
 */
export function detectProtocol(traces: ProtocolHints | string): ProtocolDetection | undefined {
  const given = typeof traces === 'string' ? tracesOf(traces) : traces
  const { modelId = '', chatTemplate = '', text = '', tools = [] } = given
  const template = withSettings(chatTemplate)
  const ways = [
    ['modelId', (format: ModelFormat) => modelScore(format, modelId)],
    ['chatTemplate', (format: ModelFormat) => templateScore(format, template)],
    ['text', (format: ModelFormat) => textScore(format, text, tools)],
  ] as const
  for (const [by, score] of ways) {
    const [protocol, ...alternatives] = bestFormats(nativeFormats, score).map(format => format.id)
    if (protocol !== undefined) return { protocol, by, alternatives }
  }
  return undefined
}

function tracesOf(text: string): ProtocolHints {
  // Braces like those of a template may also stand in the arguments of a call.
  if (/\{[{%]/.test(text)) return { chatTemplate: text, text }
  return /^[\w./:@+-]{1,200}$/.test(text) ? { modelId: text } : { text }
}

/** What a mark looks like: a special token, a tag, a fence, a word that a line begins with. */
const markForms =
  />>>|<[|｜][^<>]*[|｜]>|<[^\s<>="']+[>=]?|\[\/?[A-Z_]+\]|\]<]\w+\[>\[|```\w*|\w+(?=\[)|^[A-Z][\w ]*:/gm

const sampleCall = { toolCallId: '', toolName: 'zz', input: { zz: 'zz' } }
const sampleResult = { ...sampleCall, output: { type: 'text', value: 'zz' } }
const sampleSchema = { type: 'object', properties: { zz: { type: 'string' } } }
const sampleContext: FormatContext = {
  tools: [{ type: 'function', name: 'zz', inputSchema: sampleSchema }],
}

const marksInSample = (sample: string) => [
  ...new Set(sample.replaceAll('zz', ' ').match(markForms)),
]

const setting = /\{%-?\s*set\s+(\w+)\s*=\s*(['"])(.*?)\2\s*-?%\}/g

/**
 * The template with the variables that are set to plain text put in where text is joined to them.
 */
const withSettings = (template: string) =>
  [...template.matchAll(setting)].reduce((text, [, name = '', , value = '']) => {
    const joined = new RegExp(
      `['"]\\s*[+~]\\s*${name}\\b(?:\\s*[+~]\\s*['"])?|\\b${name}\\s*[+~]\\s*['"]`,
      'g',
    )
    return text.replace(joined, () => value)
  }, template)

/**
 * How many characters of the format's own marks a template holds, if it holds all of a call: then
 * more than any that does not.
 */
function templateScore(format: ModelFormat, template: string): number {
  const protocol = format.create()
  const charsOf = (marks: readonly string[]) =>
    marks.every(mark => template.includes(mark)) ? marks.join('').length : 0
  const callMarks = marksInSample(protocol.formatToolCall(sampleCall, sampleContext))
  const chars = charsOf(callMarks)
  const toolMarks = marksInSample(protocol.formatTools({ tools: sampleContext.tools ?? [] }))
  // How the tools are shown tells apart only those that write alike.
  const toolChars =
    toolMarks.filter(mark => template.includes(mark)).join('').length / template.length
  if (chars)
    return (
      template.length +
      chars +
      charsOf(marksInSample(protocol.formatToolResponse(sampleResult))) +
      toolChars
    )
  // Templates change; how a call begins is what they keep.
  return charsOf(callMarks.slice(0, 1).filter(isSpecialToken))
}

/**
 * How sure a format is that the text holds its calls: what it reads without a fault counts, and
 * most behind a long mark.
 */
function textScore(format: ModelFormat, text: string, tools: readonly FunctionTool[]): number {
  const protocol = format.create()
  const calls = readCalls(protocol.createScanner, text, tools)
  const isKnown = (name: string) => tools.length === 0 || tools.some(tool => tool.name === name)
  if (calls.length === 0 || !calls.every(call => !call.problem && isKnown(call.toolName))) return 0
  // Bare forms are also read by formats whose own marks are missing here.
  const isMarked = calls.every(
    call => !/^[\s{[\w]/.test(call.raw) || /^\[[A-Z_]+\]|^\w+\[|^Action:/.test(call.raw),
  )
  const chars = calls.reduce((sum, call) => sum + call.raw.trim().length, 0)
  // Among those that read it, the one that would have written it so.
  const written = protocol.formatToolCalls?.(calls.map(call => ({ ...call, toolCallId: '' })))
  const raw = calls.map(call => call.raw).join('')
  const isOwn = written !== undefined && withoutSpace(raw) === withoutSpace(written)
  return chars + (isMarked ? text.length : 0) + (isOwn ? 1 : 0)
}

/** The text without its space, and without ids, which no one can foresee. */
const withoutSpace = (text: string) =>
  text.replace(/\s+/g, '').replace(/("(?:tool_call_)?id":)"[^"]*"/g, '$1""')
