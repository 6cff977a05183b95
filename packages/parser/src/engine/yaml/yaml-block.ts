import { isBlank, trimBlank } from './yaml-line.js'

/** `|` or `>`, with a digit, a sign and a comment. */
export const blockHeader = /^[|>](?:[1-9][-+]?|[-+][1-9]?)?(?:[ \t]+#.*)?$/

export type YamlBlock = ReturnType<typeof createYamlBlock>

/**
 * Lines that are indented by more than what holds them:
 *
 *     content: |
 *       if (a < b) {
 *         return
 */
export function createYamlBlock(put: (text: string) => void, header: string, parentIndent: number) {
  const isFolded = header.startsWith('>')
  const chomping = /^.\d?([-+])/.exec(header)?.[1]
  const digit = /^.[-+]?(\d)/.exec(header)?.[1]
  /** Told by the first line, if not by the header. */
  let indent = digit === undefined ? undefined : Math.max(parentIndent, 0) + Number(digit)
  /** Line breaks since the last text. */
  let breaks = 0
  let hasContent = false
  /** A line that begins with space is not folded with its neighbours. */
  let isSpaced = false

  return {
    /** How far a line must be indented to belong to it. */
    indent: () => indent ?? parentIndent + 1,
    /** True for a line that belongs to it. The first that is not blank tells how far they are indented. */
    holds(line: string): boolean {
      if (trimBlank(line) === '') return true
      const own = (indent === undefined ? /^\t* */ : /^[ \t]*/).exec(line)?.[0].length ?? 0
      indent ??= own
      return own >= indent && indent > parentIndent
    },
    /** Puts a line that belongs to it; the last line of a text has no line break. */
    putLine(line: string, hasBreak: boolean) {
      const text = line.slice(indent ?? line.length, line.endsWith('\r') ? -1 : undefined)
      if (text) {
        const wasSpaced = isSpaced
        isSpaced = isBlank(text[0])
        const isFold = isFolded && hasContent && !isSpaced && !wasSpaced
        const gap = isFold && breaks === 1 ? ' ' : '\n'.repeat(isFold && breaks ? breaks - 1 : breaks)
        put(gap + text)
        hasContent = true
        breaks = 0
      }
      if (hasBreak) breaks++
    },
    /** Gives out the line breaks at the end, as far as they count. */
    close() {
      if (chomping === '+' && breaks) put('\n'.repeat(breaks))
      else if (chomping !== '-' && hasContent && breaks > 0) put('\n')
    },
  }
}
