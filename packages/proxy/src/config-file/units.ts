// Sizes and durations in a configuration: '32mb', '1.5 GiB', '30s', '10m'. A number without a unit
// is in bytes or milliseconds.

const byteUnits: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 ** 2],
  ['gb', 1024 ** 3],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
])

const durationUnits: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
])

export const bytesPattern = /^\s*\d+(\.\d+)?\s*([kKmMgG][iI]?)?[bB]?\s*$/
export const durationPattern = /^\s*\d+(\.\d+)?\s*(ms|s|m|min|h)?\s*$/

/** The longest timer. Node fires a longer one at once. */
export const MAX_DURATION_MS = 2 ** 31 - 1

export function parseBytes(value: number | string): number {
  return parseAmount(value, byteUnits)
}

export function parseDuration(value: number | string): number {
  return parseAmount(value, durationUnits)
}

/** Returns NaN for a text that is not an amount. */
function parseAmount(value: number | string, units: ReadonlyMap<string, number>): number {
  if (typeof value === 'number') return Math.round(value)
  const [, digits, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(value) ?? []
  const factor = units.get(unit.toLowerCase()) ?? units.get(`${unit.toLowerCase()}b`)
  return digits === undefined || factor === undefined
    ? Number.NaN
    : Math.round(Number(digits) * factor)
}
