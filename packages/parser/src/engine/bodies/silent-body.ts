import type { Body, CallPort, Mark } from '../body.js'
import { createMarkSearch } from '../mark-search.js'
import { createMarkup } from './markup.js'

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
  const createBody = (port: CallPort) => {
    const { readMark, leave, finish, held, bodyOf } = createMarkup(port, { ends: [], opens: [] })
    const read = (char: string) => {
      const found = readMark(char, texts)
      if (found !== undefined && !texts.includes(found)) leave()
    }
    return bodyOf(read, () => finish(held() === '' ? 'done' : 'rejected'))
  }
  return texts.map(text => ({ text, isSilent: true, createBody }))
}
