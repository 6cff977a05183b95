import type { Body, BodyStatus, Mark } from '../body.js'
import { matchMarks } from '../match-marks.js'

/** Marks that stand for nothing wherever they are. */
export function silentMarks(texts: readonly string[]): Mark[] {
  return texts.map(text => ({ text, isSilent: true, createBody: () => silence }))
}

/** Behind a mark that is no text and opens nothing. */
export const silence: Body = { feed: (_chunk, from) => from, end() {}, status: () => 'done', giveBack: () => 0 }
/** Behind a mark that is only text. */
export const prose: Body = { ...silence, status: () => 'rejected' }

/** Marks that stand for nothing at the end of a text, where they are all that follows; elsewhere they are text. */
export function endMarks(texts: readonly string[]): Mark[] {
  return texts.map(text => ({ text, isSilent: true, createBody: () => createEndBody(texts) }))
}

function createEndBody(texts: readonly string[]): Body {
  let status: BodyStatus = 'open'
  let word = ''
  return {
    feed(chunk, from, to) {
      for (let i = from; i < to; i++) {
        const char = chunk.charAt(i)
        if (word === '' && /\s/.test(char)) continue
        word += char
        const match = matchMarks(word, texts)
        if (match === 'none') {
          status = 'rejected'
          return i + 1
        }
        if (match !== 'maybe') word = ''
      }
      return to
    },
    end() {
      status = word === '' ? 'done' : 'rejected'
    },
    status: () => status,
    giveBack: () => 0,
  }
}
