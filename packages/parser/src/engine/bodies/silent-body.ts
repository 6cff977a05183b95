import type { Body, CallPort, Mark } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { createMarkSearch, isAtMark, lookAhead, readNextMark, readUntil } from '../marks.js'

// biome-ignore lint/correctness/useYield: there is nothing to wait for
function* silence(): Body {
  return 0
}

/** Marks that stand for nothing wherever they are; words, only at the beginning. */
export const silentMarks = (texts: readonly string[]): Mark[] =>
  texts.map(text => ({ text, isSilent: true, isAtStart: /^\w/.test(text), read: silence }))

const tokens = ['im_end', 'eot_id', 'eom_id', 'endoftext', 'end_of_text', 'END_OF_TURN_TOKEN'].map(id => `<|${id}|>`)
/** Ends of a turn that servers print when they are told to keep special tokens. */
const turnEnds = [...tokens, '<end_of_turn>', '</s>', '<｜end▁of▁sentence｜>']

/** They stand for nothing at the end of a text, where they are all that follows; elsewhere they are text. */
export const endMarks: readonly Mark[] = turnEnds.map(text => ({ text, isSilent: true, read: readEnds }))

function* readEnds(cursor: Cursor): Body {
  while (yield* readNextMark(cursor, turnEnds));
  return cursor.at === cursor.text.length ? 0 : undefined
}

/** A name that is longer than this is none; nor are space and backticks a fence. */
const MAX_AHEAD_CHARS = 256

/** Takes the name that stands here before one of the marks; gives nothing, and takes nothing, where there is none. */
export function* readNameBefore(cursor: Cursor, marks: readonly string[]): Reading<string> {
  const isBefore = (text: string) => isAtMark(text.replace(/^[^\s<>="'{}]+\s*/, ''), marks)
  const ahead = yield* lookAhead(cursor, MAX_AHEAD_CHARS, text => isBefore(text) !== undefined)
  const [head = '', name = ''] = (isBefore(ahead) && /^([^\s<>="'{}]+)\s*/.exec(ahead)) || []
  cursor.at += head.length
  return name
}

/** A fence of Markdown that is not the beginning of the answer: what stands in it is shown, not meant. */
export const fenceMark: Mark = { text: '```', isAtLineStart: true, isInside: true, isSilent: true, read: readFence }

const lineBreak = createMarkSearch(['\n'])

/** Gives everything up to the closing fence out as text. */
function* readFence(cursor: Cursor, { putText }: CallPort): Body {
  putText(fenceMark.text)
  const [opening = ''] = /^`*/.exec(yield* lookAhead(cursor, MAX_AHEAD_CHARS, text => /[^`]/.test(text))) ?? []
  while (yield* readUntil(cursor, lineBreak, putText)) {
    const ahead = yield* lookAhead(cursor, MAX_AHEAD_CHARS, text => /[^ \t`]/.test(text))
    const [line = '', ticks = ''] = /^[ \t]*(`*)/.exec(ahead) ?? []
    cursor.at += line.length
    putText(`\n${line}`)
    // What closes it has at least as many backticks.
    if (ticks.length >= fenceMark.text.length + opening.length) break
  }
  return 0
}
