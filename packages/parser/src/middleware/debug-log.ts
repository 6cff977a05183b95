import { asRecord } from '../is-record.js'
import type { Part } from '../sdk/parts.js'
import type { MiddlewareConfig } from './options.js'
import type { RequestOptions } from './request-options.js'

type LogLevel = 'off' | 'stream' | 'parse'

/** The styles of `DEBUG_PARSER_MW_STYLE` as ANSI codes. By default calls are black on green. */
const styles: Readonly<Record<string, string>> = {
  inverse: '7',
  invert: '7',
  underline: '4',
  ul: '4',
  bold: '1',
}

/** Other spellings of the levels in `DEBUG_PARSER_MW`, which older packages accept. */
const numberedLevels: Readonly<Record<string, LogLevel>> = {
  '1': 'stream',
  true: 'stream',
  yes: 'stream',
  '2': 'parse',
}

/** Reads an environment variable; '' if there is none, or if Deno does not permit to read it. */
function readEnvironment(name: string): string {
  try {
    const { env } = asRecord(Reflect.get(globalThis, 'process'))
    return String(asRecord(env)[name] ?? '')
      .trim()
      .toLowerCase()
  } catch {
    return ''
  }
}

/**
 * Returns the level of the option, else of `TOOLGLOT_DEBUG`, else of `DEBUG_PARSER_MW`. It is read
 * for each request, so that it can be switched at run time.
 */
function readDebugLevel(option: MiddlewareConfig['debug']): LogLevel {
  const ownLevel = option ?? readEnvironment('TOOLGLOT_DEBUG')
  if (ownLevel === true || ownLevel === 'true' || ownLevel === '1') return 'parse'
  const olderLevel = readEnvironment('DEBUG_PARSER_MW')
  const level = ownLevel === '' ? (numberedLevels[olderLevel] ?? olderLevel) : ownLevel
  return level === 'parse' || level === 'stream' ? level : 'off'
}

/** Prints to standard error, so that the output of a program does not change. */
function print(text: string): void {
  console.error(`[toolglot] ${text}`)
}

/** What the middleware did to a request, for `debug`. */
export interface RequestReport {
  readonly modelId: string
  readonly shownTools: readonly string[]
  /** Tools that the provider would have run. */
  readonly droppedTools: readonly string[]
  readonly rewrittenMessages: number
  /** The forced tool choice in words, if there is one. */
  readonly forced: string | undefined
}

/** Prints what was done to a request. At level `parse`, a debug summary replaces the output. */
export function logRequest(
  report: RequestReport,
  { debugSummary }: RequestOptions,
  config: MiddlewareConfig,
): void {
  const level = readDebugLevel(config.debug)
  if (level === 'off' || (level === 'parse' && debugSummary !== undefined)) return
  const { formatName = 'a protocol of its own', formatReason } = config
  const { modelId, shownTools, droppedTools, rewrittenMessages, forced } = report
  const lines = [
    `asking ${modelId || 'the model'} in ${formatName}${formatReason ? `: ${formatReason}` : ''}`,
    `tools shown: ${shownTools.join(', ') || 'none'}`,
    droppedTools.length > 0 && `left out, since the provider runs them: ${droppedTools.join(', ')}`,
    rewrittenMessages > 0 && `messages rewritten: ${rewrittenMessages}`,
    forced !== undefined && `forced: ${forced}`,
  ]
  for (const line of lines) if (line !== false) print(line)
}

/** The answer that a response log is about. */
interface LoggedAnswer {
  /** The calls as the model wrote them, in the text so far. */
  readSegments(text: string): readonly string[]
}

/**
 * Creates a log that prints the parts of an answer before and after reading, and fills the debug
 * summary. Returns undefined if neither is asked for.
 */
export function createResponseLog(
  { debugSummary }: RequestOptions,
  { debug }: MiddlewareConfig,
  { readSegments }: LoggedAnswer,
) {
  const level = readDebugLevel(debug)
  if (debugSummary === undefined && level === 'off') return undefined
  let text = ''
  const toolCalls: Pick<Part, 'toolName' | 'input'>[] = []
  const show = (what: string, part?: Part) => {
    if (part && level === 'stream') print(`${what} ${JSON.stringify(part)}`)
    return part ? [part] : []
  }
  const summarize = () => {
    const segments = readSegments(text).map(segment => segment.trim())
    if (debugSummary) {
      Object.assign(debugSummary, {
        originalText: segments.join('\n\n'),
        toolCalls: JSON.stringify(toolCalls),
      })
      return
    }
    if (level !== 'parse') return
    print(`the model wrote:\n${highlight(text, segments)}`)
    print(`${toolCalls.length} tool call${toolCalls.length === 1 ? '' : 's'}`)
    for (const { toolName, input } of toolCalls) print(`  ${toolName} ${input}`)
  }
  return {
    input(part?: Part) {
      if (part?.type === 'text-delta') text += part.delta ?? ''
      return show('raw', part)
    },
    output(part?: Part) {
      if (part?.type === 'tool-call') toolCalls.push({ toolName: part.toolName, input: part.input })
      if (!part) summarize()
      return show('out', part)
    },
  }
}

/** Highlights the calls in a text. */
function highlight(text: string, segments: readonly string[]): string {
  const style = styles[readEnvironment('DEBUG_PARSER_MW_STYLE')] ?? '30;42'
  // Line by line: many terminals end a style at a line break.
  const mark = (segment: string) =>
    segment.replace(/^.*$/gm, line => `\u001b[${style}m${line}\u001b[0m`)
  return [...new Set(segments)].reduce((marked, segment) => marked.replaceAll(segment, mark), text)
}
