/**
 * Tells whether a word may be a misspelt key (decision 17): `unit`, `unist`, `Units` and `un-its` may
 * be `units`, `loc` may be `location`. `Yorkunits` lacks a space.
 */
export function isLikeKey(word: string, key: string): boolean {
  const [written, wanted] = [plainName(word), plainName(key)]
  if (written === '' || wanted === '') return false
  return (
    written === wanted ||
    isOneEdit(written, wanted) ||
    isBeginning(written, wanted) ||
    isGluedKey(word, key, 1)
  )
}

/** `dryRun`, `dry-run`, `DRY_RUN` and `"dry_run"` are the same. */
const plainName = (name: string) => name.toLowerCase().replaceAll(/[-_"']/g, '')

/** `loc` for `location`, `locationName` for `location`; the shorter one is no common word. */
function isBeginning(written: string, wanted: string): boolean {
  const isShort = written.length >= 3 && wanted.startsWith(written)
  return isShort || (wanted.length >= 4 && written.startsWith(wanted))
}

/** Names of two letters are like too many words: `i=` is not `id`. */
const MIN_LETTERS_TO_DROP = 3
/** `more=` is not `mode`: in short words another letter makes another word. */
const MIN_LETTERS_TO_REPLACE = 5

/** A letter was dropped, added, replaced or swapped with the next one. */
function isOneEdit(written: string, wanted: string): boolean {
  const [left, right] = withoutCommonEnds(written, wanted)
  if (left.length === 0) return right.length === 1 && wanted.length >= MIN_LETTERS_TO_DROP
  if (right.length === 0) return left.length === 1
  if (left.length === 1 && right.length === 1) return wanted.length >= MIN_LETTERS_TO_REPLACE
  return isSwapped(left, right)
}

const isSwapped = (left: string, right: string) =>
  left.length === 2 && right.length === 2 && left === right.charAt(1) + right.charAt(0)

/** `unist` and `units` differ in `st` and `ts`. */
function withoutCommonEnds(left: string, right: string): [string, string] {
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < shorter && left[head] === right[head]) head++
  let tail = 0
  while (tail < shorter - head && left.at(-1 - tail) === right.at(-1 - tail)) tail++
  return [left.slice(head, left.length - tail), right.slice(head, right.length - tail)]
}

/** `Yorkunits`: the space before a key is missing. `minChars` must be before the key. */
export function isGluedKey(word: string, key: string, minChars: number): boolean {
  const before = word.length - key.length
  return (
    key.length >= 3 && before >= minChars && word.endsWith(key) && /^[\p{L}\p{N}_.-]+$/u.test(word)
  )
}

/** `</cal>l` for `</call>`: a mark of which one character was dropped, added, replaced or swapped. */
export function isDamagedMark(text: string, mark: string): boolean {
  if (text === mark) return false
  const [left, right] = withoutCommonEnds(text, mark)
  return (left.length <= 1 && right.length <= 1) || isSwapped(left, right)
}
