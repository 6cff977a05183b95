import { bareJsonCalls, jsonCalls } from '../engine/bodies/json-body.js'
import type { CallGrammar } from '../engine/body.js'
import type { ToolChoice } from '../parser-options.js'

/** True where the model was told that it must call a tool. */
export function isForced(toolChoice: ToolChoice | undefined): toolChoice is ToolChoice {
  return toolChoice?.type === 'required' || toolChoice?.type === 'tool'
}

/**
 * How the answer to a forced choice may look besides the protocol's own form: JSON, bare or in a fence. The request asked
 * for it as a JSON response.
 */
export const forcedGrammars: readonly CallGrammar[] = [
  jsonCalls(...['```json', '```JSON', '```tool_call', '```'].map(open => ({ open, close: '```', isWeak: true }))),
  bareJsonCalls,
]
