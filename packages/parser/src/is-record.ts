/** True for objects that are not arrays: what JSON calls an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const asRecord = (value: unknown) => (isRecord(value) ? value : {})
