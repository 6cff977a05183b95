/**
 * True if a text matches a pattern in which `*` is any text: `qwen3-*` matches `Qwen3-8B`. Upper and
 * lower case are the same. Takes time in proportion to the text, whatever the pattern is.
 */
export function matchesGlob(glob: string, text: string): boolean {
  return matchesLower(glob, text.toLowerCase())
}

/** Returns the first item whose pattern matches a text. */
export function findByGlob<Item>(
  items: readonly Item[],
  globOf: (item: Item) => string,
  text: string,
): Item | undefined {
  // Once for all patterns: a client may send an id of many megabytes.
  const lower = text.toLowerCase()
  return items.find(item => matchesLower(globOf(item), lower))
}

function matchesLower(glob: string, lower: string): boolean {
  const [head = '', ...rest] = glob.toLowerCase().split('*')
  const tail = rest.pop()
  if (tail === undefined) return lower === head
  const end = lower.length - tail.length
  if (!lower.startsWith(head) || !lower.endsWith(tail)) return false
  let at = head.length
  // `a*b*c*d`: each part in the middle is taken where it comes first, so nothing is tried twice.
  for (const part of rest) {
    const found = lower.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  // `aba` does not match `ab*ba`: head and tail may not overlap.
  return at <= end
}
