import type { CallEndEvent, EmitEvent, ProblemEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { OnError } from '../options/parser-options.js'
import { unreadMetadata } from '../sdk/own-metadata.js'
import type { Part, ToolCallContent } from '../sdk/parts.js'
import type { PartOutput } from './part-output.js'
import { createToolCallId } from './tool-call-id.js'

/** What the texts of one answer share. */
export interface TextBlockOptions {
  readonly output: PartOutput
  readonly report: OnError
  createScanner(emit: EmitEvent): Scanner
  /** Called for each call with the text that the model wrote for it. */
  readonly onCallRead?: ((raw: string) => void) | undefined
  /** Takes the calls, if they must wait for the end of the answer. */
  readonly holdCall?: ((call: ToolCallContent) => void) | undefined
  /** A call that cannot be read is emitted as text. */
  readonly emitsRawText: boolean
  /** Text before the first call is dropped if a call comes, with all that follows. */
  readonly stripsPreamble: boolean
}

/** A span of text or reasoning that is open towards the SDK. */
interface OpenSpan {
  readonly type: 'text' | 'reasoning'
  readonly id: string
}

export type TextBlock = ReturnType<typeof createTextBlock>

/**
 * Reads one text of the provider, from its text-start to its text-end, and emits its text, reasoning
 * and calls. Each span of text between calls is a text of its own, so that a user interface shows
 * things in the order in which they were written.
 */
export function createTextBlock(start: Part, options: TextBlockOptions) {
  const { output, report, emitsRawText, stripsPreamble, holdCall } = options
  const { id: blockId = '' } = start
  /** A call may still become text, or wait: then its parts are emitted when it is complete. */
  const isStreamed = !emitsRawText && !holdCall
  let span: OpenSpan | undefined
  /** Spans and calls so far: 0 is a block in which nothing came yet. */
  let count = 0
  /** The delta that is being read. If all of it is text, it is handed on as it is. */
  let currentDelta: Part | undefined
  let toolCallId = ''
  let preamble = ''
  let hasCall = false

  /** Emits a part of the open span: the provider's own, or one with the same metadata. */
  const emitSpanPart = (step: 'start' | 'delta' | 'end', own?: Part, delta?: string) => {
    if (!span) return
    const { type, id } = span
    if (own?.id === id && own.delta === delta) return output.emit(own)
    // What a text part carries besides its text is not for reasoning.
    const carried = type === 'text' ? own : undefined
    const change = delta === undefined ? {} : { delta }
    output.emit({ ...carried, type: `${type}-${step}`, id, ...change })
  }
  const endSpan = (own?: Part) => {
    if (!span) return
    emitSpanPart('end', own)
    span = undefined
    count++
  }
  /** Begins a span when there is text: a block of calls leaves no empty text. */
  const beginSpan = (type: OpenSpan['type']) => {
    if (span?.type === type) return
    emitSpanPart('end')
    // Text that comes first keeps the provider's id, so that its deltas can be handed on.
    span = { type, id: type === 'text' && count === 0 ? blockId : `${blockId}:${count}` }
    count++
    emitSpanPart('start', start)
  }
  const emitText = (type: OpenSpan['type'], text: string) => {
    beginSpan(type)
    emitSpanPart('delta', currentDelta, text)
  }

  const beginCall = (toolName: string) => {
    count++
    toolCallId = createToolCallId()
    if (!emitsRawText) endSpan()
    if (isStreamed) output.emit({ type: 'tool-input-start', id: toolCallId, toolName })
  }
  const endCall = ({ problem, toolName, input, raw, offset }: CallEndEvent) => {
    options.onCallRead?.(raw)
    if (problem) report(problem.message, { code: problem.code, toolName, toolCallId, raw, offset })
    const before = preamble
    preamble = ''
    if (problem && emitsRawText) return emitText('text', before + raw)
    hasCall = true
    endSpan()
    const unread = problem && { providerMetadata: unreadMetadata(raw, problem.message) }
    const call: ToolCallContent = { type: 'tool-call', toolCallId, toolName, input, ...unread }
    if (holdCall) holdCall(call)
    else output.emitCall(call, isStreamed)
  }
  const reportProblem = ({ problem, toolName, raw, offset }: ProblemEvent) => {
    const call = toolName === undefined ? {} : { toolName, toolCallId }
    report(problem.message, { code: problem.code, ...call, raw, offset })
  }
  const scanner = options.createScanner(event => {
    switch (event.type) {
      case 'text':
        if (!stripsPreamble) return emitText('text', event.text)
        if (!hasCall) preamble += event.text
        return
      case 'reasoning':
        return emitText('reasoning', event.text)
      case 'call-start':
        return beginCall(event.toolName)
      case 'call-delta':
        if (!isStreamed) return
        return output.emit({ type: 'tool-input-delta', id: toolCallId, delta: event.delta })
      case 'call-end':
        return endCall(event)
      case 'problem':
        return reportProblem(event)
    }
  })

  return {
    isInsideCall: scanner.isInsideCall,
    /** Reads a delta, which is the text of a part. */
    feed(part: Part, delta: string) {
      currentDelta = part
      scanner.feed(delta)
      // A delta without text may carry something else.
      if (delta === '' && span?.type === 'text') emitText('text', delta)
      currentDelta = undefined
    },
    /** Ends the text. `textEnd` is the provider's own part, if it sent one. */
    end(isTruncated: boolean, textEnd?: Part) {
      scanner.end(isTruncated)
      if (preamble) emitText('text', preamble)
      // The provider sent a text without any content: it is handed on like that.
      if (textEnd && count === 0) beginSpan('text')
      endSpan(textEnd)
    },
  }
}
