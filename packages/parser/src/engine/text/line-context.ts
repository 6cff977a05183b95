/** What comes before a place in a text. */
export interface LineContext {
  /** Nothing but whitespace comes before it in its line. */
  isLineStart: boolean
  /** Nothing but the signs of lists and quotes comes before it in its line: `- `, `> `, `1. `. */
  isItemStart: boolean
  /** Nothing but whitespace comes before it in the whole text. */
  isTextStart: boolean
  /** The length of the run of backticks that opened inline code in this line; 0 outside of code. */
  openTicks: number
  /** The length of the run of backticks right before the place. */
  tickRun: number
  /** How many brackets are open. */
  depth: number
}

export const createLineContext = (): LineContext => ({
  isLineStart: true,
  isItemStart: true,
  isTextStart: true,
  openTicks: 0,
  tickRun: 0,
  depth: 0,
})

const itemSigns = ' \t>*+-.)0123456789'

/** Moves on over a part of a text. */
export function advance(context: LineContext, text: string, from = 0, to = text.length): void {
  for (let at = from; at < to; at++) {
    const char = text.charAt(at)
    if (context.isTextStart && /\S/.test(char)) context.isTextStart = false
    if (char === '\n') {
      startLine(context)
      continue
    }
    if (context.isItemStart) passItemSign(context, char)
    passBracket(context, char)
    if (char === '`') context.tickRun++
    else if (context.tickRun > 0) endTickRun(context)
  }
}

function startLine(context: LineContext): void {
  // `{"a": 1\n\n|`: a blank line ends brackets that were never closed.
  if (context.isLineStart) context.depth = 0
  context.isLineStart = true
  context.isItemStart = true
  context.openTicks = 0
  context.tickRun = 0
}

function passItemSign(context: LineContext, char: string): void {
  if (char !== ' ' && char !== '\t') context.isLineStart = false
  context.isItemStart = itemSigns.includes(char)
}

function passBracket(context: LineContext, char: string): void {
  if (char === '{' || char === '[') context.depth++
  else if ((char === '}' || char === ']') && context.depth > 0) context.depth--
}

/**
 * A run of backticks opens inline code, or closes code that as long a run opened, or is in it. Code
 * ends with its line at the latest (decision 34).
 */
function endTickRun(context: LineContext): void {
  if (context.openTicks === 0) context.openTicks = context.tickRun
  else if (context.openTicks === context.tickRun) context.openTicks = 0
  context.tickRun = 0
}
