/** The lengths of the texts that can be one edit away from a text. */
export const nearLengths = ({ length }: string) => [length - 1, length, length + 1]

/**
 * True if one slip of the keyboard makes one text of the other: a character is missing, is one too
 * many, or is swapped with the next one. Equal texts are no edit away.
 */
export function isOneEditAway(left: string, right: string): boolean {
  const maxEdge = Math.min(left.length, right.length)
  let start = 0
  while (start < maxEdge && left.charAt(start) === right.charAt(start)) start++
  let end = 0
  while (end < maxEdge - start && left.at(-1 - end) === right.at(-1 - end)) end++
  const oldPart = left.slice(start, left.length - end)
  const newPart = right.slice(start, right.length - end)
  // `ab` and `ba`
  const [first = '', second = ''] = oldPart
  if (oldPart.length === 2 && newPart.length === 2) return newPart === second + first
  return oldPart.length + newPart.length === 1
}
