/**
 * What comes before a place in a text: nothing but whitespace in the line, or signs of lists and
 * quotes; nothing but space at all; the run of backticks that is open in the line, and the one
 * right before the place, which is as long where it closes that; and how many brackets are open.
 */
const lineStart = { isLineStart: true, isItemStart: true, openTicks: 0, tickRun: 0 }

export const createLineContext = () => ({ ...lineStart, isTextStart: true, depth: 0 })

export type LineContext = ReturnType<typeof createLineContext>

const itemSigns = ' \t>*+-.)0123456789'

/** Moves on over a part of a text. */
export function advance(context: LineContext, text: string, from = 0, to = text.length): void {
  for (let at = from; at < to; at++) {
    const char = text.charAt(at)
    if (context.isTextStart && /\S/.test(char)) context.isTextStart = false
    if (char === '\n') {
      if (context.isLineStart) context.depth = 0
      Object.assign(context, lineStart)
      continue
    }
    if (context.isItemStart) {
      if (char !== ' ' && char !== '\t') context.isLineStart = false
      context.isItemStart = itemSigns.includes(char)
    }
    if (char === '{' || char === '[') context.depth++
    else if ((char === '}' || char === ']') && context.depth > 0) context.depth--
    if (char === '`') context.tickRun++
    else if (context.tickRun > 0) {
      // A run of backticks opens inline code, or closes it, or is inside it.
      if (context.openTicks === 0) context.openTicks = context.tickRun
      else if (context.openTicks === context.tickRun) context.openTicks = 0
      context.tickRun = 0
    }
  }
}
