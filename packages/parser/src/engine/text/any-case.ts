// Models write tags in another case: `<tool_Call>`, `</Function>` (decision 82). Only tags that begin
// with a letter are compared without case, and only if no mark is spelt exactly like the text.

const SLASH = '/'

/** True for `<tool_call>` and `</function>`, but not for `<|tool_call|>`. */
function isTag(mark: string): boolean {
  if (!mark.startsWith('<')) return false
  return isLetter(mark.charCodeAt(mark.charAt(1) === SLASH ? 2 : 1))
}

const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122

/** Tells how many characters of a tag are at a place of a text, in any case. */
function countTagChars(tag: string, text: string, at: number): number {
  for (let i = 0; i < tag.length; i++) {
    const wanted = tag.charCodeAt(i)
    const found = text.charCodeAt(at + i)
    const isSame = wanted === found || ((wanted ^ found) === 32 && isLetter(wanted))
    if (!isSame) return i
  }
  return tag.length
}

/** True if a tag is at a place of a text, in any case. */
export const isTagAt = (mark: string, text: string, at = 0): boolean =>
  text.charAt(at) === '<' && isTag(mark) && countTagChars(mark, text, at) === mark.length

/** True if the text from a place on is the beginning of a tag, in any case. */
export const isPartOfTagAt = (mark: string, text: string, at = 0): boolean =>
  text.charAt(at) === '<' && isTag(mark) && countTagChars(mark, text, at) === text.length - at
