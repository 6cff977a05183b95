import { createArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallPort, Mark } from '../body.js'
import { createTextCollector } from '../text-collector.js'

/**
 * Several grammars behind one mark. All read on trial until one finds the name of a declared tool; that one then reads the
 * markup from its beginning. Names come early, so little is read twice. `mayBeEmpty`: where no grammar finds a call, but one of
 * these finds markup that holds none, it is that.
 */
export function createChoiceBody(port: CallPort, marks: readonly Mark[], mayBeEmpty = (_mark: Mark) => false): Body {
  let chosen: Body | undefined
  let status: BodyStatus = 'open'
  let trials = marks.map(mark => startTrial(port, mark))
  const read = createTextCollector()

  /** Takes the grammar that found a call; true if there is one. */
  const choose = (): boolean => {
    const best = trials.find(trial => trial.hasCall())
    const text = best ? read.take() : ''
    chosen = best?.mark.createBody(port)
    chosen?.feed(text, 0, text.length)
    return chosen !== undefined
  }
  /** No grammar found a call. */
  const reject = () => {
    chosen = trials.find(trial => trial.isEmpty() && mayBeEmpty(trial.mark))?.body
    status = 'rejected'
  }

  return {
    feed(chunk, from, to) {
      if (chosen) return chosen.feed(chunk, from, to)
      // Character by character, so that the choice does not depend on how the text was cut.
      for (let at = from; at < to; at++) {
        for (const trial of trials) trial.body.feed(chunk, at, at + 1)
        const isFound = trials.some(trial => trial.hasCall())
        const left = trials.filter(trial => !trial.isOut())
        if (!isFound && left.length > 0) {
          trials = left
          continue
        }
        read.push(chunk.slice(from, at + 1))
        if (!choose()) reject()
        return at + 1
      }
      read.push(chunk.slice(from, to))
      return to
    },
    end(isCut) {
      if (!chosen) for (const trial of trials) trial.body.end(isCut)
      if (!chosen && !choose()) reject()
      // One that found its call only at the end has read to the end by now.
      if (chosen?.status() === 'open') chosen.end(isCut)
    },
    status: () => chosen?.status() ?? status,
    giveBack: () => chosen?.giveBack() ?? 0,
  }
}

/** A grammar on trial: it reads the text, but what it finds goes nowhere. */
function startTrial(port: CallPort, mark: Mark) {
  const { tools, maxHeldChars } = port
  let name: string | undefined
  const ignore = () => {}
  const body = mark.createBody({
    tools,
    maxHeldChars,
    open(toolName) {
      name ??= toolName
      return createArgumentWriter(tools.shapeOf(toolName), maxHeldChars)
    },
    putRaw: ignore,
    putText: ignore,
    report: ignore,
    close: ignore,
  })
  const hasCall = () => name !== undefined && tools.has(name)
  return {
    mark,
    body,
    hasCall,
    isOut: () => body.status() !== 'open' || (name !== undefined && !hasCall()),
    /** It read markup that holds no call, such as a header. */
    isEmpty: () => name === undefined && body.status() === 'done',
  }
}
