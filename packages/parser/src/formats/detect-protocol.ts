import { isSpecialToken } from '../engine/mark-strength.js'
import type { FormatContext } from '../protocols/protocol.js'
import { createGrammarScanner, readCalls } from '../protocols/request-scanner.js'
import type { FunctionTool } from '../sdk/parts.js'
import { bestFormats, type ModelFormat, modelScore } from './model-format.js'
import { nativeFormats } from './registry.js'

/** What is known about a model. One field is enough. They are tried in this order. */
export interface ProtocolHints {
  /** The id of the model, as in `model.modelId`: `qwen/qwen3-coder-30b`. */
  readonly modelId?: string | undefined
  /** The Jinja template of the model, as in its tokenizer_config.json. */
  readonly chatTemplate?: string | undefined
  /** An answer of the model that contains a call. */
  readonly text?: string | undefined
  /** The tools of that answer, if they are known: then only calls of these tools count. */
  readonly tools?: readonly FunctionTool[] | undefined
}

/** The protocol that fits a model best. */
export interface ProtocolDetection {
  /** The name of the protocol, for `getProtocol`. */
  readonly protocol: string
  /** The hint that decided. */
  readonly by: 'modelId' | 'chatTemplate' | 'text'
  /** Other protocols that fit as well, such as those that differ only in their prompt. */
  readonly alternatives: readonly string[]
}

/**
 * Finds the built-in protocol that a model uses by its id, its chat template, or an answer that
 * contains a call. A string may be any of the three. Returns undefined if no protocol fits.
 *
 * @example
 * ```ts
 * import { detectProtocol } from '@toolglot/parser'
 *
 * console.log(detectProtocol('Qwen/Qwen3-Coder-30B-A3B-Instruct')?.protocol) // qwen3_coder
 *
 * const text = '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}'
 * console.log(detectProtocol({ text })?.protocol) // mistral
 * ```
 */
export function detectProtocol(hints: ProtocolHints | string): ProtocolDetection | undefined {
  const given = typeof hints === 'string' ? hintsFrom(hints) : hints
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

/** Guesses what a string is: a chat template, a model's id or an answer. */
function hintsFrom(text: string): ProtocolHints {
  // `{{ messages }}` or `{% if %}`: a template, but the arguments of a call may contain that too.
  if (/\{[{%]/.test(text)) return { chatTemplate: text, text }
  return /^[\w./:@+-]{1,200}$/.test(text) ? { modelId: text } : { text }
}

/** Text that looks like a mark: `<|tool_call|>`, `<tool_call>`, `[ARGS]`, "```json", `Action:`. */
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
 * Returns a chat template with its text variables filled in where they are joined to other text:
 * `{% set sep = '<|sep|>' %}` and `'call' + sep` become `'call<|sep|>`.
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
 * Scores how well a chat template fits a format: how many characters of the format's marks it
 * contains. A template with all marks of a call scores higher than any template without.
 */
function templateScore(format: ModelFormat, template: string): number {
  const protocol = format.create()
  const charsOf = (marks: readonly string[]) =>
    marks.every(mark => template.includes(mark)) ? marks.join('').length : 0
  const callMarks = marksInSample(protocol.formatToolCall(sampleCall, sampleContext))
  const chars = charsOf(callMarks)
  const toolMarks = marksInSample(protocol.formatTools({ tools: sampleContext.tools ?? [] }))
  // Less than 1: the marks around the tools decide only between formats that write the same calls.
  const toolChars =
    toolMarks.filter(mark => template.includes(mark)).join('').length / template.length
  if (chars)
    return (
      template.length +
      chars +
      charsOf(marksInSample(protocol.formatToolResponse(sampleResult))) +
      toolChars
    )
  // Versions of a template differ, but a call begins with the same special token in all of them.
  return charsOf(callMarks.slice(0, 1).filter(isSpecialToken))
}

/**
 * Scores how well an answer fits a format: how many characters of calls the format reads in it. A
 * call with a problem, or of an unknown tool, scores 0.
 */
function textScore(format: ModelFormat, text: string, tools: readonly FunctionTool[]): number {
  const protocol = format.create()
  // Calls in other forms say nothing about the format: many formats read the same ones.
  const createScanner = createGrammarScanner({ ...protocol.definition, otherForms: undefined })
  const calls = readCalls(createScanner, text, tools)
  const isKnown = (name: string) => tools.length === 0 || tools.some(tool => tool.name === name)
  if (calls.length === 0 || !calls.every(call => !call.problem && isKnown(call.toolName))) return 0
  // `{"name": …}`: many formats read a call without their own marks. A call with marks counts more.
  const isMarked = calls.every(
    call => !/^[\s{[\w]/.test(call.raw) || /^\[[A-Z_]+\]|^\w+\[|^Action:/.test(call.raw),
  )
  const chars = calls.reduce((sum, call) => sum + call.raw.trim().length, 0)
  // Among formats that read the same calls, the one that writes them like this counts more.
  const written = protocol.formatToolCalls?.(calls.map(call => ({ ...call, toolCallId: '' })))
  const raw = calls.map(call => call.raw).join('')
  const isOwn = written !== undefined && withoutSpace(raw) === withoutSpace(written)
  return chars + (isMarked ? text.length : 0) + (isOwn ? 1 : 0)
}

/** Returns the text without whitespace, and without ids, which are random. */
const withoutSpace = (text: string) =>
  text.replace(/\s+/g, '').replace(/("(?:tool_call_)?id":)"[^"]*"/g, '$1""')
