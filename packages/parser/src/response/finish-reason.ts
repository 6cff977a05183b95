import { isRecord } from '../is-record.js'
import type { Part } from '../sdk/parts.js'

/** The finish reason: a string in AI SDK 5, an object `{ unified, raw }` in 6 and 7. */
const unifiedReason = (finishReason: unknown) =>
  isRecord(finishReason) ? finishReason.unified : finishReason

/**
 * Returns true if the model stopped by itself. A call that lacks only its end mark is then a call,
 * not a truncated one.
 */
export const isOrdinaryStop = (finishReason: unknown) =>
  ['stop', 'tool-calls'].includes(String(unifiedReason(finishReason)))

/**
 * Changes the finish reason `stop` to `tool-calls`, at which the SDK runs the tools. Other reasons,
 * such as `length`, are not changed.
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
