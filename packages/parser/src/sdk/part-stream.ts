import type { CallEndEvent, EngineEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { ParserOptions } from '../parser-options.js'
import { finishWithCalls, isOrdinaryStop } from './finish-reason.js'
import { type DeltaPart, hasId, type IdPart, isFinish, isTextDelta, type Part } from './parts.js'
import { createToolCallId } from './tool-call-id.js'

/** Makes the scanner of one text. */
export type ScannerFactory = (emit: (event: EngineEvent) => void) => Scanner
export type Enqueue = <Each extends Part>(part: Each) => void

/** Turns the parts of a provider's stream into those that the SDK expects of a model that calls tools. */
export interface PartTransformer {
  /** Takes one part; what comes of it, which may be nothing, is enqueued in order. */
  transform<Each extends Part>(part: Each, enqueue: Enqueue): void
  /** The stream is over. Ends what is still open: in a stream that breaks off that is a call that is cut. */
  flush(enqueue: Enqueue, isCut?: boolean): void
}

/** A text block of the provider's, from its text-start to its text-end. */
interface Block {
  readonly scanner: Scanner
  /** The provider's own text-start; sent when there is text to show, so that a block of calls leaves no empty text. */
  readonly start: IdPart
  /** The stretch of text or thought that is open towards the SDK. */
  open: { readonly type: StretchType; readonly id: string } | undefined
  readonly counts: { text: number; reasoning: number; calls: number }
  /** The call being read, and its parts as long as they may have to be taken back. */
  callId: string
  heldParts: Part[]
  /** The provider's text-end, where what it means depends on the finish reason. */
  end: IdPart | undefined
}

type StretchType = 'text' | 'reasoning'

/** Parts that say nothing of what the model goes on with. */
const silentParts = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

export function createPartTransformer(createScanner: ScannerFactory, options: ParserOptions): PartTransformer {
  const blocks = new Map<string, Block>()
  const { onError, emitRawToolCallTextOnError: isHeld = false } = options
  let hasWholeCall = false
  let enqueue: Enqueue = () => {}
  /** The delta being read: if all of it is text it is handed on as it is. */
  let current: DeltaPart | undefined

  const callPartsOf = ({ heldParts }: Block): Enqueue => (isHeld ? part => heldParts.push(part) : enqueue)
  const endStretch = (block: Block, end?: IdPart) => {
    if (!block.open) return
    const { type, id } = block.open
    enqueue(end?.id === id ? end : { ...(type === 'text' ? end : undefined), type: `${type}-end`, id })
    block.open = undefined
  }
  /** Each stretch of text between calls is a text of its own, so that the order is kept where it is shown. */
  const beginStretch = ({ start, counts }: Block, type: StretchType) => {
    const count = counts[type]++
    const place = type === 'text' ? `${count}` : `thought:${count}`
    const id = place === '0' ? start.id : `${start.id}:${place}`
    if (type === 'reasoning') enqueue({ type: 'reasoning-start', id })
    else enqueue(id === start.id ? start : { ...start, id })
    return { type, id }
  }
  const put = (block: Block, type: StretchType, delta: string) => {
    if (block.open?.type !== type) endStretch(block)
    block.open ??= beginStretch(block, type)
    const { id } = block.open
    enqueue(current?.delta === delta && current.id === id ? current : { type: `${type}-delta`, id, delta })
  }
  const endCall = (block: Block, { toolName, input, problem, raw, offset }: CallEndEvent) => {
    const { callId, heldParts } = block
    block.heldParts = []
    if (problem) onError?.(problem.message, { code: problem.code, toolName, toolCallId: callId, raw, offset })
    if (problem && isHeld) return put(block, 'text', raw)
    endStretch(block)
    heldParts.forEach(enqueue)
    enqueue({ type: 'tool-input-end', id: callId })
    enqueue({ type: 'tool-call', toolCallId: callId, toolName, input })
    if (!problem) hasWholeCall = true
  }
  const take = (block: Block, event: EngineEvent) => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return put(block, event.type, event.text)
      case 'call-start':
        if (!isHeld || block.open?.type === 'reasoning') endStretch(block)
        block.counts.calls++
        block.callId = createToolCallId()
        return callPartsOf(block)({ type: 'tool-input-start', id: block.callId, toolName: event.toolName })
      case 'call-delta':
        return callPartsOf(block)({ type: 'tool-input-delta', id: block.callId, delta: event.delta })
      case 'call-end':
        return endCall(block, event)
      case 'problem':
        onError?.(event.problem.message, { code: event.problem.code, raw: event.raw, offset: event.offset })
    }
  }
  const createBlock = (start: IdPart): Block => {
    const block: Block = {
      scanner: createScanner(event => take(block, event)),
      start,
      open: undefined,
      counts: { text: 0, reasoning: 0, calls: 0 },
      callId: '',
      heldParts: [],
      end: undefined,
    }
    blocks.set(start.id, block)
    return block
  }
  const endBlock = (block: Block, isCut: boolean) => {
    blocks.delete(block.start.id)
    block.scanner.end(isCut)
    const { text, reasoning, calls } = block.counts
    // The provider sent a text without any content; that is not ours to change.
    if (block.end && text + reasoning + calls === 0) block.open = beginStretch(block, 'text')
    endStretch(block, block.end)
  }
  const endAll = (isCut: boolean) => {
    for (const block of [...blocks.values()]) endBlock(block, isCut)
  }
  /** More came, so a text that ended inside a call was not cut there. */
  const endWaiting = () => {
    for (const block of [...blocks.values()]) if (block.end) endBlock(block, false)
  }

  return {
    transform(part, give) {
      enqueue = give
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
        if (!block) return give(part)
        block.end = part
        // Inside a call the finish reason decides whether it was cut; it comes right behind.
        if (!block.scanner.isInsideCall()) endBlock(block, false)
      } else if (isFinish(part)) {
        endAll(!isOrdinaryStop(part.finishReason))
        give(hasWholeCall ? finishWithCalls(part) : part)
      } else {
        if (part.type === 'error') endAll(true)
        else if (!silentParts.has(part.type)) endWaiting()
        give(part)
      }
    },
    flush(give, isCut = true) {
      enqueue = give
      endAll(isCut)
    },
  }
}

/** The parts that come of something. */
export function collectParts(run: (enqueue: Enqueue) => void): Part[] {
  const parts: Part[] = []
  run(part => parts.push(part))
  return parts
}
