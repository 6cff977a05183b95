/**
 * The layout of a raw value that the model wrote as a block (decision 7). The line break after the
 * open tag has been read; the line break and the indentation before the close tag are layout too:
 *
 *     <path>
 *         a.ts
 *     </path>
 */
export interface Block {
  readonly put: (text: string) => void
  /** The text that may still be layout. */
  held: string
  /** `    a.ts`: everything so far is one line that begins with whitespace, and it is all held. */
  isIndentedLine: boolean
}

/** A longer line is not layout. */
const MAX_LINE_CHARS = 1024

/** `hasBegun`: a line break after the open tag has been read, so an indented line may be layout. */
export const createBlock = (put: (text: string) => void, hasBegun = true): Block => ({
  put,
  held: '',
  isIndentedLine: hasBegun,
})

/** Puts more text of a block, and holds back what may be layout. */
export function putInBlock(block: Block, piece: string): void {
  block.held += piece
  const text = block.held.slice(0, findLayoutStart(block.held))
  block.isIndentedLine &&= isOneIndentedLine(text)
  if (block.isIndentedLine) return
  block.put(text)
  block.held = block.held.slice(text.length)
}

/** Puts the rest of a block. Without a close tag nothing of it is layout. */
export function endBlock(block: Block, isClosed: boolean): void {
  block.put(isClosed ? trimLayout(block.held) : block.held)
}

/** Returns where the last line break is, if only whitespace follows it: `a.ts|\n  `. */
export function findLayoutStart(text: string): number {
  const lineBreak = text.lastIndexOf('\n')
  if (lineBreak < 0 || text.length - lineBreak > MAX_LINE_CHARS) return text.length
  return /^\n[ \t]*$/.test(text.slice(lineBreak)) ? lineBreak : text.length
}

/** True for `    a.ts`, which may lose its indentation. Several lines keep theirs. */
const isOneIndentedLine = (text: string) =>
  text.length <= MAX_LINE_CHARS && /^[ \t][^\n]*$/.test(text)

/** Removes the layout from the text that was held up to the close tag. */
export function trimLayout(held: string): string {
  const [line = '', closeIndent] = held.split('\n')
  const text = line.replace(/^[ \t]+/, '')
  // `<path>\n  a.ts|</path>` keeps its indentation, `<path>\n  |</path>` is empty.
  if (closeIndent === undefined) return text === '' ? '' : line
  // `<path>\n    a.ts|\n  </path>`: the line is indented deeper than the close tag.
  const indent = line.length - text.length
  const isDeeper = closeIndent !== '' && indent > closeIndent.length
  return isDeeper ? text : line
}
