import type { FunctionTool } from '@toolglot/parser'
import type { EngineProtocol } from '../../src/protocols/protocol.js'

/**
 * What came out, in order: text, a thought, or a call with its input as a value (`raw` where it is
 * not JSON).
 */
export type Piece =
  | string
  | { readonly thought: string }
  | { readonly tool: string; readonly input: unknown }
  | { readonly tool: string; readonly raw: string }

export interface ReadOptions {
  readonly protocol: EngineProtocol
  readonly tools: readonly FunctionTool[]
  readonly chunks: readonly string[]
  readonly isCut?: boolean
  readonly options?: Record<string, unknown>
}

/**
 * Feeds chunks to the engine, checks the contract of its events on the way, and merges neighbouring
 * texts.
 */
export function readPieces({ protocol, tools, chunks, isCut = false, options = {} }: ReadOptions): {
  pieces: Piece[]
  problems: string[]
} {
  const pieces: Piece[] = []
  const problems: string[] = []
  let open: { toolName: string; deltas: string } | undefined
  const scanner = protocol.createScanner({
    tools,
    options,
    emit(event) {
      if (event.type === 'text') {
        if (open) throw new Error('text inside a call')
        const last = pieces.at(-1)
        if (typeof last === 'string') pieces[pieces.length - 1] = last + event.text
        else pieces.push(event.text)
      } else if (event.type === 'reasoning') {
        if (open) throw new Error('a thought inside a call')
        const last = pieces.at(-1)
        const before = typeof last === 'object' && 'thought' in last ? last.thought : undefined
        if (before === undefined) pieces.push({ thought: event.text })
        else pieces[pieces.length - 1] = { thought: before + event.text }
      } else if (event.type === 'call-start') {
        if (open) throw new Error('a call inside a call')
        open = { toolName: event.toolName, deltas: '' }
      } else if (event.type === 'call-delta') {
        if (!open) throw new Error('a delta outside a call')
        open.deltas += event.delta
      } else if (event.type === 'call-end') {
        if (open?.toolName !== event.toolName) throw new Error('a call that was not begun')
        if (open.deltas !== event.input) throw new Error('the deltas are not the input')
        open = undefined
        pieces.push(asPiece(event.toolName, event.input))
        if (event.problem) problems.push(event.problem.code)
      } else if (event.type === 'problem') problems.push(event.problem.code)
    },
  })
  for (const chunk of chunks) scanner.feed(chunk)
  scanner.end(isCut)
  if (open) throw new Error('a call that was not ended')
  return { pieces, problems }
}

function asPiece(tool: string, input: string): Piece {
  try {
    return { tool, input: JSON.parse(input) }
  } catch {
    return { tool, raw: input }
  }
}
