import { type ArgumentWriter, createArgumentWriter } from '../argument-writer.js'
import type { Body, CallPort, Mark } from '../body.js'
import { type Cursor, createRun } from '../cursor.js'

/** By words, so that the choice does not depend on how the text was cut. */
const piecePattern = /\w{64}|\w{0,63}\W/y

export interface Choice {
  /** The mark that was read, and others that stand there too, or that it begins with. */
  readonly marks: readonly Mark[]
  /** The mark says so little that only arguments of the tool's own prove a call. */
  readonly isWeak: boolean
  /** Where no grammar finds a call, but one of these finds markup that holds none, it is that. */
  mayBeEmpty(mark: Mark): boolean
  /** What it is if no grammar finds anything. */
  readonly otherwise?: Mark | undefined
}

/**
 * Several grammars behind one mark, or behind what a longer mark begins with. All read on trial until one finds a call of a declared tool
 * and the beginning of its arguments, or text; that one then reads the markup from its beginning. Both come early, so little is read twice.
 */
export function* readChoice(cursor: Cursor, port: CallPort, choice: Choice): Body {
  const { marks, isWeak, mayBeEmpty, otherwise } = choice
  const opened = marks[0]?.text ?? ''
  let trials = marks.map(mark => startTrial(port, mark, opened, isWeak))
  let chosen = trials.find(trial => trial.isChosen())
  for (; !chosen; chosen = trials.find(trial => trial.isChosen())) {
    const open = trials.filter(trial => trial.isOpen())
    if (open.length === 0) break
    trials = open
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
  const empty = chosen ? undefined : trials.find(trial => trial.isEmpty() && mayBeEmpty(trial.mark))
  if (empty) return empty.leftChars()
  const best = chosen?.mark ?? otherwise
  if (!best) return undefined
  port.rewind(best.text.length)
  return yield* best.read(cursor, port)
}

/** A grammar on trial: it reads the text, but what it finds goes nowhere. */
function startTrial(port: CallPort, mark: Mark, opened: string, isWeak: boolean) {
  const { tools, maxHeldChars } = port
  let name: string | undefined
  let writer: ArgumentWriter | undefined
  let written = ''
  /** The first call is over, and not for want of arguments that can be read. */
  let isClosed = false
  let isMalformed = false
  /** It gives out text that holds no call. */
  let hasText = false
  const ignore = () => {}
  const trialPort: CallPort = {
    tools,
    maxHeldChars,
    report: ignore,
    rewind: ignore,
    putRaw() {
      isMalformed = true
    },
    close(problem) {
      isClosed ||= problem?.code !== 'malformed-arguments'
    },
    putText() {
      hasText = true
    },
    open(toolName) {
      name ??= tools.forcedName ?? toolName
      const opened = createArgumentWriter(tools.shapeOf(toolName), maxHeldChars)
      writer ??= opened
      return opened
    },
  }
  const run = createRun(cursor => mark.read(cursor, trialPort))
  /** Whether it is a call; undefined as long as that cannot be told. A name alone may be one that is talked about. */
  const isCall = (): boolean | undefined => {
    if (name === undefined) return undefined
    if (!tools.has(name)) return false
    written += writer?.take() ?? ''
    const isProven = isWeak ? areArguments(written, tools.shapeOf(name).propertyNames) : written.length > 1 || undefined
    return isProven ?? (isClosed || (isMalformed ? false : undefined))
  }
  run.feed(opened.slice(mark.text.length))
  return {
    mark,
    run,
    isChosen: () => hasText || isCall() === true,
    isOpen: () => isCall() === undefined && !run.isDone(),
    /** It read markup that holds no call, such as a header. */
    isEmpty: () => name === undefined && run.result() !== undefined,
    /** How much of what it was given is not that markup. */
    leftChars: () => (run.result() ?? 0) + run.unread().length,
  }
}

/** Whether JSON that is being written is an object with one of these keys, if there are any; undefined as long as that cannot be told. */
function areArguments(json: string, keys: readonly string[]): boolean | undefined {
  if (/^(?:\{(?:"[^"]*":)?)?$/.test(json)) return undefined
  const [, key] = /^\{"([^"]*)":/.exec(json) ?? []
  return key === undefined ? json === '{}' : keys.length === 0 || keys.includes(key)
}
