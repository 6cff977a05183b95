import { createCallRecorder } from '../call-recorder.js'
import type { EngineEvent } from '../events.js'
import type { CallOutput, CallReader, Mark, ToolNames, ToolShapes } from '../grammar.js'
import { markStrength } from '../mark-strength.js'
import { judgeProse, type ProseVerdict } from '../prose-before.js'
import { createQuietOutput } from '../quiet-output.js'
import { readOrRewind } from '../read-or-rewind.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { matchMarks, peek, peekText } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { type JsonGrammar, readJsonCalls } from './json-calls.js'
import { readOtherCall } from './other-call.js'
import { createShapeLook } from './other-shape-look.js'

// Calls in a shape that the format does not write: the model was shown another, and wrote this. They
// count on lines of their own, and only as a whole: every call is of a declared tool, and the line
// ends after them (decision 81).

/**
 * Adds the mark of calls in other shapes. A weak mark of the format reads first; where it finds no
 * call, there may be one in another shape. After text it counts only if that does not say that the
 * call is only shown, and not in a code block.
 */
export function withOtherShapes(marks: readonly Mark[], tools: ToolNames): Mark[] {
  const other = otherShapeMark(tools)
  const isOwnShape = (mark: Mark) => markStrength(mark) === 'weak' && !mark.opensNoCall
  return [...marks.map(mark => (isOwnShape(mark) ? orOtherShape(mark, other) : mark)), other]
}

/** A mark without text: the beginning of a line shows it. */
export function otherShapeMark(tools: ToolNames): Mark {
  return {
    text: '',
    startsLine: createShapeLook(tools.lookup),
    strength: 'weak',
    // Where no format was asked for, only a whole answer counts.
    onlyAtTextStart: tools.isUnprompted,
    notInCodeBlock: true,
    notInBrackets: true,
    read: readOtherShape,
  }
}

/** `[|get_weather(…)]` Reads the format's own shape, and where it is not that, another one. */
function orOtherShape(mark: Mark, other: Mark): Mark {
  const { named } = mark
  if (!named) {
    const read: Mark['read'] = (cursor, output) => readEitherShape(cursor, output, mark, other)
    return { ...mark, notInCodeBlock: true, read }
  }
  const create = (name: string) => orOtherShape(named.create(name), other)
  return { ...mark, notInCodeBlock: true, named: { ...named, create } }
}

function* readEitherShape(cursor: Cursor, output: CallOutput, mark: Mark, other: Mark): CallReader {
  // `see [this](link)`: nothing in it is like a call.
  if (!(yield* mayBeCall(cursor, output, mark, other))) {
    return yield* readShown(cursor, output, mark)
  }
  // `For example: [get_weather(…)]`
  const place = judgePlace(output)
  if (place === 'shown') return yield* readShown(cursor, output, mark)
  const streams = mayStream(place, output, mark)
  const own = streams ? mark : wholeMark(mark, place)
  const ownChars = yield* readOrRewind(cursor, output, own)
  if (ownChars !== 'rewound') return ownChars
  const otherChars = yield* readAtMark(cursor, output, mark, other)
  if (otherChars !== undefined || streams) return otherChars
  return yield* readShown(cursor, output, mark)
}

/**
 * True if the call may be emitted while it is read: it begins the answer, or a line.
 * `I look: {"name": …`: inside a line, and in a fence after text, it is read to its end first.
 */
function mayStream(place: ProseVerdict, { isLineStart }: CallOutput, { text }: Mark): boolean {
  const isFence = text.startsWith('```')
  return place === 'first' || (isLineStart && !isFence)
}

/** The mark of a call that counts only if the text, or after `I look:` the sentence, ends with it. */
function wholeMark(mark: Mark, place: ProseVerdict): Mark {
  const ends = place === 'announced' ? endsSentence : endsText
  const readOwn: ReadCalls = (cursor, output) => readToEnd(cursor, output, mark.read, ends)
  return { ...mark, read: (cursor, output) => readComplete(cursor, output, readOwn) }
}

/** Decides after text whether a bracket and what follows it begin like a call of a declared tool. */
function* mayBeCall(
  cursor: Cursor,
  { isTextStart, tools }: CallOutput,
  mark: Mark,
  other: Mark,
): Reading<boolean> {
  const isBracket = mark.text === '[' || mark.text === '{'
  if (!isBracket || isTextStart || tools.names().length === 0) return true
  const look = (after: string) => other.startsLine?.(mark.text + after) ?? 'no'
  return (yield* peek(cursor, look)) === 'yes'
}

/** "For example:⏎```json|" The content of a fence is text. */
function* readShown(cursor: Cursor, output: CallOutput, { text, whenShown }: Mark): CallReader {
  if (!whenShown) return undefined
  output.rewind(text.length - whenShown.text.length)
  return yield* whenShown.read(cursor, output)
}

/** "```|" Reads a call in another shape, and where there is none, what the mark opens. */
export function afterOtherShape(mark: Mark, other: Mark): Mark {
  return {
    ...mark,
    *read(cursor, output) {
      const unreadChars = yield* readAtMark(cursor, output, mark, other)
      return unreadChars ?? (yield* mark.read(cursor, output))
    },
  }
}

/** Reads a call in another shape from the beginning of a mark; otherwise stays after the mark. */
function* readAtMark(cursor: Cursor, output: CallOutput, mark: Mark, other: Mark): CallReader {
  const isInPlace = output.isLineStart && (output.isTextStart || !other.onlyAtTextStart)
  if (!isInPlace) return undefined
  output.rewind(mark.text.length)
  const look = (text: string) => other.startsLine?.(text) ?? 'no'
  const starts = yield* peek(cursor, look)
  const unreadChars = starts === 'yes' ? yield* readOrRewind(cursor, output, other) : 'rewound'
  if (unreadChars !== 'rewound') return unreadChars
  cursor.at += mark.text.length
  return undefined
}

/** What the text before the mark says about a call there. */
const judgePlace = (output: CallOutput): ProseVerdict =>
  output.isTextStart ? 'first' : judgeProse(output.textBefore())

function* readOtherShape(cursor: Cursor, output: CallOutput): CallReader {
  const place = judgePlace(output)
  if (place === 'shown') return undefined
  const read: ReadCalls = (cursor, output) => readShapes(cursor, output, place)
  return yield* readComplete(cursor, output, read)
}

type ReadCalls = (cursor: Cursor, output: CallOutput) => CallReader

/** Reads calls twice: first without events, to see whether they can all be read. */
function* readComplete(cursor: Cursor, output: CallOutput, read: ReadCalls): CallReader {
  const start = cursor.windowOffset + cursor.at
  const isComplete = yield* areComplete(cursor, output, read)
  const readChars = cursor.windowOffset + cursor.at - start
  if (!isComplete || !output.mayReadAgain(readChars)) return undefined
  output.rewind(readChars)
  return yield* read(cursor, output)
}

/** Tells whether all calls can be read and are of declared tools, with a key of theirs. */
function* areComplete(cursor: Cursor, output: CallOutput, read: ReadCalls): Reading<boolean> {
  const { tools, maxHeldChars } = output
  let isRead = true
  const see = (event: EngineEvent) => {
    if (event.type !== 'call-end') return
    isRead &&= !event.problem && isCallOf(tools, event.toolName, event.input)
  }
  const recorder = createCallRecorder({ tools, maxHeldChars, emit: see })
  const quiet = createQuietOutput({
    tools,
    maxHeldChars,
    rewind: output.rewind,
    beginCall: recorder.begin,
    appendRaw: recorder.flush,
    endCall: problem => recorder.end(problem, () => '', 0),
  })
  const unreadChars = yield* read(cursor, quiet)
  recorder.emitEnded()
  return unreadChars !== undefined && isRead
}

/**
 * True for a declared tool, or for any if none are, without arguments or with a key of its own.
 */
function isCallOf(tools: ToolShapes, toolName: string, input: string): boolean {
  if (!tools.has(toolName) && tools.names().length > 0) return false
  const { propertyNames } = tools.shapeOf(toolName)
  const keys = Object.keys(JSON.parse(input) as object)
  const isOpen = propertyNames.length === 0 || keys.length === 0
  return isOpen || keys.some(key => propertyNames.includes(key))
}

/** "```json⏎" or "`": what is around the calls, and its end. */
const frame = /^(?:(`{3,})(?!\w*(?:result|response|output))[\w+.-]*[ \t\r]*\n|`(?!`))/
const begunFrame = /^`+(?:[\w+.-]*[ \t\r]*)?$/

/** Reads the calls with what is around them. */
function* readShapes(cursor: Cursor, output: CallOutput, place: ProseVerdict): CallReader {
  const ahead = yield* peekText(cursor, text => text !== '' && !begunFrame.test(text))
  const [open = '', fence] = frame.exec(ahead) ?? []
  cursor.at += open.length
  const close = fence ?? open
  const grammar: JsonGrammar = {
    endMarks: close ? [close] : [],
    openMarks: [],
    strength: 'weak',
    isOtherShape: true,
    isKeyedByName: true,
    readNonJsonCall: readOtherCall,
  }
  const isLast = place === 'unclear' || (place === 'possible' && fence !== undefined)
  const read: ReadCalls = (cursor, output) => readJsonCalls(cursor, output, grammar)
  return yield* readToEnd(cursor, output, read, isLast ? endsText : endsLine)
}

/** Reads calls after which the line or the text must end. */
function* readToEnd(
  cursor: Cursor,
  output: CallOutput,
  read: ReadCalls,
  ends: (after: string) => Verdict,
): CallReader {
  const unreadChars = yield* read(cursor, output)
  if (unreadChars === undefined) return undefined
  output.rewind(unreadChars)
  return (yield* peek(cursor, ends)) === 'no' ? undefined : 0
}

/** `get_weather(city="Paris")|<|im_end|>` What may be the end of a turn. */
const turnEnds = ['<|', '<｜', '</s>', '<end_of_turn>']

/** `get_weather(city="Paris")|⏎` but not `get_weather(city="Paris")| is a call`. */
function endsLine(after: string): Verdict {
  // `get_weather(city="Paris")|,⏎`: more calls would have been read.
  const text = after.replace(/^[ \t]*[,;]?[ \t]*/, '')
  return /^[\r\n]/.test(text) ? 'yes' : matchMarks(text, turnEnds)
}

/** `{"name": …}| Done.` The same, or another sentence begins. */
function endsSentence(after: string): Verdict {
  return /^[ \t]+\p{Lu}/u.test(after) ? 'yes' : endsLine(after)
}

const endsText = (after: string): Verdict => matchMarks(after.trimStart(), turnEnds)
