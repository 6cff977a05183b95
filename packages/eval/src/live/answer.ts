/**
 * Returns true if the text contains the number, with any grouping of digits: 1234.5, 1,234.50 and
 * 1 234.5 are the same.
 */
export function mentionsNumber(text: string, wanted: number, tolerance = 0.005): boolean {
  const grouped = text.replace(/(\d)[,'’_\u00a0\u202f ](?=\d{3}(?!\d))/g, '$1')
  return [...grouped.matchAll(/-?\d+(?:\.\d+)?/g)].some(([digits]) => {
    const value = Number(digits)
    return Math.abs(value - wanted) <= tolerance || Math.abs(-value - wanted) <= tolerance
  })
}

export function mentions(text: string, wanted: string): boolean {
  const normalise = (each: string) => each.normalize('NFC').toLowerCase().replace(/\s+/g, ' ')
  return normalise(text).includes(normalise(wanted))
}
