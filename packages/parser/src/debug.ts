import type { MiddlewareConfig } from './options.js'
import { asRecord } from './schema/is-record.js'
import type { RequestOptions } from './sdk/call-params.js'
import type { Part } from './sdk/parts.js'

/** What a terminal is told to mark calls. By default they are black on green. */
const styles: Readonly<Record<string, string>> = { inverse: '7', underline: '4', bold: '1' }

/** An environment variable, where there is an environment and it may be read: Deno asks for a permission. */
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

/** Read anew for each request, so that it can be switched at run time. */
export function debugLevel(option: MiddlewareConfig['debug']) {
  const level = option ?? readEnvironment('DEBUG_PARSER_MW')
  if (level === true || level === 'parse') return 'parse'
  return level === 'stream' ? 'stream' : 'off'
}

/** Shows what comes in and what goes out, and keeps it for the debug summary; undefined where nobody wants that. */
export function createResponseLog({ debugSummary, tools }: RequestOptions, { protocol, debug }: MiddlewareConfig) {
  const level = debugLevel(debug)
  if (debugSummary === undefined && level === 'off') return undefined
  let text = ''
  const toolCalls: Part[] = []
  const show = (what: string, part?: Part) => {
    if (part && level === 'stream') console.log(`[toolglot] ${what}`, JSON.stringify(part))
    return part ? [part] : []
  }
  const summarise = () => {
    Object.assign(debugSummary ?? {}, { originalText: text, toolCalls: JSON.stringify(toolCalls) })
    if (level !== 'parse') return
    console.log(`[toolglot] the model wrote:\n${highlight(text, protocol.extractToolCallSegments?.({ text, tools }))}`)
    console.log(`[toolglot] ${toolCalls.length} tool call${toolCalls.length === 1 ? '' : 's'}`)
    for (const call of toolCalls) console.log(`[toolglot]   ${JSON.stringify(call)}`)
  }
  return {
    input(part?: Part) {
      if (part?.type === 'text-delta') text += part.delta ?? ''
      return show('raw', part)
    },
    output(part?: Part) {
      if (part?.type === 'tool-call') toolCalls.push(part)
      if (!part) summarise()
      return show('out', part)
    },
  }
}

/** The text with its calls marked. */
function highlight(text: string, segments: readonly string[] = []): string {
  const style = styles[readEnvironment('DEBUG_PARSER_MW_STYLE')] ?? '30;42'
  // Line by line: many terminals end a style at a line break.
  const mark = (segment: string) => segment.replace(/^.*$/gm, line => `\u001b[${style}m${line}\u001b[0m`)
  return [...new Set(segments)].reduce((marked, segment) => marked.replaceAll(segment, mark), text)
}
