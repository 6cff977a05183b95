/**
 * Returns the name that differs least from the given one. `thermometr` is compared with
 * `single/thermometer` and with `thermometer`.
 */
export function closestName(given: string, names: readonly string[]): string | undefined {
  let closest: { readonly name: string; readonly distance: number } | undefined
  for (const name of names) {
    const shortName = name.slice(name.indexOf('/') + 1)
    const distance = Math.min(editDistance(given, name), editDistance(given, shortName))
    if (!closest || distance < closest.distance) closest = { name, distance }
  }
  return closest?.name
}

/** Counts the letters that must be replaced, added or removed to turn one text into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return previous[to.length] ?? 0
}
