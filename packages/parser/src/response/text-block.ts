import type { CallEndEvent, EmitEvent, ProblemEvent } from '../engine/events.js'
import type { Scanner } from '../engine/scanner.js'
import type { OnError } from '../options/parser-options.js'
import { repairsMetadata, unreadMetadata } from '../sdk/own-metadata.js'
import type { Part, ToolCallContent } from '../sdk/parts.js'
import type { JsonAnswerReader } from './json-answer.js'
import type { FoundCall, PartOutput } from './part-output.js'
import { createToolCallId } from './tool-call-id.js'

/** What the texts of one answer share. */
export interface TextBlockOptions {
  readonly output: PartOutput
  readonly report: OnError
  createScanner(emit: EmitEvent): Scanner
  /** Called for each call with the text that the model wrote for it. */
  readonly onCallRead?: ((raw: string) => void) | undefined
  /** Takes the calls, if they must wait for the end of the answer. */
  readonly holdCall?: ((call: FoundCall) => void) | undefined
  /** A call that cannot be read is emitted as text. */
  readonly emitsRawText: boolean
  /** Text before the first call is dropped if a call comes, with all that follows. */
  readonly stripsPreamble: boolean
  /** The application wants JSON: of an answer with JSON in a fence, only that JSON is emitted. */
  readonly createJsonAnswer?: ((emit: (text: string) => void) => JsonAnswerReader) | undefined
}

/** A span of text or reasoning that is open towards the SDK. */
interface OpenSpan {
  readonly type: 'text' | 'reasoning'
  readonly id: string
}

type SpanOutput = ReturnType<typeof createSpanOutput>

/**
 * Emits the spans of text and reasoning of one block. `start` is the text-start of the block. The
 * first span keeps its id, so that the provider's own deltas can be handed on.
 */
function createSpanOutput(start: Part, output: PartOutput) {
  const { id: blockId = '' } = start
  let span: OpenSpan | undefined
  /** Spans and calls so far: 0 as long as the block is empty. */
  let count = 0

  /** Emits a part of the open span: the provider's own part, or one with the same metadata. */
  const emit = (step: 'start' | 'delta' | 'end', own?: Part, delta?: string) => {
    if (!span) return
    const { type, id } = span
    if (own?.id === id && own.delta === delta) return output.emit(own)
    // The metadata of a text part does not belong to reasoning.
    const carried = type === 'text' ? own : undefined
    const change = delta === undefined ? {} : { delta }
    output.emit({ ...carried, type: `${type}-${step}`, id, ...change })
  }
  /** Begins a span, unless one of this type is open. */
  const begin = (type: OpenSpan['type']) => {
    if (span?.type === type) return
    emit('end')
    span = { type, id: type === 'text' && count === 0 ? blockId : `${blockId}:${count}` }
    count++
    emit('start', start)
  }
  return {
    begin,
    /** Emits text. `own` is the provider's delta: if all of it is this text, it is handed on. */
    emitText(type: OpenSpan['type'], text: string, own: Part | undefined) {
      begin(type)
      emit('delta', own, text)
    },
    end(own?: Part) {
      if (!span) return
      emit('end', own)
      span = undefined
      count++
    },
    countCall() {
      count++
    },
    isEmpty: () => count === 0,
    isInsideText: () => span?.type === 'text',
  }
}

export type TextBlock = ReturnType<typeof createTextBlock>

/**
 * Reads one text of the provider, from its text-start to its text-end, and emits its text, reasoning
 * and calls. Each span of text between calls is a text of its own, so that a user interface shows
 * things in the order in which they were written.
 */
export function createTextBlock(start: Part, options: TextBlockOptions) {
  const { output, report, emitsRawText, stripsPreamble, holdCall } = options
  const spans: SpanOutput = createSpanOutput(start, output)
  /** Otherwise the parts of a call are emitted when it ends: it may become text, or must wait. */
  const isStreamed = !emitsRawText && !holdCall
  /** The delta that is being read. */
  let currentDelta: Part | undefined
  let toolCallId = ''
  let preamble = ''
  let hasCall = false
  const emitText = (text: string) => spans.emitText('text', text, currentDelta)
  const jsonAnswer = options.createJsonAnswer?.(emitText)
  const writeText = jsonAnswer?.feed ?? emitText

  const beginCall = (toolName: string) => {
    jsonAnswer?.endBeforeCall()
    spans.countCall()
    toolCallId = createToolCallId()
    if (!emitsRawText) spans.end()
    if (isStreamed) output.emit({ type: 'tool-input-start', id: toolCallId, toolName })
  }
  const endCall = (event: CallEndEvent) => {
    const { problem, toolName, raw, offset, repairs } = event
    options.onCallRead?.(raw)
    if (problem) report(problem.message, { code: problem.code, toolName, toolCallId, raw, offset })
    const before = preamble
    preamble = ''
    // In rescue mode the model has native calls, so text in doubt is text.
    const isDoubt = problem?.code === 'doubtful-call' && holdCall !== undefined
    if (problem && (emitsRawText || isDoubt))
      return spans.emitText('text', before + raw, currentDelta)
    hasCall = true
    spans.end()
    const found = { call: toContent(event, toolCallId), repairs }
    if (holdCall) holdCall(found)
    else output.emitCall(found, isStreamed)
  }
  const scanner = options.createScanner(event => {
    switch (event.type) {
      case 'text':
        if (!stripsPreamble) return writeText(event.text)
        if (!hasCall) preamble += event.text
        return
      case 'reasoning':
        return spans.emitText('reasoning', event.text, currentDelta)
      case 'call-start':
        return beginCall(event.toolName)
      case 'call-delta':
        if (!isStreamed) return
        return output.emit({ type: 'tool-input-delta', id: toolCallId, delta: event.delta })
      case 'call-end':
        return endCall(event)
      case 'problem':
        return reportProblem(report, event, toolCallId)
    }
  })

  return {
    isInsideCall: scanner.isInsideCall,
    /** Reads a delta, which is the text of a part. */
    feed(part: Part, delta: string) {
      currentDelta = part
      scanner.feed(delta)
      // A delta without text may carry metadata.
      if (delta === '' && spans.isInsideText()) spans.emitText('text', delta, part)
      currentDelta = undefined
    },
    /** Ends the text. `textEnd` is the provider's own part, if it sent one. */
    end(isTruncated: boolean, textEnd?: Part) {
      scanner.end(isTruncated)
      if (preamble) writeText(preamble)
      jsonAnswer?.end()
      // The provider sent a text without any content: it is handed on like that.
      if (textEnd && spans.isEmpty()) spans.begin('text')
      spans.end(textEnd)
    },
  }
}

/** The call as a part, with what was done to read it and what is wrong with it. */
export function toContent(
  { toolName, input, raw, problem, repairs }: CallEndEvent,
  toolCallId: string,
): ToolCallContent {
  const call = { type: 'tool-call' as const, toolCallId, toolName, input }
  if (!problem && repairs.length === 0) return call
  const metadata = {
    ...(problem && unreadMetadata(raw, problem.message)),
    ...(repairs.length > 0 && repairsMetadata(repairs)),
  }
  return { ...call, providerMetadata: metadata }
}

function reportProblem(report: OnError, event: ProblemEvent, toolCallId: string): void {
  const { problem, toolName, raw, offset } = event
  const call = toolName === undefined ? {} : { toolName, toolCallId }
  report(problem.message, { code: problem.code, ...call, raw, offset })
}
