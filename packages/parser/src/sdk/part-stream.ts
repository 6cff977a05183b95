import type { CallEndEvent, EngineEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { ParserOptions } from '../parser-options.js'
import { isOrdinaryStop, withToolCalls } from './finish-reason.js'
import {
  type Content,
  type FinishPart,
  hasId,
  type IdPart,
  isFinish,
  isReasoningDelta,
  isTextDelta,
  isToolCallContent,
  type Part,
  type ReasoningDeltaPart,
  type TextDeltaPart,
  type ToolCallContent,
  type ToolInputDeltaPart,
  type ToolInputStartPart,
} from './parts.js'
import { createToolCallId } from './tool-call-id.js'

/** Makes the scanner of one text. */
export type ScannerFactory = (emit: (event: EngineEvent) => void) => Scanner
export type Enqueue = (part: Part) => void

/** Turns the parts of a provider's stream into those that the SDK expects of a model that calls tools. */
export interface PartTransformer {
  /** Takes one part; what comes of it, which may be nothing, is enqueued in order. */
  transform(part: Part, enqueue: Enqueue): void
  /** The stream is over. Ends what is still open: in a stream that breaks off that is a call that is cut. */
  flush(enqueue: Enqueue, isCut?: boolean): void
  /** True once a call came out that is complete. */
  hasWholeCall(): boolean
}

/** A text block of the provider's, from its text-start to its text-end. */
interface Block {
  readonly scanner: Scanner
  /** The provider's own text-start; sent when there is text to show, so that a block of calls leaves no empty text. */
  readonly start: IdPart
  /** The id of the text that is open towards the SDK, and of the thought. */
  openId: string | undefined
  thoughtId: string | undefined
  thoughtCount: number
  textCount: number
  callCount: number
  /** The call being read, and its parts as long as they may have to be taken back. */
  callId: string
  heldParts: Part[]
  /** The provider's text-end, where what it means depends on the finish reason. */
  end: IdPart | undefined
}

/** Parts that say nothing of what the model goes on with. */
const silentParts = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

export function createPartTransformer(createScanner: ScannerFactory, options: ParserOptions): PartTransformer {
  const blocks = new Map<string, Block>()
  const { onError, emitRawToolCallTextOnError: isHeld = false } = options
  let hasWholeCall = false
  let enqueue: Enqueue = () => {}
  /** The delta being read: if all of it is text it is handed on as it is. */
  let current: TextDeltaPart | undefined

  const putCallPart = (block: Block, part: Part) => {
    if (isHeld) block.heldParts.push(part)
    else enqueue(part)
  }
  const endThought = (block: Block) => {
    if (block.thoughtId === undefined) return
    const end: IdPart = { type: 'reasoning-end', id: block.thoughtId }
    enqueue(end)
    block.thoughtId = undefined
  }
  const putThought = (block: Block, delta: string) => {
    endText(block)
    if (block.thoughtId === undefined) {
      block.thoughtId = `${block.start.id}:thought:${block.thoughtCount++}`
      const start: IdPart = { type: 'reasoning-start', id: block.thoughtId }
      enqueue(start)
    }
    const part: ReasoningDeltaPart = { type: 'reasoning-delta', id: block.thoughtId, delta }
    enqueue(part)
  }
  const putText = (block: Block, delta: string) => {
    endThought(block)
    if (block.openId === undefined) {
      // Each stretch of text between calls is a text of its own, so that the order is kept where it is shown.
      block.openId = block.textCount === 0 ? block.start.id : `${block.start.id}:${block.textCount}`
      block.textCount++
      const start: IdPart = block.openId === block.start.id ? block.start : { ...block.start, id: block.openId }
      enqueue(start)
    }
    const isUnchanged = current !== undefined && current.delta === delta && current.id === block.openId
    enqueue(isUnchanged && current ? current : textDelta(block.openId, delta))
  }
  const endText = (block: Block, end?: IdPart) => {
    if (block.openId === undefined) return
    const part: IdPart = end?.id === block.openId ? end : { ...end, type: 'text-end', id: block.openId }
    enqueue(part)
    block.openId = undefined
  }
  const endCall = (block: Block, event: CallEndEvent) => {
    const { toolName, input, problem, raw, offset } = event
    const { callId, heldParts } = block
    block.heldParts = []
    if (problem) onError?.(problem.message, { code: problem.code, toolName, toolCallId: callId, raw, offset })
    if (problem && isHeld) return putText(block, raw)
    for (const part of heldParts) enqueue(part)
    const inputEnd: IdPart = { type: 'tool-input-end', id: callId }
    enqueue(inputEnd)
    enqueue(toolCall(callId, toolName, input))
    if (!problem) hasWholeCall = true
  }
  const createBlock = (start: IdPart): Block => {
    const block: Block = {
      scanner: createScanner(event => take(block, event)),
      start,
      openId: undefined,
      thoughtId: undefined,
      thoughtCount: 0,
      textCount: 0,
      callCount: 0,
      callId: '',
      heldParts: [],
      end: undefined,
    }
    blocks.set(start.id, block)
    return block
  }
  const take = (block: Block, event: EngineEvent) => {
    switch (event.type) {
      case 'text':
        return putText(block, event.text)
      case 'reasoning':
        return putThought(block, event.text)
      case 'call-start':
        if (!isHeld) endText(block)
        endThought(block)
        block.callCount++
        block.callId = createToolCallId()
        return putCallPart(block, toolInputStart(block.callId, event.toolName))
      case 'call-delta':
        return putCallPart(block, toolInputDelta(block.callId, event.delta))
      case 'call-end':
        if (isHeld && !event.problem) endText(block)
        return endCall(block, event)
      case 'problem':
        onError?.(event.problem.message, { code: event.problem.code, raw: event.raw, offset: event.offset })
    }
  }
  const endBlock = (block: Block, isCut: boolean) => {
    blocks.delete(block.start.id)
    block.scanner.end(isCut)
    endThought(block)
    const isEmpty = block.textCount + block.thoughtCount + block.callCount === 0
    if (isEmpty && block.end) {
      // The provider sent a text without any content; that is not ours to change.
      enqueue(block.start)
      enqueue(block.end)
    } else endText(block, block.end)
  }
  const endAll = (isCut: boolean) => {
    for (const block of [...blocks.values()]) endBlock(block, isCut)
  }
  /** More came, so a text that ended inside a call was not cut there. */
  const endWaiting = () => {
    for (const block of [...blocks.values()]) if (block.end) endBlock(block, false)
  }
  const finish = (part: FinishPart): FinishPart => {
    endAll(!isOrdinaryStop(part.finishReason))
    if (!hasWholeCall) return part
    const finishReason = withToolCalls(part.finishReason)
    return finishReason === part.finishReason ? part : { ...part, finishReason }
  }

  return {
    transform(part, put) {
      enqueue = put
      if (isTextDelta(part)) {
        const block = blocks.get(part.id) ?? createBlock({ type: 'text-start', id: part.id })
        current = part
        block.scanner.feed(part.delta)
        current = undefined
      } else if (part.type === 'text-start' && hasId(part)) {
        endWaiting()
        const before = blocks.get(part.id)
        if (before) endBlock(before, false)
        createBlock(part)
      } else if (part.type === 'text-end' && hasId(part)) {
        const block = blocks.get(part.id)
        if (!block) return put(part)
        block.end = part
        // Inside a call the finish reason decides whether it was cut; it comes right behind.
        if (!block.scanner.isInsideCall()) endBlock(block, false)
      } else if (isFinish(part)) put(finish(part))
      else {
        if (part.type === 'error') endAll(true)
        else if (!silentParts.has(part.type)) endWaiting()
        put(part)
      }
    },
    flush(put, isCut = true) {
      enqueue = put
      endAll(isCut)
    },
    hasWholeCall: () => hasWholeCall,
  }
}

/** The parts that come of something. */
export function collectParts(run: (enqueue: Enqueue) => void): Part[] {
  const parts: Part[] = []
  run(part => parts.push(part))
  return parts
}

/** Reads a whole text: the stream's way, fed with a single delta. */
export function parseText(transformer: PartTransformer, text: string, isCut: boolean): Content[] {
  const content: Content[] = []
  const add = (type: 'text' | 'reasoning', text: string) => {
    const last = content.at(-1)
    if (last?.type === type) content[content.length - 1] = { type, text: last.text + text }
    else content.push({ type, text })
  }
  const collect: Enqueue = part => {
    if (isTextDelta(part)) add('text', part.delta)
    else if (isReasoningDelta(part)) add('reasoning', part.delta)
    else if (isToolCallContent(part)) content.push(part)
  }
  transformer.transform(textDelta('0', text), collect)
  transformer.flush(collect, isCut)
  return content
}

function textDelta(id: string, delta: string): TextDeltaPart {
  return { type: 'text-delta', id, delta }
}

function toolInputStart(id: string, toolName: string): ToolInputStartPart {
  return { type: 'tool-input-start', id, toolName }
}

function toolInputDelta(id: string, delta: string): ToolInputDeltaPart {
  return { type: 'tool-input-delta', id, delta }
}

function toolCall(toolCallId: string, toolName: string, input: string): ToolCallContent {
  return { type: 'tool-call', toolCallId, toolName, input }
}
