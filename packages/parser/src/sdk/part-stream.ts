import type { CallEndEvent, EmitEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { ParserOptions } from '../parser-options.js'
import { finishWithCalls, isOrdinaryStop } from './finish-reason.js'
import type { DeltaPart, IdPart, Part, ToolCallContent } from './parts.js'
import { hasId, isDelta, isFinish, isToolCallContent } from './parts.js'
import { isSameCall } from './same-call.js'
import { createToolCallId } from './tool-call-id.js'

/** Turns the parts of a provider's stream into those that the SDK expects of a model that calls tools. */
export interface PartTransformer {
  /** What comes of a part, in order; it may be nothing. */
  transform<Each extends Part>(part: Each): readonly Part[]
  /** The stream is over. Ends what is still open: in a stream that breaks off that is a call that is cut. */
  flush(isCut?: boolean): readonly Part[]
}

interface PartOptions extends Pick<ParserOptions, 'onError' | 'emitRawToolCallTextOnError'> {
  /** The provider has the tools, too: calls found in text wait for the end, so that none is made that it has understood as well. */
  readonly isRescue?: boolean
  /** Calls among the parts were found in text too, but by someone else. */
  readonly hasForeignCalls?: boolean
  /** Makes the scanner of what the provider says the model thought, where calls are looked for there. */
  readonly createThoughtScanner?: ((emit: EmitEvent) => Scanner) | undefined
  /** The tools of the request: among thoughts only calls of these count. */
  readonly toolNames?: readonly string[]
}

/** A text block of the provider's, from its text-start to its text-end. */
interface Block {
  readonly id: string
  readonly scanner: Scanner
  /** The provider's text-end, where what it means depends on the finish reason. */
  end: IdPart | undefined
  /** Gives out the end of what is open. */
  close(): void
}

/** Parts that say nothing of what the model goes on with. */
const silentParts = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

export function createPartTransformer(
  createScanner: (emit: EmitEvent) => Scanner,
  options: PartOptions,
): PartTransformer {
  const { onError, emitRawToolCallTextOnError: isRaw = false, isRescue = false, createThoughtScanner } = options
  /** What has come of the part that is being read. */
  let given: Part[] = []
  /** The delta being read: if all of it is text it is handed on as it is. */
  let current: DeltaPart | undefined
  let hasWholeCall = false
  /** The model said or called something, so that what it thought of calling does not count. */
  let hasAnswer = false
  const blocks = new Map<string, Block>()
  const thoughts = new Map<string, Scanner>()
  const nativeCalls: ToolCallContent[] = []
  const rescuedCalls: ToolCallContent[] = []
  const thoughtCalls: ToolCallContent[] = []

  const give = <Each extends Part>(part: Each) => {
    given.push(part)
  }
  /** A call may still become text, or nothing: then it is given out when it is whole. */
  const isStreamed = !isRaw && !isRescue
  const giveInput = <Each extends Part>(part: Each) => {
    if (isStreamed) give(part)
  }
  const giveCall = (call: ToolCallContent, hasInput = false) => {
    const { toolCallId: id, toolName, input } = call
    if (!hasInput) {
      give({ type: 'tool-input-start', id, toolName })
      give({ type: 'tool-input-delta', id, delta: input })
    }
    give({ type: 'tool-input-end', id })
    give(call)
  }

  const openBlock = (start: IdPart): Block => {
    /** The stretch of text or thought that is open towards the SDK. */
    let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
    /** How many stretches and calls there were, and whether text was among them. */
    let count = 0
    let hasText = false
    let toolCallId = ''

    const endStretch = (end?: IdPart) => {
      if (!open) return
      const { type, id } = open
      give(end?.id === id ? end : { ...(type === 'text' ? end : undefined), type: `${type}-end`, id })
      open = undefined
    }
    /** Each stretch of text between calls is a text of its own, so that the order is kept where it is shown. */
    const beginStretch = (type: 'text' | 'reasoning') => {
      const isText = type === 'text'
      // The first text keeps the provider's id, so that its deltas can be handed on as they are.
      const id = isText && !hasText ? start.id : `${start.id}:${count}`
      open = { type, id }
      count++
      hasText ||= isText
      // The provider's own text-start is sent when there is text to show, so that a block of calls leaves no empty text.
      if (isText) give(id === start.id ? start : { ...start, id })
      else give({ type: 'reasoning-start', id })
      return open
    }
    const put = (type: 'text' | 'reasoning', delta: string) => {
      if (open?.type !== type) endStretch()
      const { id } = open ?? beginStretch(type)
      hasAnswer ||= type === 'text' && /\S/.test(delta)
      give(current?.delta === delta && current.id === id ? current : { type: `${type}-delta`, id, delta })
    }
    const endCall = (event: CallEndEvent) => {
      const { problem, toolName, raw, offset } = event
      if (problem) onError?.(problem.message, { code: problem.code, toolName, toolCallId, raw, offset })
      if (problem && isRaw) return put('text', raw)
      endStretch()
      hasAnswer = true
      hasWholeCall ||= !problem
      if (isRescue) rescuedCalls.push(callOf(event, toolCallId))
      else giveCall(callOf(event, toolCallId), isStreamed)
    }
    const scanner = createScanner(event => {
      switch (event.type) {
        case 'text':
        case 'reasoning':
          return put(event.type, event.text)
        case 'call-start':
          count++
          toolCallId = createToolCallId()
          if (!isRaw) endStretch()
          return giveInput({ type: 'tool-input-start', id: toolCallId, toolName: event.toolName })
        case 'call-delta':
          return giveInput({ type: 'tool-input-delta', id: toolCallId, delta: event.delta })
        case 'call-end':
          return endCall(event)
        case 'problem':
          onError?.(event.problem.message, { code: event.problem.code, raw: event.raw, offset: event.offset })
      }
    })
    const block: Block = {
      id: start.id,
      scanner,
      end: undefined,
      close() {
        // The provider sent a text without any content; that is not ours to change.
        if (block.end && count === 0) beginStretch('text')
        endStretch(block.end)
      },
    }
    blocks.set(start.id, block)
    return block
  }
  const endBlocks = (isCut: boolean, isEnded: (block: Block) => boolean = () => true) => {
    for (const block of [...blocks.values()].filter(isEnded)) {
      blocks.delete(block.id)
      block.scanner.end(isCut)
      block.close()
    }
  }

  /** Parts that are no text pass as they are; here it is seen what they mean. */
  const watch = (part: Part) => {
    if (part.type === 'error') endBlocks(true)
    else if (!silentParts.has(part.type)) endBlocks(false, block => block.end !== undefined)
    if (part.type.startsWith('tool-')) hasAnswer = true
    if (isToolCallContent(part)) nativeCalls.push(part)
    hasWholeCall ||= options.hasForeignCalls === true && part.type === 'tool-call'
    if (!createThoughtScanner || !hasId(part)) return
    if (isDelta(part, 'reasoning-delta')) thoughts.get(part.id)?.feed(part.delta)
    else if (part.type === 'reasoning-start') {
      thoughts.get(part.id)?.end()
      thoughts.set(part.id, createThoughtScanner(takeThought))
    }
  }
  const takeThought: EmitEvent = event => {
    if (event.type !== 'call-end' || event.problem || !options.toolNames?.includes(event.toolName)) return
    thoughtCalls.push(callOf(event, createToolCallId()))
  }
  const finish = (isCut: boolean) => {
    endBlocks(isCut)
    for (const scanner of thoughts.values()) scanner.end(isCut)
    thoughts.clear()
    const isNew = (call: ToolCallContent) => !nativeCalls.some(each => isSameCall(each, call))
    for (const call of rescuedCalls.splice(0).filter(isNew)) giveCall(call)
    if (hasAnswer) return
    hasWholeCall ||= thoughtCalls.length > 0
    for (const call of thoughtCalls.splice(0)) giveCall(call)
  }

  return {
    transform(part) {
      given = []
      if (isDelta(part, 'text-delta')) {
        const { scanner } = blocks.get(part.id) ?? openBlock({ type: 'text-start', id: part.id })
        current = part
        scanner.feed(part.delta)
        current = undefined
      } else if (part.type === 'text-start' && hasId(part)) {
        // More comes, so a text that ended inside a call was not cut there.
        endBlocks(false, block => block.end !== undefined || block.id === part.id)
        openBlock(part)
      } else if (part.type === 'text-end' && hasId(part)) {
        const ended = blocks.get(part.id)
        if (!ended) return [part]
        ended.end = part
        // Inside a call the finish reason decides whether it was cut; it comes right behind.
        if (!ended.scanner.isInsideCall()) endBlocks(false, block => block === ended)
      } else if (isFinish(part)) {
        finish(!isOrdinaryStop(part.finishReason))
        give(hasWholeCall ? finishWithCalls(part) : part)
      } else {
        watch(part)
        give(part)
      }
      return given
    },
    flush(isCut = true) {
      given = []
      finish(isCut)
      return given
    },
  }
}

function callOf({ toolName, input }: CallEndEvent, toolCallId: string): ToolCallContent {
  return { type: 'tool-call', toolCallId, toolName, input }
}
