import type { Body, CallPort, Mark } from '../body.js'
import type { Cursor } from '../cursor.js'
import { createMarkSearch, lookAhead, readUntil } from '../marks.js'

/** A fence of Markdown that is not the beginning of the answer: what stands in it is shown, not meant. */
export const fenceMark: Mark = {
  text: '```',
  isAtLineStart: true,
  isInside: true,
  isSilent: true,
  read: readFence,
}

/** Space and backticks that are more than this are no fence. */
const MAX_FENCE_CHARS = 256
const lineBreak = createMarkSearch(['\n'])

/** Gives everything up to the closing fence out as text. */
function* readFence(cursor: Cursor, { putText }: CallPort): Body {
  putText(fenceMark.text)
  const [opening = ''] = /^`*/.exec(yield* lookAhead(cursor, MAX_FENCE_CHARS, text => /[^`]/.test(text))) ?? []
  while (yield* readUntil(cursor, lineBreak, putText)) {
    const ahead = yield* lookAhead(cursor, MAX_FENCE_CHARS, text => /[^ \t`]/.test(text))
    const [line = '', ticks = ''] = /^[ \t]*(`*)/.exec(ahead) ?? []
    cursor.at += line.length
    putText(`\n${line}`)
    // What closes it has at least as many backticks.
    if (ticks.length >= fenceMark.text.length + opening.length) break
  }
  return 0
}
