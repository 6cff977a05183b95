import { createCallRecorder } from './call-recorder.js'
import type { EngineEvent } from './events.js'
import type { CallOutput, CallReader, Mark } from './grammar.js'
import { createQuietOutput } from './quiet-output.js'
import { readOrRewind } from './read-or-rewind.js'
import { isRefused } from './repairs.js'
import type { Cursor, Reading } from './text/cursor.js'
import { startReader } from './text/run.js'
import { type Verdict, verdictOf } from './text/verdict.js'

/** A word and the character after it: the formats read by words, so chunks make no difference. */
const piecePattern = /\w{64}|\w{0,63}\W/y

/** A mark of one of several formats. */
export interface CandidateMark extends Omit<Mark, 'named'> {
  /**
   * What proves a call, besides the name of a declared tool:
   *
   * - `name`: nothing more (JSON after a mark).
   * - `arguments`: the first argument must have started (prose may mention a bare tag).
   * - `key`: one of the tool's own keys must follow (the mark is only a brace or a word).
   */
  readonly proof: 'name' | 'arguments' | 'key'
}

/** The formats that may have written a mark. */
export interface Candidates {
  /** The mark that was read, and others that are there too, or that it begins with. */
  readonly marks: readonly CandidateMark[]
  /**
   * The mark of the format that the prompt asked for. It reads first, as if there were no other
   * format: an unknown tool between its marks is a call, so that the model is told (decision 34).
   */
  readonly asked?: CandidateMark | undefined
  /** Whether markup without a call, such as a header, counts if no format finds a call. */
  acceptsNoCall(mark: Mark): boolean
  /** What the mark is if no format finds anything. */
  readonly fallback?: Mark | undefined
}

/**
 * Reads what follows a mark that several formats have. All of them read, without events, until one
 * finds what proves a call, or text; that one then reads the markup from its beginning. Both come
 * early, so little is read twice.
 */
export function* tryFormats(
  cursor: Cursor,
  output: CallOutput,
  candidates: Candidates,
): CallReader {
  const { marks, asked, acceptsNoCall, fallback } = candidates
  const openText = marks[0]?.text ?? ''
  if (asked) {
    // `<|start|>assistant| to=`: its mark may be the beginning of the one that was found.
    const moreChars = openText.length - asked.text.length
    if (moreChars > 0) output.rewind(moreChars)
    const unreadChars = yield* readOrRewind(cursor, output, asked)
    if (unreadChars !== 'rewound') return unreadChars
    cursor.at += moreChars
  }
  const markOffset = cursor.windowOffset + cursor.at - openText.length
  const attempts = marks.map(mark => startAttempt(output, mark, openText))
  const { chosen, last } = yield* readAttempts(cursor, attempts)
  // `<|start|>assistant<|channel|>final<|message|>|`: a header, and no call.
  const empty = last.find(attempt => attempt.isEmpty() && acceptsNoCall(attempt.mark))
  if (!chosen && empty) return empty.unreadChars()
  const best = chosen?.mark ?? fallback
  if (!best) return undefined
  output.rewind(cursor.windowOffset + cursor.at - markOffset - best.text.length)
  return yield* best.read(cursor, output)
}

/**
 * Lets all attempts read, word by word, until one is chosen or none is left. `last` are those that
 * read the last word.
 */
function* readAttempts(
  cursor: Cursor,
  attempts: readonly FormatAttempt[],
): Reading<{ chosen: FormatAttempt | undefined; last: readonly FormatAttempt[] }> {
  let last = attempts
  for (;;) {
    const chosen = last.find(attempt => attempt.isChosen())
    const open = last.filter(attempt => attempt.isOpen())
    if (chosen || open.length === 0) return { chosen, last }
    last = open
    let piece = nextPiece(cursor)
    while (piece === '' && !cursor.isFinal) {
      yield
      piece = nextPiece(cursor)
    }
    cursor.at += piece.length
    for (const { run } of last) {
      if (piece) run.feed(piece)
      else run.end(cursor.isTruncated)
    }
  }
}

type FormatAttempt = ReturnType<typeof startAttempt>

/** The next word with the character after it; at the end of the text all that is left. */
function nextPiece({ text, at, isFinal }: Cursor): string {
  piecePattern.lastIndex = at
  const [piece] = piecePattern.exec(text) ?? []
  return piece ?? (isFinal ? text.slice(at) : '')
}

/** Lets one format read. Its events go nowhere: only what the first call shows is remembered. */
function startAttempt({ tools, maxHeldChars }: CallOutput, mark: CandidateMark, openText: string) {
  /** The first call: its tool, and what was written of its arguments. */
  let toolName: string | undefined
  let written = ''
  /** The first call ended, and could be read or not. */
  let wasRead: boolean | undefined
  /** The format emits text that contains no call. */
  let hasText = false
  let callCount = 0
  /** A guess was made in it. */
  let hasGuess = false

  const watch = (event: EngineEvent) => {
    if (event.type === 'call-start') {
      callCount++
      toolName ??= event.toolName
    }
    if (event.type === 'call-delta' && callCount === 1) written += event.delta
  }
  const recorder = createCallRecorder({ tools, maxHeldChars, emit: watch })
  const attemptOutput = createQuietOutput({
    tools,
    maxHeldChars,
    beginCall(writtenName) {
      recorder.flush()
      return recorder.begin(writtenName)
    },
    appendRaw() {
      wasRead ??= false
    },
    endCall(problem) {
      wasRead ??= problem?.code !== 'malformed-arguments'
    },
    emitText() {
      hasText = true
    },
  })
  const run = startReader(cursor => {
    cursor.onRepair = code => {
      hasGuess ||= isRefused({ code }, 'safe')
    }
    return mark.read(cursor, attemptOutput)
  })

  /** Tells whether it is a call of a declared tool, with what the mark needs as proof (decision 34). */
  const isCall = (): Verdict => {
    if (toolName === undefined) return 'wait'
    if (!tools.has(toolName)) return 'no'
    if (mark.proof === 'name') return 'yes'
    // `[search("a"), search("b")] is a list`: the first key of the tool was not written.
    if (mark.proof === 'key' && hasGuess) return 'no'
    recorder.flush()
    const hasProof =
      mark.proof === 'key'
        ? startsWithKey(written, tools.shapeOf(toolName).propertyNames)
        : startsArguments(written)
    if (hasProof === 'wait' && wasRead !== undefined) return verdictOf(wasRead)
    return hasProof
  }
  run.feed(openText.slice(mark.text.length))
  return {
    mark,
    run,
    isChosen: () => hasText || isCall() === 'yes',
    isOpen: () => isCall() === 'wait' && !run.isDone(),
    /** It read markup that contains no call, such as a header. */
    isEmpty: () => toolName === undefined && run.result() !== undefined,
    /** How many of the characters that it was fed do not belong to that markup. */
    unreadChars: () => (run.result() ?? 0) + run.unread().length,
  }
}

/** `{"` More than the brace was written. */
const startsArguments = (json: string): Verdict => (json.length > 1 ? 'yes' : 'wait')

/** `{"city":` Tells whether JSON that is being written begins with one of the keys, if there are any. */
function startsWithKey(json: string, keys: readonly string[]): Verdict {
  if (/^(?:\{(?:"[^"]*":)?)?$/.test(json)) return 'wait'
  const [, key] = /^\{"([^"]*)":/.exec(json) ?? []
  if (key === undefined) return verdictOf(json === '{}')
  return verdictOf(keys.length === 0 || keys.includes(key))
}
