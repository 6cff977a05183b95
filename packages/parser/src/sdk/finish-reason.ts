import { isRecord } from '../schema/is-record.js'

/** AI SDK 5 has a string, 6 and 7 an object `{ unified, raw }`. */
function unifiedReason(finishReason: unknown): string {
  if (isRecord(finishReason)) return String(finishReason.unified)
  return String(finishReason)
}

/** True where the model stopped by itself, so that a call that lacks only its end may be taken as meant. */
export function isOrdinaryStop(finishReason: unknown): boolean {
  const reason = unifiedReason(finishReason)
  return reason === 'stop' || reason === 'tool-calls'
}

/** The reason with which the SDK runs the tools, in the shape of the given one. Anything but an ordinary stop stays. */
export function withToolCalls(finishReason: unknown): unknown {
  if (unifiedReason(finishReason) !== 'stop') return finishReason
  return isRecord(finishReason) ? { ...finishReason, unified: 'tool-calls' } : 'tool-calls'
}
