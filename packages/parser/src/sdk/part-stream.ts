import type { CallEndEvent, EmitEvent, EngineEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { ParserOptions } from '../parser-options.js'
import { finishWithCalls, isOrdinaryStop } from './finish-reason.js'
import type { Part, ToolCallContent } from './parts.js'
import { type DeltaPart, hasId, type IdPart, isDelta, isFinish, isToolCallContent } from './parts.js'
import { isSameCall } from './same-call.js'
import { createToolCallId } from './tool-call-id.js'

export type Enqueue = <Each extends Part>(part: Each) => void

/** Turns the parts of a provider's stream into those that the SDK expects of a model that calls tools. */
export interface PartTransformer {
  /** Takes one part; what comes of it, which may be nothing, is enqueued in order. */
  transform<Each extends Part>(part: Each, enqueue: Enqueue): void
  /** The stream is over. Ends what is still open: in a stream that breaks off that is a call that is cut. */
  flush(enqueue: Enqueue, isCut?: boolean): void
}

interface PartOptions extends Pick<ParserOptions, 'onError' | 'emitRawToolCallTextOnError'> {
  /** The provider has the tools, too: calls found in text wait for the end, so that none is made that it has understood as well. */
  readonly isRescue?: boolean
  /** Makes the scanner of what the provider says the model thought, where calls are looked for there. */
  readonly createThoughtScanner?: ((emit: EmitEvent) => Scanner) | undefined
  /** The tools of the request: among thoughts only calls of these count. */
  readonly toolNames?: readonly string[]
}

/** A text block of the provider's, from its text-start to its text-end. */
interface Block {
  readonly scanner: Scanner
  /** The provider's own text-start; sent when there is text to show, so that a block of calls leaves no empty text. */
  readonly start: IdPart
  /** The stretch of text or thought that is open towards the SDK. */
  open: { readonly type: StretchType; readonly id: string } | undefined
  /** How many stretches and calls there were, and whether text was among them. */
  count: number
  hasText: boolean
  /** The call being read. */
  toolCallId: string
  /** The provider's text-end, where what it means depends on the finish reason. */
  end: IdPart | undefined
}

type StretchType = 'text' | 'reasoning'

/** Parts that say nothing of what the model goes on with. */
const silentParts = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

export function createPartTransformer(
  createScanner: (emit: EmitEvent) => Scanner,
  options: PartOptions,
): PartTransformer {
  const { onError, emitRawToolCallTextOnError: isRaw = false, isRescue = false, createThoughtScanner } = options
  const blocks = new Map<string, Block>()
  /** A call is given out when it is whole, since it may still become text, or nothing. */
  const isHeld = isRaw || isRescue
  let enqueue: Enqueue = () => {}
  /** The delta being read: if all of it is text it is handed on as it is. */
  let current: DeltaPart | undefined
  let hasWholeCall = false
  /** The model said or called something, so that what it thought of calling does not count. */
  let hasAnswer = false
  const nativeCalls: ToolCallContent[] = []
  const rescuedCalls: ToolCallContent[] = []
  const thoughts = new Map<string, Scanner>()
  const thoughtCalls: ToolCallContent[] = []

  const endStretch = (block: Block, end?: IdPart) => {
    if (!block.open) return
    const { type, id } = block.open
    enqueue(end?.id === id ? end : { ...(type === 'text' ? end : undefined), type: `${type}-end`, id })
    block.open = undefined
  }
  /** Each stretch of text between calls is a text of its own, so that the order is kept where it is shown. */
  const beginStretch = (block: Block, type: StretchType) => {
    const { start, hasText } = block
    const count = block.count++
    // The first text keeps the provider's id, so that its deltas can be handed on as they are.
    const id = type === 'text' && !hasText ? start.id : `${start.id}:${count}`
    block.open = { type, id }
    block.hasText ||= type === 'text'
    if (type === 'reasoning') enqueue({ type: 'reasoning-start', id })
    else enqueue(id === start.id ? start : { ...start, id })
    return block.open
  }
  const put = (block: Block, type: StretchType, delta: string) => {
    if (block.open?.type !== type) endStretch(block)
    const { id } = block.open ?? beginStretch(block, type)
    hasAnswer ||= type === 'text' && /\S/.test(delta)
    enqueue(current?.delta === delta && current.id === id ? current : { type: `${type}-delta`, id, delta })
  }
  const endCall = (call: ToolCallContent) => {
    enqueue({ type: 'tool-input-end', id: call.toolCallId })
    enqueue(call)
  }
  const putWholeCall = (call: ToolCallContent) => {
    const { toolCallId: id, toolName, input } = call
    enqueue({ type: 'tool-input-start', id, toolName })
    enqueue({ type: 'tool-input-delta', id, delta: input })
    endCall(call)
  }
  const takeCall = (block: Block, event: CallEndEvent) => {
    const { problem, toolName, raw, offset } = event
    const { toolCallId } = block
    if (problem) onError?.(problem.message, { code: problem.code, toolName, toolCallId, raw, offset })
    if (problem && isRaw) return put(block, 'text', raw)
    endStretch(block)
    hasAnswer = true
    hasWholeCall ||= !problem
    const call = callOf(event, toolCallId)
    if (isRescue) rescuedCalls.push(call)
    else if (isHeld) putWholeCall(call)
    else endCall(call)
  }
  const take = (block: Block, event: EngineEvent) => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return put(block, event.type, event.text)
      case 'call-start':
        block.count++
        block.toolCallId = createToolCallId()
        if (!isRaw) endStretch(block)
        if (isHeld) return
        return enqueue({ type: 'tool-input-start', id: block.toolCallId, toolName: event.toolName })
      case 'call-delta':
        if (!isHeld) enqueue({ type: 'tool-input-delta', id: block.toolCallId, delta: event.delta })
        return
      case 'call-end':
        return takeCall(block, event)
      case 'problem':
        onError?.(event.problem.message, { code: event.problem.code, raw: event.raw, offset: event.offset })
    }
  }
  const createBlock = (start: IdPart): Block => {
    const scanner = createScanner(event => take(block, event))
    const block: Block = { scanner, start, open: undefined, count: 0, hasText: false, toolCallId: '', end: undefined }
    blocks.set(start.id, block)
    return block
  }
  const endBlock = (block: Block, isCut: boolean) => {
    blocks.delete(block.start.id)
    block.scanner.end(isCut)
    // The provider sent a text without any content; that is not ours to change.
    if (block.end && block.count === 0) beginStretch(block, 'text')
    endStretch(block, block.end)
  }
  const endBlocks = (isCut: boolean, isEnded: (block: Block) => boolean = () => true) => {
    for (const block of [...blocks.values()].filter(isEnded)) endBlock(block, isCut)
  }
  const takeThought = (event: EngineEvent) => {
    if (event.type !== 'call-end' || event.problem || !options.toolNames?.includes(event.toolName)) return
    thoughtCalls.push(callOf(event, createToolCallId()))
  }
  /** Parts that are no text pass as they are; here it is seen what they mean. */
  const watch = (part: Part) => {
    if (part.type.startsWith('tool-')) hasAnswer = true
    if (isToolCallContent(part)) nativeCalls.push(part)
    if (!createThoughtScanner || !hasId(part)) return
    if (part.type === 'reasoning-start') {
      thoughts.get(part.id)?.end()
      thoughts.set(part.id, createThoughtScanner(takeThought))
    } else if (isDelta(part, 'reasoning-delta')) thoughts.get(part.id)?.feed(part.delta)
  }
  const finish = (isCut: boolean) => {
    endBlocks(isCut)
    for (const scanner of thoughts.values()) scanner.end(isCut)
    thoughts.clear()
    const isNew = (call: ToolCallContent) => !nativeCalls.some(each => isSameCall(each, call))
    rescuedCalls.splice(0).filter(isNew).forEach(putWholeCall)
    if (hasAnswer) return
    hasWholeCall ||= thoughtCalls.length > 0
    thoughtCalls.splice(0).forEach(putWholeCall)
  }

  return {
    transform(part, give) {
      enqueue = give
      if (isDelta(part, 'text-delta')) {
        const block = blocks.get(part.id) ?? createBlock({ type: 'text-start', id: part.id })
        current = part
        block.scanner.feed(part.delta)
        current = undefined
      } else if (part.type === 'text-start' && hasId(part)) {
        // More comes, so a text that ended inside a call was not cut there.
        endBlocks(false, block => block.end !== undefined || block.start.id === part.id)
        createBlock(part)
      } else if (part.type === 'text-end' && hasId(part)) {
        const block = blocks.get(part.id)
        if (!block) return give(part)
        block.end = part
        // Inside a call the finish reason decides whether it was cut; it comes right behind.
        if (!block.scanner.isInsideCall()) endBlock(block, false)
      } else if (isFinish(part)) {
        finish(!isOrdinaryStop(part.finishReason))
        give(hasWholeCall ? finishWithCalls(part) : part)
      } else {
        if (part.type === 'error') endBlocks(true)
        else if (!silentParts.has(part.type)) endBlocks(false, block => block.end !== undefined)
        watch(part)
        give(part)
      }
    },
    flush(give, isCut = true) {
      enqueue = give
      finish(isCut)
    },
  }
}

function callOf({ toolName, input }: CallEndEvent, toolCallId: string): ToolCallContent {
  return { type: 'tool-call', toolCallId, toolName, input }
}

/** The parts that come of something. */
export function collectParts(run: (enqueue: Enqueue) => void): Part[] {
  const parts: Part[] = []
  run(part => parts.push(part))
  return parts
}
