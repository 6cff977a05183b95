import { isJson } from '../engine/is-json.js'
import { isRecord } from '../schema/is-record.js'
import { finishWithCalls } from './finish-reason.js'
import type { Enqueue, PartTransformer } from './part-stream.js'
import { type FinishPart, isFinish, isTextDelta, isToolCallContent, type Part, type ToolCallContent } from './parts.js'

interface RescueOptions {
  /** Reads the text of the answer. */
  readonly texts: PartTransformer
  /** Reads what the provider says the model thought, if calls are looked for there. */
  readonly thoughts: PartTransformer | undefined
  /** Calls found in text wait for the end, so that none is made that the provider has understood as well. */
  readonly isHeld: boolean
  /** The tools of the request: among thoughts only calls of these count. */
  readonly toolNames: readonly string[]
}

/**
 * Finds calls beside those that the provider understood. Native calls pass untouched. A call among the thoughts is made only
 * if the model neither called nor said anything else.
 */
export function createRescueTransformer(options: RescueOptions): PartTransformer {
  const { texts, thoughts, isHeld, toolNames } = options
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
  /** Gives out what was held, as far as it is wanted; a call among thoughts only if nothing is wrong with it. */
  const release = (enqueue: Enqueue) => {
    const parts = hasAnswer
      ? withoutCalls(held, call => native.some(each => isSameCall(each, call)))
      : withoutCalls(thoughtParts, call => !toolNames.includes(call.toolName) || !isJson(call.input))
    hasThoughtCall = !hasAnswer && parts.length > 0
    held = []
    thoughtParts = []
    parts.forEach(enqueue)
  }

  return {
    transform(part, enqueue) {
      const id = toolIdOf(part)
      if (id !== undefined) nativeIds.add(id)
      if (isToolCallContent(part)) native.push(part)
      const thought = asText(part)
      if (thought) thoughts?.transform(thought, collectThought)
      const put = watch(enqueue)
      if (!isFinish(part)) return texts.transform(part, put)
      let finish: FinishPart = part
      texts.transform(part, each => {
        if (isFinish(each)) finish = each
        else put(each)
      })
      thoughts?.transform(part, collectThought)
      release(enqueue)
      enqueue(hasThoughtCall ? finishWithCalls(finish) : finish)
    },
    flush(enqueue, isCut) {
      texts.flush(watch(enqueue), isCut)
      thoughts?.flush(collectThought, isCut)
      release(enqueue)
    },
  }
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

/** A part of a thought as that of a text. */
function asText(part: Part): Part | undefined {
  return part.type.startsWith('reasoning-') ? { ...part, type: part.type.replace('reasoning', 'text') } : undefined
}

function isSameCall(left: ToolCallContent, right: ToolCallContent): boolean {
  return left.toolName === right.toolName && canonical(left.input) === canonical(right.input)
}

/** JSON text with its keys in order; text that is no JSON as it is. */
function canonical(input: string): string {
  // Some providers send nothing for no arguments.
  if (input.trim() === '') return '{}'
  if (!isJson(input)) return input
  return JSON.stringify(JSON.parse(input.replace(longNumbers, asString)), (_key, value: unknown) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  )
}

/** Numbers of more digits than JavaScript keeps, and strings, so that none is found inside of one. */
const longNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:e[+-]?\d+)?/gi

const asString = (token: string) => (token.startsWith('"') ? token : JSON.stringify(token))
