import type { MiddlewareConfig } from './middleware-options.js'
import { isRecord } from './schema/is-record.js'
import type { RequestOptions } from './sdk/call-params.js'
import { isDelta, isFinish, type Part } from './sdk/parts.js'

/** What is shown of the work: nothing, every part as it comes, or the whole text with its calls marked. */
export type DebugLevel = 'off' | 'stream' | 'parse'

const greenStyle = ['\u001b[30;42m', '\u001b[0m'] as const
const styles: Readonly<Record<string, readonly [on: string, off: string]>> = {
  inverse: ['\u001b[7m', '\u001b[27m'],
  underline: ['\u001b[4m', '\u001b[24m'],
  bold: ['\u001b[1m', '\u001b[22m'],
}

/** An environment variable, where there is an environment and it may be read: Deno asks for a permission. */
function readEnvironment(name: string): string {
  try {
    const { process } = globalThis as { process?: unknown }
    const env = isRecord(process) ? process.env : undefined
    const value = isRecord(env) ? env[name] : undefined
    return typeof value === 'string' ? value.trim().toLowerCase() : ''
  } catch {
    return ''
  }
}

/** Read anew for each request, so that it can be switched at run time. */
export function debugLevel(option: boolean | DebugLevel | undefined): DebugLevel {
  if (typeof option === 'boolean') return option ? 'parse' : 'off'
  if (option !== undefined) return option
  const level = readEnvironment('DEBUG_PARSER_MW')
  return level === 'stream' || level === 'parse' ? level : 'off'
}

/** Which format was chosen for a model. */
export function logChoice(format: string, model: unknown): void {
  const id = isRecord(model) ? String(model.modelId) : 'the model'
  console.log(`[toolglot] asking ${id} in ${format}`)
}

/** Shows what comes in and what goes out, and keeps it for the debug summary; undefined where nobody wants that. */
export function createResponseLog({ debugSummary, tools }: RequestOptions, { protocol, debug }: MiddlewareConfig) {
  const level = debugLevel(debug)
  if (debugSummary === undefined && level === 'off') return undefined
  let text = ''
  const toolCalls: Part[] = []
  let isFinished = false
  const show = (what: string, part: Part) => {
    if (level === 'stream') console.log(`[toolglot] ${what}`, JSON.stringify(part))
    return [part]
  }
  const finish = () => {
    if (!isFinished && debugSummary)
      Object.assign(debugSummary, { originalText: text, toolCalls: JSON.stringify(toolCalls) })
    if (!isFinished && level === 'parse') {
      const marked = highlight(text, protocol.extractToolCallSegments?.({ text, tools }))
      console.log(`[toolglot] the model wrote:\n${marked}`)
      console.log(`[toolglot] ${toolCalls.length} tool call${toolCalls.length === 1 ? '' : 's'}`)
      for (const call of toolCalls) console.log(`[toolglot]   ${JSON.stringify(call)}`)
    }
    isFinished = true
    return []
  }
  return {
    input(part: Part) {
      if (isDelta(part, 'text-delta')) text += part.delta
      return show('raw', part)
    },
    output(part: Part) {
      if (part.type === 'tool-call') toolCalls.push(part)
      if (isFinish(part)) finish()
      return show('out', part)
    },
    /** No more comes. A stream that breaks off has no part that says so. */
    finish,
  }
}

/** The text with its calls marked. */
function highlight(text: string, segments: readonly string[] = []): string {
  const [on, off] = styles[readEnvironment('DEBUG_PARSER_MW_STYLE')] ?? greenStyle
  let marked = ''
  let at = 0
  for (const segment of segments) {
    const found = text.indexOf(segment, at)
    if (found < 0) continue
    // Line by line: many terminals end a style at a line break.
    marked += text.slice(at, found) + segment.replace(/^.*$/gm, line => on + line + off)
    at = found + segment.length
  }
  return marked + text.slice(at)
}
