/** The word of a list that somebody meant who wrote another; undefined if none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const normal = (text: string) => text.toLowerCase().replace(/[-_\s]/g, '')
  const ranked = candidates
    .map(candidate => ({ candidate, distance: distanceOf(normal(word), normal(candidate)) }))
    .sort((left, right) => left.distance - right.distance)
  const [best] = ranked
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

/** How many letters must be put in, left out, replaced or swapped with their neighbour. */
function distanceOf(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, i) => i)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      const options = [(last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1)]
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (isSwap) options.push((beforeLast[j - 2] ?? 0) + 1)
      row.push(Math.min(...options))
    }
    beforeLast = last
    last = row
  }
  return last[right.length] ?? 0
}
