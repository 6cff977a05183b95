import { createArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallPort, Mark } from '../body.js'
import { createTextCollector } from '../text-collector.js'

/** A grammar on trial: it reads the text, but what it finds goes nowhere. */
interface Trial {
  readonly mark: Mark
  readonly body: Body
  isOut(): boolean
  hasCall(): boolean
  /** It read markup that holds no call, such as a header. */
  isEmpty(): boolean
}

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

  /** No grammar found a call. */
  const reject = (last: readonly Trial[]) => {
    const empty = last.find(trial => trial.isEmpty() && mayBeEmpty(trial.mark))
    status = empty ? 'done' : 'rejected'
    chosen = empty?.body
  }
  const choose = (): boolean => {
    const best = trials.find(trial => trial.hasCall())
    if (!best) return false
    trials = []
    chosen = best.mark.createBody(port)
    const text = read.take()
    chosen.feed(text, 0, text.length)
    return true
  }

  return {
    feed(chunk, from, to) {
      if (chosen) return chosen.feed(chunk, from, to)
      // Character by character, so that the choice does not depend on how the text was cut.
      for (let at = from; at < to; at++) {
        for (const trial of trials) trial.body.feed(chunk, at, at + 1)
        if (trials.some(trial => trial.hasCall())) {
          read.push(chunk.slice(from, at + 1))
          choose()
          return at + 1
        }
        const last = trials
        trials = trials.filter(trial => !trial.isOut())
        if (trials.length > 0) continue
        reject(last)
        return at + 1
      }
      read.push(chunk.slice(from, to))
      return to
    },
    end(isCut) {
      for (const trial of trials) trial.body.end(isCut)
      if (chosen === undefined && !choose()) reject(trials)
      // One that found its call only at the end has read to the end by now.
      else if (chosen?.status() === 'open') chosen.end(isCut)
    },
    status: () => chosen?.status() ?? status,
    giveBack: () => chosen?.giveBack() ?? 0,
  }
}

function startTrial(port: CallPort, mark: Mark): Trial {
  const { tools, maxHeldChars } = port
  let name: string | undefined
  const body = mark.createBody({
    tools,
    maxHeldChars,
    open(toolName) {
      name ??= toolName
      return createArgumentWriter(tools.shapeOf(toolName), maxHeldChars)
    },
    putRaw() {},
    putText() {},
    report() {},
    close() {},
  })
  return {
    mark,
    body,
    isOut: () => body.status() !== 'open' || (name !== undefined && !tools.has(name)),
    hasCall: () => name !== undefined && tools.has(name),
    isEmpty: () => name === undefined && body.status() === 'done',
  }
}
