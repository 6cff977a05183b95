import { isJson } from '../engine/is-json.js'
import { isRecord } from '../schema/is-record.js'
import { withToolCalls } from './finish-reason.js'
import { collectParts, type Enqueue, type PartTransformer } from './part-stream.js'
import {
  type FinishPart,
  isFinish,
  isReasoningDelta,
  isTextContent,
  isTextDelta,
  isToolCallContent,
  type Part,
  type TextDeltaPart,
  type ToolCallContent,
} from './parts.js'

export interface RescueOptions {
  /** Reads the text of the answer. */
  readonly texts: PartTransformer
  /** Reads what the provider says the model thought, if calls are looked for there. */
  readonly thoughts: PartTransformer | undefined
  /** Calls found in text wait for the end, so that none is made that the provider has understood as well. */
  readonly isHeld: boolean
}

/**
 * Finds calls beside those that the provider understood. Native calls pass untouched. A call among the thoughts is made only
 * if the model neither called nor said anything else.
 */
export function createRescueTransformer({ texts, thoughts, isHeld }: RescueOptions): PartTransformer {
  const native: ToolCallContent[] = []
  const nativeIds = new Set<unknown>()
  let held: Part[] = []
  let thoughtParts: Part[] = []
  let hasAnswer = false
  let hasThoughtCall = false

  const watch =
    (enqueue: Enqueue): Enqueue =>
    part => {
      const id = toolIdOf(part)
      const isFound = id !== undefined && !nativeIds.has(id)
      if (id !== undefined || (isTextDelta(part) && part.delta.trim() !== '')) hasAnswer = true
      if (isFound && isHeld) held.push(part)
      else enqueue(part)
    }
  const collectThought: Enqueue = part => {
    if (toolIdOf(part) !== undefined) thoughtParts.push(part)
  }
  /** Gives out what was held, as far as it is wanted. */
  const release = (enqueue: Enqueue) => {
    const parts = hasAnswer ? withoutCalls(held, call => native.some(each => isSameCall(each, call))) : []
    const thought = hasAnswer ? [] : withoutCalls(thoughtParts, call => !isRunnable(call))
    hasThoughtCall = thought.length > 0
    held = []
    thoughtParts = []
    for (const part of [...parts, ...thought]) enqueue(part)
  }

  return {
    transform(part, enqueue) {
      const id = toolIdOf(part)
      if (id !== undefined) nativeIds.add(id)
      if (isToolCallContent(part)) native.push(part)
      if (isReasoningDelta(part)) thoughts?.transform(asText(part), collectThought)
      if (!isFinish(part)) return texts.transform(part, watch(enqueue))
      const [finish, rest] = takeFinish(texts, part)
      rest.forEach(watch(enqueue))
      thoughts?.transform(part, collectThought)
      release(enqueue)
      const last: FinishPart = hasThoughtCall ? { ...finish, finishReason: withToolCalls(finish.finishReason) } : finish
      enqueue(last)
    },
    flush(enqueue, isCut) {
      texts.flush(watch(enqueue), isCut)
      thoughts?.flush(collectThought, isCut)
      release(enqueue)
    },
    hasWholeCall: () => texts.hasWholeCall() || hasThoughtCall,
  }
}

/** A call among thoughts is made only if nothing is wrong with it. */
export const isRunnable = (call: ToolCallContent) => isJson(call.input)

/** The same for a whole answer. */
export function rescueContent(
  content: readonly Part[],
  native: readonly ToolCallContent[],
  thoughtCalls: () => readonly ToolCallContent[],
): readonly Part[] {
  const isRepeated = (call: ToolCallContent) => !native.includes(call) && native.some(each => isSameCall(each, call))
  const found = content.filter(part => !isToolCallContent(part) || !isRepeated(part))
  const hasAnswer = found.some(part => isToolCallContent(part) || (isTextContent(part) && part.text.trim() !== ''))
  return hasAnswer ? found : [...found, ...thoughtCalls()]
}

function takeFinish(texts: PartTransformer, part: FinishPart): [FinishPart, Part[]] {
  const parts = collectParts(enqueue => texts.transform(part, enqueue))
  return [parts.find(isFinish) ?? part, parts.filter(each => !isFinish(each))]
}

/** The parts without those of calls that are not wanted. */
function withoutCalls(parts: readonly Part[], isUnwanted: (call: ToolCallContent) => boolean): Part[] {
  const unwanted = new Set(parts.filter(isToolCallContent).filter(isUnwanted).map(toolIdOf))
  return parts.filter(part => !unwanted.has(toolIdOf(part)))
}

/** The id of the call that a part belongs to. */
function toolIdOf(part: Part): unknown {
  if (!isRecord(part)) return undefined
  if (part.type === 'tool-call' || part.type === 'tool-result') return part.toolCallId
  return String(part.type).startsWith('tool-input-') ? part.id : undefined
}

function asText({ id, delta }: { readonly id: string; readonly delta: string }): TextDeltaPart {
  return { type: 'text-delta', id, delta }
}

function isSameCall(left: ToolCallContent, right: ToolCallContent): boolean {
  return left.toolName === right.toolName && canonical(left.input) === canonical(right.input)
}

/** JSON text with its keys in order; text that is no JSON as it is. */
function canonical(input: string): string {
  if (!isJson(input)) return input
  return JSON.stringify(JSON.parse(input), (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}
