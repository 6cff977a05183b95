import type { Body, CallPort, Mark } from '../body.js'

/** A fence of Markdown that is not the beginning of the answer: what stands in it is shown, not meant. */
export const fenceMark: Mark = {
  text: '```',
  isAtLineStart: true,
  isInside: true,
  isSilent: true,
  createBody: createFenceBody,
}

/** Gives everything up to the closing fence out as text. */
function createFenceBody(port: CallPort): Body {
  let isOver = false
  let ticks = 3
  let openTicks = 0
  /** Only space stands before this place in its line. */
  let isLineBlank = true
  let isSaid = false
  const say = (text: string) => {
    port.putText(isSaid ? text : fenceMark.text + text)
    isSaid = true
  }
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
  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && take(chunk.charAt(at))) at++
      isOver = at < to
      say(chunk.slice(from, at))
      return at
    },
    end: () => {
      if (!isSaid) say('')
      isOver = true
    },
    status: () => (isOver ? 'done' : 'open'),
    giveBack: () => 0,
  }
}
