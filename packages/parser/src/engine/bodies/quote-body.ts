import type { Body, CallPort, Mark } from '../body.js'
import type { Cursor } from '../cursor.js'

/** A fence of Markdown that is not the beginning of the answer: what stands in it is shown, not meant. */
export const fenceMark: Mark = {
  text: '```',
  isAtLineStart: true,
  isInside: true,
  isSilent: true,
  read: readFence,
}

/** Gives everything up to the closing fence out as text. */
function* readFence(cursor: Cursor, { putText }: CallPort): Body {
  let said = fenceMark.text
  /** How many backticks open the fence, and how many stand at the beginning of this line so far. */
  let openTicks = 0
  let ticks = 3
  /** Only space stands before this place in its line. */
  let isLineBlank = true
  /** Returns false where the fence is over, before this character. */
  const take = (char: string): boolean => {
    if (char === '`' && isLineBlank) {
      ticks++
      return true
    }
    if (openTicks === 0) {
      openTicks = ticks
      isLineBlank = char === '\n'
    } else if (ticks >= openTicks) return false
    else isLineBlank = char === '\n' || (isLineBlank && ticks === 0 && (char === ' ' || char === '\t'))
    ticks = 0
    return true
  }
  for (;;) {
    const from = cursor.at
    const { text } = cursor
    while (cursor.at < text.length && take(text.charAt(cursor.at))) cursor.at++
    putText(said + text.slice(from, cursor.at))
    said = ''
    if (cursor.at < text.length || cursor.isOver) return 0
    yield
  }
}
