import type { Body, BodyStatus, Mark } from '../body.js'
import { createMarkSearch } from '../mark-search.js'
import { matchMarks } from '../match-marks.js'

/** Marks that stand for nothing wherever they are. */
export function silentMarks(texts: readonly string[]): Mark[] {
  return texts.map(text => ({ text, isSilent: true, createBody: () => silence }))
}

/** Behind a mark that is no text and opens nothing. */
export const silence: Body = { feed: (_chunk, from) => from, end() {}, status: () => 'done', giveBack: () => 0 }
/** Behind a mark that is only text. */
export const prose: Body = { ...silence, status: () => 'rejected' }

/** Behind a mark up to whose end nothing is for anybody to read. */
export function silenceUpTo(ends: readonly string[]): Body {
  let isOver = false
  const end = createMarkSearch(ends, () => {})
  return {
    ...silence,
    feed: end.feed,
    end() {
      isOver = true
    },
    status: () => (isOver || end.found() ? 'done' : 'open'),
  }
}

/** Marks that stand for nothing at the end of a text, where they are all that follows; elsewhere they are text. */
export function endMarks(texts: readonly string[]): Mark[] {
  return texts.map(text => ({ text, isSilent: true, createBody: () => createEndBody(texts) }))
}

function createEndBody(texts: readonly string[]): Body {
  let status: BodyStatus = 'open'
  let word = ''
  return {
    ...silence,
    feed(chunk, from, to) {
      let at = from
      while (at < to && status === 'open') {
        word = (word + chunk.charAt(at++)).trimStart()
        const match = matchMarks(word, texts)
        if (match === 'none') status = 'rejected'
        else if (match !== 'maybe') word = ''
      }
      return at
    },
    end() {
      status = word === '' ? 'done' : 'rejected'
    },
    status: () => status,
  }
}
