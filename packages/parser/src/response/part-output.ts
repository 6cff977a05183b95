import type { Repair } from '../engine/repairs.js'
import type { OnRepair } from '../options/parser-options.js'
import { requestState } from '../sdk/own-metadata.js'
import type { Part, ToolCallContent } from '../sdk/parts.js'

/** A call that was read, and what was done to read it. */
export interface FoundCall {
  readonly call: ToolCallContent
  readonly repairs: readonly Repair[]
}

export type PartOutput = ReturnType<typeof createPartOutput>

/** Collects the parts that the SDK gets, and remembers what the answer contains so far. */
export function createPartOutput(onRepair?: OnRepair) {
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
    emitCall({ call, repairs }: FoundCall, wasStreamed: boolean) {
      const { toolCallId: id, toolName, input } = call
      for (const repair of repairs) onRepair?.(repair, { toolCallId: id, toolName })
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
