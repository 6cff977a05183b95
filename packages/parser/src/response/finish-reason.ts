import { isRecord } from '../is-record.js'
import type { Part } from '../sdk/parts.js'

/** AI SDK 5 has a string, 6 and 7 an object `{ unified, raw }`. */
const unifiedReason = (finishReason: unknown) =>
  isRecord(finishReason) ? finishReason.unified : finishReason

/**
 * True where the model stopped by itself, so that a call that lacks only its end may be taken as
 * meant.
 */
export const isOrdinaryStop = (finishReason: unknown) =>
  ['stop', 'tool-calls'].includes(String(unifiedReason(finishReason)))

/**
 * The end of an answer with calls: the reason for which the SDK runs the tools. Anything but an
 * ordinary stop stays.
 */
export function finishWithCalls(part: Part): Part {
  const { finishReason } = part
  if (unifiedReason(finishReason) !== 'stop') return part
  return {
    ...part,
    finishReason: isRecord(finishReason)
      ? { ...finishReason, unified: 'tool-calls' }
      : 'tool-calls',
  }
}
