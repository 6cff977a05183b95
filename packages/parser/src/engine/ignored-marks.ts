import type { CallReader, Mark } from './grammar.js'
import type { Cursor } from './text/cursor.js'
import { readMark, readNextMark } from './text/read-marks.js'

// biome-ignore lint/correctness/useYield: nothing follows that it would have to wait for
function* readNothing(): CallReader {
  return 0
}

/**
 * Marks without meaning wherever they are, unless they are quoted; words, and those after a
 * `^`, only at the beginning.
 */
export const ignoredMarks = (texts: readonly string[]): Mark[] =>
  texts.map((each): Mark => {
    const text = each.replace(/^\^/, '')
    return {
      text,
      opensNoCall: true,
      notInInlineCode: true,
      onlyAtTextStart: /^[\w^]/.test(each),
      read: readNothing,
    }
  })

const tokens = [
  'im_end',
  'im_start',
  'eot_id',
  'eom_id',
  'endoftext',
  'end_of_text',
  'END_OF_TURN_TOKEN',
].map(id => `<|${id}|>`)

/** Ends of a turn that servers print when they are told to keep special tokens. */
const turnEnds = [...tokens, '<end_of_turn>', '</s>', '<｜end▁of▁sentence｜>']

/** They are ignored at the end of a text, if nothing else follows. Elsewhere they are text. */
export const turnEndMarks: readonly Mark[] = turnEnds.map(text => ({
  text,
  opensNoCall: true,
  read: readEnds,
}))

/** `<|im_start|>assistant` Starts of a turn that servers print, at the start of a text. */
export const turnStartMarks: readonly Mark[] = ignoredMarks(
  ['im_start', 'start_header_id'].map(id => `^<|${id}|>`),
).map(mark => ({ ...mark, read: readStart }))

const turnHeads = ['assistant<|end_header_id|>', '<|end_header_id|>', 'assistant\n']

/** `<|im_start|>|assistant⏎` `<|start_header_id|>|assistant<|end_header_id|>` */
function* readStart(cursor: Cursor): CallReader {
  yield* readMark(cursor, turnHeads)
  return 0
}

function* readEnds(cursor: Cursor): CallReader {
  while (yield* readNextMark(cursor, turnEnds));
  return cursor.at === cursor.text.length ? 0 : undefined
}
