import type { Body, CallGrammar, CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { readMark } from '../marks.js'
import { type CallEnd, type EnvelopeGrammar, readEnvelope } from './call-envelope.js'
import { createMarkup } from './markup.js'

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
  readonly readOther?:
    | ((
        cursor: Cursor,
        port: CallPort,
        grammar: JsonGrammar,
        needsProof: boolean,
      ) => Reading<CallEnd>)
    | undefined
}

export const FENCE = '```'

export function* readJsonCalls(cursor: Cursor, port: CallPort, grammar: JsonGrammar): Body {
  const { ends, bracket = '', isWeak, readOther } = grammar
  const isOtherList = readOther !== undefined && bracket !== ''
  // A list without marks that cannot be read ends with its line.
  const markup = createMarkup(cursor, port, isOtherList ? { ends: [')]'], opens: ['\n'] } : grammar)
  const readObject = !readOther || !isWeak || port.tools.isForced ? readEnvelope : undefined
  /** Lists that hold the calls. */
  let openLists = 0
  /** Without one only a declared tool is called. */
  let hasComma = true
  // Some put a fence between the marks.
  const fence = isWeak || bracket ? '' : yield* markup.nextMark([FENCE])
  if (fence) yield* markup.nextMark(['json'])
  const isSeparator = (char: string) => {
    hasComma ||= char === ','
    // A brace too many is a slip of the model's, not text.
    return (
      ' \n\r\t,;'.includes(char) ||
      (char === '}' && markup.hasCalled()) ||
      (char === '`' && fence !== '')
    )
  }

  for (let mark = bracket; ; mark = '') {
    const end = mark ? '' : yield* markup.nextMark(ends, isSeparator)
    if (!mark && !end && markup.unclaimedChars() < port.maxHeldChars)
      mark = yield* readMark(cursor, ['{', '[', ']'])
    if (mark === '[') openLists++
    if (mark === ']' && openLists > 0) {
      openLists--
      // Where no mark ends the markup, the list's bracket does.
      markup.claim()
      if (isOtherList && openLists === 0) return markup.leave()
    }
    if (mark && mark !== '{') continue
    if (end || (!mark && markup.takeBegun(ends))) {
      markup.claim()
      return markup.leave()
    }
    const read = mark ? readObject : readOther
    if (!read) return markup.leave()
    const { isCall, problem } = yield* read(cursor, port, grammar, !markup.hasCalled() || !hasComma)
    hasComma = false
    if (isCall && (yield* markup.endCall(problem))) return markup.leave()
    if (isCall) continue
    // In a list of calls that was cut before the arguments of the next one all is markup.
    if (problem?.code === 'cut-call' && openLists > 0) cursor.at = cursor.text.length
    else return markup.leave()
  }
}

/** A way in which calls may be marked. */
export interface JsonMarks extends Omit<JsonGrammar, 'ends' | 'opens' | 'bracket'> {
  readonly open: string
  readonly close: string
}

/** Calls as JSON between marks, in any of these ways. */
export function jsonCalls(...ways: readonly JsonMarks[]): CallGrammar {
  // A bracket alone is no sign of another call.
  const opens = ways.map(way => way.open).filter(open => open.length > 1)
  return () =>
    ways.map(({ open, close, ...way }) => {
      const grammar = {
        ...way,
        ends: close ? [close] : [],
        opens,
        bracket: /[{[]$/.exec(open)?.[0],
      }
      return { text: open, read: (cursor, port) => readJsonCalls(cursor, port, grammar) }
    })
}

/** Calls as JSON without any mark: the object's own brace, or a list's bracket, is all there is. */
export const bareJsonCalls = jsonCalls(
  ...['{', '['].map(open => ({ open, close: '', isWeak: true })),
)

/**
 * The same in free text, where JSON may also be an answer: what stands inside of that is no call,
 * however much it looks like one.
 */
export const outerJsonCalls: CallGrammar = tools =>
  bareJsonCalls(tools).map(mark => ({ ...mark, isOutermost: !tools.isForced }))
