import type { CallEndEvent, EmitEvent, ProblemEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import {
  type CreateScanner,
  isForced,
  type OnError,
  type RequestContext,
} from '../options/parser-options.js'

import type { ToolChoice } from '../sdk/call-params.js'
import { requestState, unreadMetadata } from '../sdk/own-metadata.js'
import type { Part, ToolCallContent } from '../sdk/parts.js'
import { finishWithCalls, isOrdinaryStop } from './finish-reason.js'
import { identityOf } from './rescued-calls.js'
import { createToolCallId } from './tool-call-id.js'

/**
 * Turns the parts of a provider's stream into those that the SDK expects of a model that calls
 * tools: what comes of a part, in order; it may be nothing. Without a part the stream is over: what
 * is still open is ended, a call as one that is cut.
 */
export type PartReader = (part?: Part) => readonly Part[]

/** Reads a text of the provider's from its text-start to its text-end, or a thought. */
interface Block extends Scanner {
  /** The provider's text-end, where what it means depends on the finish reason. */
  textEnd?: Part
}

/** Parts that say nothing of what the model goes on with. */
const partsWithoutMeaning = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

export interface PartReaderOptions {
  /**
   * The provider has the tools, too. Calls found in text wait for the end, so that none is made
   * that it has understood as well; and they are looked for in its reasoning.
   */
  readonly isRescue?: boolean
  /** Called for each call with the text that the model wrote for it. */
  readonly onCallRead?: (raw: string) => void
}

export function createPartReader(
  createScanner: CreateScanner,
  { tools, options = {} }: RequestContext,
  { isRescue = false, onCallRead }: PartReaderOptions = {},
): PartReader {
  const { onError, emitRawToolCallTextOnError: isRaw = false, stripPreamble = false } = options
  /** A call may still become text, or nothing: then it is given out when it is whole. */
  const isStreamed = !isRaw && !isRescue
  /** What has come of the part that is being read. */
  let emitted: Part[] = []
  /** The delta being read: if all of it is text it is handed on as it is. */
  let current: Part | undefined
  /**
   * Only the first text may begin inside of a thought, and none behind a thought of the provider's.
   */
  let { startWithReasoning } = options
  /** The model said or called something, so that what it thought of calling does not count. */
  let hasAnswer = false
  /** A call was reported, so the application knows about it even if it is shown as text. */
  let hasProblem = false
  /** What is being read: texts by their ids, and the provider's thoughts. */
  const blocks = new Map<string, Block>()
  const calls: Part[] = []
  const rescuedCalls: ToolCallContent[] = []
  const reasoningCalls: ToolCallContent[] = []

  const report: OnError = (message, metadata) => {
    hasProblem ||= metadata.code !== 'held-limit'
    onError?.(message, metadata)
  }
  const emitPart = (part: Part) => {
    const { type, delta = '' } = part
    emitted.push(part)
    hasAnswer ||= type.startsWith('tool-') || (type === 'text-delta' && /\S/.test(delta))
    if (type === 'tool-call') calls.push(part)
  }
  const emitCall = (call: ToolCallContent, hasInput = false) => {
    const { toolCallId: id, toolName, input } = call
    if (!hasInput) {
      emitPart({ type: 'tool-input-start', id, toolName })
      emitPart({ type: 'tool-input-delta', id, delta: input })
    }
    emitPart({ type: 'tool-input-end', id })
    emitPart(call)
  }

  const openBlock = (start: Part): Block => {
    const { id: blockId = '' } = start
    /** The stretch of text or thought that is open towards the SDK. */
    let open: { readonly type: 'text' | 'reasoning'; readonly id: string } | undefined
    /** Grows with each stretch and call: 0 is a block in which nothing came yet. */
    let count = 0
    let toolCallId = ''
    /** Text that is dropped if a call comes, with all that follows. */
    let preamble = ''
    let hasCall = false

    /** A part of the open stretch: the provider's own, or one that carries the same. */
    const emitStretchPart = (
      step: 'start' | 'delta' | 'end',
      own?: Part,
      more: Pick<Part, 'delta'> = {},
    ) => {
      if (!open) return
      const { type, id } = open
      const isSame = own?.id === id && own.delta === more.delta
      emitPart(
        isSame
          ? own
          : { ...(type === 'text' ? own : undefined), type: `${type}-${step}`, id, ...more },
      )
    }
    /**
     * Ends the open stretch, and begins one of the type where there is one. Each stretch of text
     * between calls is a text of its own, so that the order is kept where it is shown. It begins
     * when there is text: a block of calls leaves no empty text.
     */
    const turnTo = (type?: 'text' | 'reasoning', end?: Part) => {
      if (open?.type === type) return
      emitStretchPart('end', end)
      // Text that comes first keeps the provider's id, so that its deltas can be handed on as they
      // are.
      open = type && { type, id: type === 'text' && count === 0 ? blockId : `${blockId}:${count}` }
      count++
      emitStretchPart('start', start)
    }
    const put = (type: 'text' | 'reasoning', delta: string) => {
      turnTo(type)
      emitStretchPart('delta', current, { delta })
    }
    const endCall = ({ problem, toolName, input, raw, offset }: CallEndEvent) => {
      onCallRead?.(raw)
      if (problem)
        report(problem.message, { code: problem.code, toolName, toolCallId, raw, offset })
      const text = preamble
      preamble = ''
      if (problem && isRaw) return put('text', text + raw)
      hasCall = true
      turnTo()
      const unread = problem && { providerMetadata: unreadMetadata(raw, problem.message) }
      const call: ToolCallContent = { type: 'tool-call', toolCallId, toolName, input, ...unread }
      if (isRescue) rescuedCalls.push(call)
      else emitCall(call, isStreamed)
    }
    const reportProblem = ({ problem, toolName, raw, offset }: ProblemEvent) => {
      const call = toolName === undefined ? {} : { toolName, toolCallId }
      report(problem.message, { code: problem.code, ...call, raw, offset })
    }
    const emit: EmitEvent = event => {
      switch (event.type) {
        case 'text':
          if (!stripPreamble) put('text', event.text)
          else if (!hasCall) preamble += event.text
          return
        case 'reasoning':
          return put('reasoning', event.text)
        case 'call-start':
          count++
          toolCallId = createToolCallId()
          if (!isRaw) turnTo()
          return (
            isStreamed &&
            emitPart({ type: 'tool-input-start', id: toolCallId, toolName: event.toolName })
          )
        case 'call-delta':
          return (
            isStreamed && emitPart({ type: 'tool-input-delta', id: toolCallId, delta: event.delta })
          )
        case 'call-end':
          return endCall(event)
        case 'problem':
          return reportProblem(event)
      }
    }
    const scanner = createScanner({ tools, options: { ...options, startWithReasoning }, emit })
    startWithReasoning = false
    const block: Block = {
      ...scanner,
      feed(delta) {
        scanner.feed(delta)
        // A delta without text may carry something else.
        if (delta === '' && open?.type === 'text') put('text', delta)
      },
      end(isCut) {
        scanner.end(isCut)
        if (preamble) put('text', preamble)
        // The provider sent a text without any content; that is not ours to change.
        if (block.textEnd && count === 0) turnTo('text')
        turnTo(undefined, block.textEnd)
      },
    }
    blocks.set(blockId, block)
    return block
  }
  const endBlocks = (isCut: boolean, isOver: (block: Block) => boolean = () => true) => {
    for (const [id, block] of blocks) {
      if (!isOver(block)) continue
      blocks.delete(id)
      block.end(isCut)
    }
  }

  const openReasoning = (key: string) => {
    const thoughtOptions = {
      ...options,
      toolChoice: undefined,
      startWithReasoning: false,
      callsInReasoning: true,
    }
    const emit: EmitEvent = event => {
      // A call among the thoughts is one only if there is nothing wrong with it.
      if (
        event.type !== 'call-end' ||
        event.problem ||
        !tools.some(tool => tool.name === event.toolName)
      )
        return
      const { toolName, input } = event
      reasoningCalls.push({ type: 'tool-call', toolCallId: createToolCallId(), toolName, input })
    }
    blocks.get(key)?.end()
    blocks.set(key, createScanner({ tools, options: thoughtOptions, emit }))
  }
  const finish = (isCut: boolean) => {
    endBlocks(isCut)
    const late = (hasAnswer || rescuedCalls.length > 0 ? rescuedCalls : reasoningCalls).splice(0)
    const made = new Set(late.length > 0 ? calls.map(identityOf) : [])
    for (const call of late) if (!made.has(identityOf(call))) emitCall(call)
  }

  return part => {
    emitted = []
    const { type, id = '', delta } = part ?? { type: 'end' }
    const block = blocks.get(id)
    if (!part) finish(true)
    else if (type === 'text-delta' && delta !== undefined) {
      const { feed } = block ?? openBlock({ type: 'text-start', id })
      current = part
      feed(delta)
      current = undefined
    } else if (type === 'text-end') {
      // A text that an error has ended needs no other end.
      if (!block) return emitted
      block.textEnd = part
      // Inside a call the finish reason decides whether it was cut; it comes right behind.
      if (!block.isInsideCall()) endBlocks(false, each => each === block)
    } else if (type === 'finish') {
      finish(!isOrdinaryStop(part.finishReason))
      if (isForced(options.toolChoice) && calls.length === 0 && !hasProblem) {
        onError?.(describeMissingCall(options.toolChoice), { code: 'forced-missing' })
      }
      emitPart(calls.some(isWholeCall) ? finishWithCalls(part) : part)
    } else {
      const isError = type === 'error'
      // More comes, so a text that ended inside a call was not cut there.
      const isOver = (each: Block) =>
        isError || each.textEnd !== undefined || (type === 'text-start' && each === block)
      if (!partsWithoutMeaning.has(type)) endBlocks(isError, isOver)
      if (type === 'text-start') openBlock(part)
      else emitPart(part)
      if (type === 'reasoning-start') startWithReasoning = false
      if (type === 'reasoning-start' && (options.callsInReasoning ?? isRescue))
        openReasoning(`reasoning ${id}`)
      if (type === 'reasoning-delta') blocks.get(`reasoning ${id}`)?.feed(delta ?? '')
    }
    return emitted
  }
}

/** `the model had to call "get_weather", and its answer contains no call` */
function describeMissingCall({ toolName }: ToolChoice): string {
  const what = toolName === undefined ? 'one of the tools' : JSON.stringify(toolName)
  return `the model had to call ${what}, and its answer contains no call`
}

/** True for a call that the SDK may run. */
const isWholeCall = (call: Part) =>
  !call.providerExecuted && requestState(call.providerMetadata).problem === undefined
