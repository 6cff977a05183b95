/** Returns numbers in [0, 1). The same seed yields the same numbers on every machine. */
export type Random = () => number

export function createRandom(seed: string): Random {
  let state = hash(seed)
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value
}

/** Returns the items in random order. */
export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  const shuffled: Item[] = []
  while (left.length) shuffled.push(...left.splice(Math.floor(random() * left.length), 1))
  return shuffled
}

/** Returns some of the items, in their original order. */
export function sample<Item>(items: readonly Item[], count: number, random: Random): Item[] {
  if (items.length <= count) return [...items]
  const chosen = new Set(shuffle([...items.keys()], random).slice(0, count))
  return items.filter((_, i) => chosen.has(i))
}
