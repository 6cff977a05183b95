import { isRecord } from './schema/is-record.js'

/** What is shown of the work: nothing, every part as it comes, or the whole text with its calls marked. */
export type DebugLevel = 'off' | 'stream' | 'parse'

const greenStyle = ['\u001b[30;42m', '\u001b[0m'] as const
const styles: Readonly<Record<string, readonly [on: string, off: string]>> = {
  inverse: ['\u001b[7m', '\u001b[27m'],
  underline: ['\u001b[4m', '\u001b[24m'],
  bold: ['\u001b[1m', '\u001b[22m'],
}

/** An environment variable, where there is an environment. */
function readEnvironment(name: string): string {
  const { process } = globalThis as { process?: unknown }
  const env = isRecord(process) ? process.env : undefined
  const value = isRecord(env) ? env[name] : undefined
  return typeof value === 'string' ? value.trim().toLowerCase() : ''
}

/** Read anew for each request, so that it can be switched at run time. */
export function debugLevel(): DebugLevel {
  const level = readEnvironment('DEBUG_PARSER_MW')
  return level === 'stream' || level === 'parse' ? level : 'off'
}

export function logPart(label: 'raw' | 'out', part: unknown): void {
  console.log(`[toolglot] ${label}`, JSON.stringify(part))
}

/** Which format was chosen for a model. */
export function logChoice(format: string, model: unknown): void {
  const id = isRecord(model) ? String(model.modelId) : 'the model'
  console.log(`[toolglot] asking ${id} in ${format}`)
}

export interface ParseSummary {
  readonly text: string
  /** The calls as the model wrote them. */
  readonly segments: readonly string[]
  readonly toolCalls: readonly unknown[]
}

/** The text with its calls marked, and what was made of them. */
export function logSummary({ text, segments, toolCalls }: ParseSummary): void {
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
  console.log(`[toolglot] the model wrote:\n${marked}${text.slice(at)}`)
  console.log(`[toolglot] ${toolCalls.length} tool call${toolCalls.length === 1 ? '' : 's'}`)
  for (const call of toolCalls) console.log(`[toolglot]   ${JSON.stringify(call)}`)
}
