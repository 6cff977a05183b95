import { requestState } from '../sdk/own-metadata.js'
import type { Part, ToolCallContent } from '../sdk/parts.js'

export type PartOutput = ReturnType<typeof createPartOutput>

/** Collects the parts that the SDK gets, and remembers what the answer contains so far. */
export function createPartOutput() {
  let parts: Part[] = []
  const calls: Part[] = []
  let hasAnswer = false

  const emit = (part: Part) => {
    const { type, delta = '' } = part
    parts.push(part)
    hasAnswer ||= type.startsWith('tool-') || (type === 'text-delta' && /\S/.test(delta))
    if (type === 'tool-call') calls.push(part)
  }
  return {
    emit,
    /** Emits a call. If its input was streamed, only the end of that is missing. */
    emitCall(call: ToolCallContent, wasStreamed: boolean) {
      const { toolCallId: id, toolName, input } = call
      if (!wasStreamed) {
        emit({ type: 'tool-input-start', id, toolName })
        emit({ type: 'tool-input-delta', id, delta: input })
      }
      emit({ type: 'tool-input-end', id })
      emit(call)
    },
    /** Returns the parts since the last time. */
    take(): readonly Part[] {
      const taken = parts
      parts = []
      return taken
    },
    /** Text or a call was emitted, so calls in the provider's reasoning are ignored. */
    hasAnswer: () => hasAnswer,
    calls: (): readonly Part[] => calls,
    /** A call was emitted that the SDK may run. */
    hasWholeCall: () => calls.some(isWholeCall),
  }
}

const isWholeCall = (call: Part) =>
  !call.providerExecuted && requestState(call.providerMetadata).problem === undefined
