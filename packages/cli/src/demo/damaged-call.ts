import type { EngineProtocol, FunctionTool } from '@toolglot/parser'
import type { ScriptedCall } from './script.js'

const REMARK = ' (or in 45?)'

/**
 * Writes a call with a remark between its arguments, as a confused model does. Whether the remark
 * breaks the call depends on the format and the place (inside a string it does not), so each place
 * is tried with the parser. If no place breaks the call, its last argument is left out instead,
 * which the tool's schema does not allow.
 */
export function writeDamagedCall(
  protocol: EngineProtocol,
  { toolName, input }: ScriptedCall,
  tools: readonly FunctionTool[],
): string {
  const format = (args: unknown) =>
    protocol.formatToolCall({ toolCallId: '', toolName, input: args }, { tools })
  const text = format(input)
  const places = placesBetween(text, Object.entries(input))
  const damaged = places
    .map(at => text.slice(0, at) + REMARK + text.slice(at))
    .find(each => isUnreadableCall(protocol, each, tools))
  return damaged ?? format(Object.fromEntries(Object.entries(input).slice(0, -1)))
}

/**
 * Returns the offsets after the first argument's value and before the second one's name, the
 * likeliest first.
 */
function placesBetween(
  text: string,
  [first, second]: readonly (readonly [string, unknown])[],
): number[] {
  if (!first || !second) return []
  const value = String(first[1])
  const from = text.indexOf(value) + value.length
  const to = text.indexOf(second[0], from)
  if (from < value.length || to < 0) return []
  const places = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  // An offset before whitespace is probably between two arguments, not inside a mark.
  const isBeforeSpace = (at: number) => /\s/.test(text.charAt(at))
  return [...places.filter(isBeforeSpace), ...places.filter(at => !isBeforeSpace(at))]
}

/** Returns true for a text that is one call and nothing else, whose arguments are not JSON. */
function isUnreadableCall(
  protocol: EngineProtocol,
  text: string,
  tools: readonly FunctionTool[],
): boolean {
  const content = protocol.parseGeneratedText({ text, tools })
  const [part] = content
  if (content.length !== 1 || part?.type !== 'tool-call') return false
  try {
    JSON.parse(part.input)
    return false
  } catch {
    return true
  }
}
