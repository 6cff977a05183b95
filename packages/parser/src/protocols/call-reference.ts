// Writes what connects a result to its call, where a format shows it: `$id` and `$place` in
//
//     {"name": "get_weather", "arguments": {…}, "id": "a1b2c3d4e"}
//     <|open|>message role="tool" tool="get_weather" index="1"<|sep|>
import { hasControlToken } from '../writing/control-tokens.js'
import type { FormatDefinition } from './format-definition.js'
import type { CallPosition, FormatContext } from './protocol.js'

/** A call, as far as its reference needs it. */
interface ReferencedCall {
  readonly toolCallId: string
  /** The tool's name as it is written. */
  readonly name: string
  /** The position among the calls or results that are written together, counted from 0. */
  readonly position: number
}

/**
 * Returns the values of `$id` and `$place`. A call whose position in the conversation is unknown
 * counts as one after all that are known.
 */
export function callReference(
  { callId }: Pick<FormatDefinition, 'callId'>,
  marks: readonly string[],
  { toolCallId, name, position }: ReferencedCall,
  { callPositions = new Map() }: FormatContext,
) {
  const place: CallPosition = callPositions.get(toolCallId) ?? {
    index: position,
    ordinal: callPositions.size + position,
  }
  const id = withoutMarks(toolCallId, marks) || String(place.index)
  return { id: callId?.(id, name, place.ordinal) ?? id, place: place.index + 1 }
}

/** Returns a name or an id that cannot be mistaken for a mark: `</result>` becomes `_result_`. */
export function withoutMarks(name: string, marks: readonly string[]): string {
  // Tags are read in any case.
  const lowerName = name.toLowerCase()
  const hasMark =
    marks.some(mark => lowerName.includes(mark.toLowerCase())) || hasControlToken(name)
  return hasMark ? name.replace(/[^\w.:-]+/g, '_') : name
}
