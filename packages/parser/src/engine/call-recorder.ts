import { type ArgumentWriter, createArgumentWriter } from './argument-writer.js'
import type { CallEndEvent, EmitEvent, Problem } from './events.js'
import type { ToolShapes } from './grammar.js'
import { createTextCollector } from './text/text-collector.js'
import { isJson } from './values/scalar.js'

export type CallRecorder = ReturnType<typeof createCallRecorder>

interface CallRecorderOptions {
  readonly tools: ToolShapes
  readonly maxHeldChars: number
  readonly emit: EmitEvent
}

/**
 * The open call of a text: it gets a writer for its arguments, and its events are emitted. A format
 * that is only tried has one too, whose events go nowhere.
 */
export function createCallRecorder({ tools, maxHeldChars, emit }: CallRecorderOptions) {
  let toolName = ''
  /** Writes the arguments of the open call. */
  let writer: ArgumentWriter | undefined
  /** The arguments that were emitted so far. */
  const input = createTextCollector()
  /** The call that ended last. It waits for the markup after it: `…</tool_call>|` */
  let endedCall: CallEndEvent | undefined

  /** Emits what was written since the last time, and then text as it is. */
  const flush = (rawText = '') => {
    const delta = (writer?.take() ?? '') + rawText
    if (delta === '') return
    input.push(delta)
    emit({ type: 'call-delta', delta })
  }
  /** Emits the call that ended last, if it was not yet. Its raw text may have grown. */
  const emitEnded = (raw = endedCall?.raw ?? '') => {
    if (endedCall) emit({ ...endedCall, raw })
    endedCall = undefined
  }

  /** Takes the input of a call that must not run, so that it does not look complete (decision 16). */
  const takeInvalidInput = (): string => {
    const text = input.take()
    const isEmpty = text.trim() === ''
    if (!isEmpty && !isJson(text)) return text
    // An empty input counts as an empty object for the SDK.
    flush(isEmpty ? '{' : ' (malformed)')
    return text + input.take()
  }

  return {
    flush,
    emitEnded,
    endedRaw: () => endedCall?.raw ?? '',
    toolName: () => toolName,
    /** Begins a call with the name that was written, or with the one that is forced. */
    begin(writtenName: string): ArgumentWriter {
      emitEnded()
      toolName = tools.forcedToolName ?? writtenName
      writer = createArgumentWriter(tools.shapeOf(writtenName), maxHeldChars)
      emit({ type: 'call-start', toolName })
      return writer
    },
    /**
     * Ends the open call; returns false if there is none. `takeRaw` returns the call as the model
     * wrote it.
     */
    end(problem: Problem | undefined, takeRaw: () => string, offset: number): boolean {
      if (!writer) return false
      flush()
      const found = problem ?? writer.error()
      writer = undefined
      endedCall = {
        type: 'call-end',
        toolName,
        input: found ? takeInvalidInput() : input.take(),
        raw: takeRaw(),
        offset,
        problem: found,
      }
      return true
    },
  }
}
