import { createCallSection } from '../call-section.js'
import type { CallGrammar, CallOutput, CallReader } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { readMark } from '../text/read-marks.js'
import { type EnvelopeGrammar, type EnvelopeResult, readEnvelope } from './call-envelope.js'

/**
 * Calls as JSON objects behind a mark:
 *
 *     <tool_call>{"name": "f", "arguments": {…}}</tool_call>
 *     <tool_call>[{…}, {…}]</tool_call>
 *     <tool_call>{…} {…}
 *
 * One object, a list of them, or several in a row; the end mark may be missing.
 */
export interface JsonGrammar extends EnvelopeGrammar {
  /** The end of the mark, if it is the bracket of the object or the list. */
  readonly bracket?: string | undefined
  /**
   * Reads a call that is not JSON. Beside such calls objects count only behind a mark that is not
   * weak, or where a call is forced.
   */
  readonly readNonJsonCall?:
    | ((
        cursor: Cursor,
        output: CallOutput,
        grammar: JsonGrammar,
        needsProof: boolean,
      ) => Reading<EnvelopeResult>)
    | undefined
}

export const FENCE = '```'

export function* readJsonCalls(
  cursor: Cursor,
  output: CallOutput,
  grammar: JsonGrammar,
): CallReader {
  const { endMarks, bracket = '', isWeakMark, readNonJsonCall } = grammar
  const isOtherList = readNonJsonCall !== undefined && bracket !== ''
  // A list without marks that cannot be read ends with its line.
  const section = createCallSection(
    cursor,
    output,
    isOtherList ? { endMarks: [')]'], openMarks: ['\n'] } : grammar,
  )
  const readObject =
    !readNonJsonCall || !isWeakMark || output.tools.isForced ? readEnvelope : undefined
  /** Lists that hold the calls. */
  let openLists = 0
  /** Without one only a declared tool is called. */
  let hasComma = true
  // Some put a fence between the marks.
  const fence = isWeakMark || bracket ? '' : yield* section.nextMark([FENCE])
  if (fence) yield* section.nextMark(['json'])
  const isSeparator = (char: string) => {
    hasComma ||= char === ','
    // A brace too many is a slip of the model's, not text.
    return (
      ' \n\r\t,;'.includes(char) ||
      (char === '}' && section.hasCalled()) ||
      (char === '`' && fence !== '')
    )
  }

  for (let mark = bracket; ; mark = '') {
    const end = mark ? '' : yield* section.nextMark(endMarks, isSeparator)
    if (!mark && !end && section.unconfirmedChars() < output.maxHeldChars)
      mark = yield* readMark(cursor, ['{', '[', ']'])
    if (mark === '[') openLists++
    if (mark === ']' && openLists > 0) {
      openLists--
      // Where no mark ends the markup, the list's bracket does.
      section.confirm()
      if (isOtherList && openLists === 0) return section.finish()
    }
    if (mark && mark !== '{') continue
    if (end || (!mark && section.takePartialMark(endMarks))) {
      section.confirm()
      return section.finish()
    }
    const read = mark ? readObject : readNonJsonCall
    if (!read) return section.finish()
    const { isCall, problem } = yield* read(
      cursor,
      output,
      grammar,
      !section.hasCalled() || !hasComma,
    )
    hasComma = false
    if (isCall && (yield* section.endCall(problem))) return section.finish()
    if (isCall) continue
    // In a list of calls that was cut before the arguments of the next one all is markup.
    if (problem?.code === 'cut-call' && openLists > 0) cursor.at = cursor.text.length
    else return section.finish()
  }
}

/** A way in which calls may be marked. */
export interface JsonMarks extends Omit<JsonGrammar, 'endMarks' | 'openMarks' | 'bracket'> {
  readonly open: string
  readonly close: string
}

/** Calls as JSON between marks, in any of these ways. */
export function jsonCalls(...markPairs: readonly JsonMarks[]): CallGrammar {
  // A bracket alone is no sign of another call.
  const openMarks = markPairs.map(pair => pair.open).filter(open => open.length > 1)
  return () =>
    markPairs.map(({ open, close, ...pair }) => {
      const grammar = {
        ...pair,
        endMarks: close ? [close] : [],
        openMarks,
        bracket: /[{[]$/.exec(open)?.[0],
      }
      return { text: open, read: (cursor, output) => readJsonCalls(cursor, output, grammar) }
    })
}

/** Calls as JSON without any mark: the object's own brace, or a list's bracket, is all there is. */
export const bareJsonCalls = jsonCalls(
  ...['{', '['].map(open => ({ open, close: '', isWeakMark: true })),
)

/**
 * The same in free text, where JSON may also be an answer: what stands inside of that is no call,
 * however much it looks like one.
 */
export const outerJsonCalls: CallGrammar = tools =>
  bareJsonCalls(tools).map(mark => ({ ...mark, notInBrackets: !tools.isForced }))
