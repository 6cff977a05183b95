/** What comes before a place in a text. */
export interface LineContext {
  /** Nothing but whitespace comes before it in its line. */
  isLineStart: boolean
  /** A mark without text began this line, and opened no call. */
  isLineTried: boolean
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
  /** "```" The backticks or tildes that opened the code block here; '' outside of one. */
  fence: string
  /** How many code blocks have begun. */
  blockCount: number
  /** "```js" The backticks or tildes at the start of this line, if it may begin or end a block. */
  fenceRun: string
  /** "```|js" The run at the start of this line has ended. */
  isFenceRunOver: boolean
}

export const createLineContext = (): LineContext => ({
  isLineStart: true,
  isLineTried: false,
  isItemStart: true,
  isTextStart: true,
  openTicks: 0,
  tickRun: 0,
  depth: 0,
  fence: '',
  blockCount: 0,
  fenceRun: '',
  isFenceRunOver: false,
})

/** Begins a context after a call or after reasoning: a code block around it is still open. */
export const createContextAfter = ({ fence, blockCount }: LineContext): LineContext => ({
  ...createLineContext(),
  fence,
  blockCount,
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
    if (context.fenceRun !== '' || isFenceSign(char)) passFenceSign(context, char)
    if (context.isItemStart) passItemSign(context, char)
    passBracket(context, char)
    if (char === '`') context.tickRun++
    else if (context.tickRun > 0) endTickRun(context)
  }
}

function startLine(context: LineContext): void {
  endFenceLine(context)
  // `{"a": 1\n\n|`: a blank line ends brackets that were never closed.
  if (context.isLineStart) context.depth = 0
  context.isLineStart = true
  context.isLineTried = false
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

const isFenceSign = (char: string) => char === '`' || char === '~'

/** Moves on over a character of a line that may begin or end a code block, or over its first one. */
function passFenceSign(context: LineContext, char: string): void {
  const { fenceRun, isFenceRunOver, isItemStart } = context
  // "- |```"
  if (fenceRun === '') {
    if (isItemStart) context.fenceRun = char
    return
  }
  const isSameSign = fenceRun.startsWith(char)
  // "``|`"
  if (isSameSign && !isFenceRunOver) {
    context.fenceRun += char
    return
  }
  context.isFenceRunOver = true
  // "```js|`": a label has no backtick, so this is code in a line. "``` |js": no label ends a block.
  const isText = context.fence === '' ? char === '`' && isSameSign : char.trim() !== ''
  if (isText) context.fenceRun = ''
}

/**
 * "```js|⏎" A code block begins after the line of its fence, and ends with one that is as long
 * (decision 80).
 */
function endFenceLine(context: LineContext): void {
  const { fence, fenceRun } = context
  context.fenceRun = ''
  context.isFenceRunOver = false
  if (fence !== '') {
    if (fenceRun.startsWith(fence)) context.fence = ''
  } else if (fenceRun.length >= 3) {
    context.fence = fenceRun
    context.blockCount++
  }
}
