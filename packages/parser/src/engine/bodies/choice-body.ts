import { createArgumentWriter } from '../argument-writer.js'
import type { Body, CallPort, Mark } from '../body.js'
import { type Cursor, createRun } from '../cursor.js'

/** By words, so that the choice does not depend on how the text was cut. */
const piecePattern = /\w{64}|\w{0,63}\W/y

/**
 * Several grammars behind one mark, or behind what a longer mark begins with: the first is the mark that was read. All read on trial until one
 * finds the name of a declared tool, or text; that one then reads the markup from its beginning. Names come early, so little is read twice.
 * `mayBeEmpty`: where no grammar finds a call, but one of these finds markup that holds none, it is that.
 */
export function* readChoice(
  cursor: Cursor,
  port: CallPort,
  marks: readonly Mark[],
  mayBeEmpty: (mark: Mark) => boolean,
): Body {
  const opened = marks[0]?.text ?? ''
  const markOffset = cursor.base + cursor.at - opened.length
  let trials = marks.map(mark => startTrial(port, mark, opened))
  while (!trials.some(trial => trial.isChosen()) && trials.some(trial => trial.isOpen())) {
    trials = trials.filter(trial => trial.isOpen())
    piecePattern.lastIndex = cursor.at
    const piece = piecePattern.exec(cursor.text)?.[0] ?? (cursor.isOver ? cursor.text.slice(cursor.at) : '')
    cursor.at += piece.length
    if (!piece && !cursor.isOver) {
      yield
      continue
    }
    for (const { run } of trials) {
      if (piece) run.feed(piece)
      else run.end(cursor.isCut)
    }
  }
  const best = trials.find(trial => trial.isChosen())?.mark
  if (!best) return trials.find(trial => trial.isEmpty() && mayBeEmpty(trial.mark))?.leftChars()
  port.rewind(cursor.base + cursor.at - markOffset - best.text.length)
  return yield* best.read(cursor, port)
}

/** A grammar on trial: it reads the text, but what it finds goes nowhere. */
function startTrial(port: CallPort, mark: Mark, opened: string) {
  const { tools, maxHeldChars } = port
  let name: string | undefined
  /** It gives out text that holds no call. */
  let hasText = false
  const ignore = () => {}
  const trialPort: CallPort = {
    tools,
    maxHeldChars,
    putRaw: ignore,
    report: ignore,
    rewind: ignore,
    close: ignore,
    putText() {
      hasText = true
    },
    open(toolName) {
      name ??= tools.forcedName ?? toolName
      return createArgumentWriter(tools.shapeOf(toolName), maxHeldChars)
    },
  }
  const run = createRun(cursor => mark.read(cursor, trialPort))
  run.feed(opened.slice(mark.text.length))
  return {
    mark,
    run,
    isChosen: () => hasText || (name !== undefined && tools.has(name)),
    isOpen: () => name === undefined && !run.isDone(),
    /** It read markup that holds no call, such as a header. */
    isEmpty: () => name === undefined && run.result() !== undefined,
    /** How much of what it was given is not that markup. */
    leftChars: () => (run.result() ?? 0) + run.unread().length,
  }
}
