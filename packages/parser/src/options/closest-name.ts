/**
 * Finds the name that was most likely meant; undefined if none is similar.
 *
 * @example
 * ```ts
 * import { closestName, listProtocols } from '@toolglot/parser'
 *
 * console.log(closestName('hermse', listProtocols())) // hermes
 * ```
 */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const wanted = normalize(given)
  if (wanted === '') return undefined
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  for (const name of names) {
    const distance = editDistance(wanted, normalize(name))
    if (distance >= bestDistance) continue
    best = name
    bestDistance = distance
  }
  return best ?? names.find(name => wanted.length > 2 && normalize(name).startsWith(wanted))
}

/**
 * Returns ` Did you mean hermes?`, to be added to a message, or '' if no name is similar.
 *
 * @example
 * ```ts
 * import { didYouMean, listProtocols } from '@toolglot/parser'
 *
 * console.log(`There is no protocol "hermse".${didYouMean('hermse', listProtocols())}`)
 * ```
 */
export function didYouMean(given: string, names: readonly string[]): string {
  const name = closestName(given, names)
  return name === undefined ? '' : ` Did you mean ${name}?`
}

const normalize = (name: string) => name.toLowerCase().replaceAll('-', '_').replace(/^_+/, '')

/** Counts the letters that must be changed, added, removed or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const replaced = (last[j - 1] ?? 0) + (isSame ? 0 : 1)
      const swapped = isSwapped ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
