import type { Body, CallGrammar, CallPort } from '../body.js'
import type { Cursor } from '../cursor.js'
import { type EnvelopeGrammar, readEnvelope } from './call-envelope.js'
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
}

export const FENCE = '```'

export function* readJsonCalls(cursor: Cursor, port: CallPort, grammar: JsonGrammar): Body {
  const { ends } = grammar
  let { bracket } = grammar
  const markup = createMarkup(cursor, port, grammar)
  /** Lists that hold the objects. */
  let openLists = 0
  // Some put a fence between the marks.
  const fence = grammar.isWeak || bracket ? '' : yield* markup.nextMark([FENCE])
  if (fence) yield* markup.nextMark(['json'])
  // A brace too many is a slip of the model's, not text.
  const isSeparator = (char: string) =>
    ' \n\r\t,;'.includes(char) || (char === '}' && markup.hasCalled()) || (char === '`' && fence !== '')

  for (;;) {
    const found = bracket ? '' : yield* markup.nextMark(ends, isSeparator)
    const char = bracket || found || cursor.text.charAt(cursor.at)
    const unreadChars = bracket ? 0 : 1
    bracket = ''
    if ((char === '[' || char === ']') && markup.unclaimedChars() < port.maxHeldChars) {
      cursor.at += unreadChars
      if (char === '[') openLists++
      else if (openLists > 0) {
        // Where no mark ends the markup, the list's bracket does.
        openLists--
        markup.claim()
      }
      continue
    }
    if (char !== '{') {
      if (found || markup.takeBegun(ends)) markup.claim()
      return markup.leave()
    }
    cursor.at += unreadChars
    const { isCall, problem } = yield* readEnvelope(cursor, port, grammar)
    if (!isCall) {
      // A list of calls that was cut before the next one's arguments.
      if (problem?.code !== 'cut-call' || !markup.hasCalled() || openLists === 0) return markup.leave()
      cursor.at = cursor.text.length
      return 0
    }
    yield* markup.endCall(problem)
  }
}

/** A way in which calls may be marked. */
export interface JsonMarks extends Pick<EnvelopeGrammar, 'isWeak' | 'isKeyedByName' | 'noCallNames'> {
  readonly open: string
  readonly close: string
  /** What may stand in place of `close`. */
  readonly otherCloses?: readonly string[] | undefined
}

/** Calls as JSON between marks, in any of these ways. */
export function jsonCalls(...ways: readonly JsonMarks[]): CallGrammar {
  const opens = ways.map(way => way.open)
  return () =>
    ways.map(({ open, close, otherCloses = [], ...way }) => {
      const ends = [close, ...otherCloses].filter(Boolean)
      const grammar = { ...way, ends, opens, bracket: open.endsWith('[') ? '[' : '' }
      return { text: open, read: (cursor, port) => readJsonCalls(cursor, port, grammar) }
    })
}

/** Calls as JSON without any mark: the object's own brace, or a list's bracket, is all there is. */
export const bareJsonCalls: CallGrammar = () =>
  ['{', '['].map(text => ({
    text,
    read: (cursor, port) => readJsonCalls(cursor, port, { ends: [], opens: [], isWeak: true, bracket: text }),
  }))

/** The same in free text, where JSON may also be an answer: what stands inside of that is no call, however much it looks like one. */
export const outerJsonCalls: CallGrammar = tools =>
  bareJsonCalls(tools).map(mark => ({ ...mark, isOutermost: !tools.isForced }))
