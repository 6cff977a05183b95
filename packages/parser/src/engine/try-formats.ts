import { type ArgumentWriter, createArgumentWriter } from './argument-writer.js'
import type { CallOutput, CallReader, Mark } from './grammar.js'
import type { Cursor } from './text/cursor.js'
import { startReader } from './text/run.js'

/** By words, so that the choice does not depend on how the text was cut. */
const piecePattern = /\w{64}|\w{0,63}\W/y

/** A mark on trial. */
export interface CandidateMark extends Mark {
  /**
   * What proves a call, besides the name of a declared tool: nothing, where the name stands in a
   * JSON object behind a mark; arguments that begin, since a name in a tag may be one that is
   * talked about; one of the tool's own keys, where the mark says nothing.
   */
  readonly proof: 'name' | 'arguments' | 'key'
}

export interface Candidates {
  /** The mark that was read, and others that stand there too, or that it begins with. */
  readonly marks: readonly CandidateMark[]
  /** Where no grammar finds a call, but one of these finds markup that holds none, it is that. */
  acceptsNoCall(mark: Mark): boolean
  /** What it is if no grammar finds anything. */
  readonly fallback?: Mark | undefined
}

/**
 * Several grammars behind one mark, or behind what a longer mark begins with. All read on trial
 * until one finds what proves a call, or text; that one then reads the markup from its beginning.
 * Both come early, so little is read twice.
 */
export function* tryFormats(
  cursor: Cursor,
  output: CallOutput,
  candidates: Candidates,
): CallReader {
  const { marks, acceptsNoCall, fallback } = candidates
  const opened = marks[0]?.text ?? ''
  const markOffset = cursor.windowOffset + cursor.at - opened.length
  let attempts = marks.map(mark => startAttempt(output, mark, opened))
  let chosen = attempts.find(attempt => attempt.isChosen())
  for (; !chosen; chosen = attempts.find(attempt => attempt.isChosen())) {
    const open = attempts.filter(attempt => attempt.isOpen())
    if (open.length === 0) break
    attempts = open
    piecePattern.lastIndex = cursor.at
    const piece =
      piecePattern.exec(cursor.text)?.[0] ?? (cursor.isFinal ? cursor.text.slice(cursor.at) : '')
    cursor.at += piece.length
    if (!piece && !cursor.isFinal) {
      yield
      continue
    }
    for (const { run } of attempts) {
      if (piece) run.feed(piece)
      else run.end(cursor.isTruncated)
    }
  }
  const empty = chosen
    ? undefined
    : attempts.find(attempt => attempt.isEmpty() && acceptsNoCall(attempt.mark))
  if (empty) return empty.unreadChars()
  const best = chosen?.mark ?? fallback
  if (!best) return undefined
  output.rewind(cursor.windowOffset + cursor.at - markOffset - best.text.length)
  return yield* best.read(cursor, output)
}

/** A grammar on trial: it reads the text, but what it finds goes nowhere. */
function startAttempt(output: CallOutput, mark: CandidateMark, opened: string) {
  const { tools, maxHeldChars } = output
  let name: string | undefined
  let writer: ArgumentWriter | undefined
  let written = ''
  /** The first call is over, and could be read; or could not. */
  let isWhole: boolean | undefined
  /** It gives out text that holds no call. */
  let hasText = false
  const ignore = () => {}
  const attemptOutput: CallOutput = {
    tools,
    maxHeldChars,
    report: ignore,
    rewind: ignore,
    emitMarkup: ignore,
    appendRaw() {
      isWhole ??= false
    },
    endCall(problem) {
      isWhole ??= problem?.code !== 'malformed-arguments'
    },
    emitText() {
      hasText = true
    },
    beginCall(toolName) {
      name ??= tools.forcedToolName ?? toolName
      const newWriter = createArgumentWriter(tools.shapeOf(toolName), maxHeldChars)
      writer ??= newWriter
      return newWriter
    },
  }
  const run = startReader(cursor => mark.read(cursor, attemptOutput))
  /** Whether it is a call; undefined as long as that cannot be told. */
  const isCall = (): boolean | undefined => {
    if (name === undefined) return undefined
    if (!tools.has(name) || mark.proof === 'name') return tools.has(name)
    written += writer?.take() ?? ''
    const hasBegun = written.length > 1 || undefined
    return (
      (mark.proof === 'key' ? hasKey(written, tools.shapeOf(name).propertyNames) : hasBegun) ??
      isWhole
    )
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
    unreadChars: () => (run.result() ?? 0) + run.unread().length,
  }
}

/**
 * Whether JSON that is being written is an object with one of these keys, if there are any;
 * undefined as long as that cannot be told.
 */
function hasKey(json: string, keys: readonly string[]): boolean | undefined {
  if (/^(?:\{(?:"[^"]*":)?)?$/.test(json)) return undefined
  const [, key] = /^\{"([^"]*)":/.exec(json) ?? []
  return key === undefined ? json === '{}' : keys.length === 0 || keys.includes(key)
}
