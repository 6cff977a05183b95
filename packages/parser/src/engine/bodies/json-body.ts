import type { Body, CallGrammar, CallPort, Mark } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT } from '../events.js'
import { readJson } from '../read-json.js'
import { createCallEnvelope, type EnvelopeGrammar } from './call-envelope.js'
import { createMarkup } from './markup.js'
import { prose } from './silent-body.js'

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
  /** What closes the markup. The first one is what we write ourselves. */
  readonly ends: readonly string[]
  /** What opens the next markup, and so also ends one that was not closed. */
  readonly opens: readonly string[]
  /** The mark was the object's own brace. */
  readonly isBraceRead?: boolean | undefined
  /** The mark was, or ended with, the bracket of a list. */
  readonly isListRead?: boolean | undefined
}

/** A key behind the arguments, such as an id, and its value, or where that is a bracket; and what may become that. */
const idleKey = /^\s*,\s*(["'])\w{1,64}\1\s*:\s*(?:"[^"\n]{0,256}"|[\w.+-]{1,64}(?=[\s,}])|(?=[[{]))/
const idleKeyBegun = /^\s*(?:,\s*(?:["'](?:\w{0,64}(?:["']\s*(?::\s*(?:"[^"\n]{0,256}|[\w.+-]{0,64})?)?)?)?)?)?$/
const MAX_IDLE_CHARS = 512

export function* readJsonCalls(cursor: Cursor, port: CallPort, grammar: JsonGrammar): Body {
  const { ends, opens } = grammar
  const markup = createMarkup(cursor, port, grammar)
  /** Lists that hold the objects, and those that were opened since the last one. */
  let openLists = 0
  let newLists = grammar.isListRead ? 1 : 0
  let hasBegun = grammar.isBraceRead === true
  // A brace too many is a slip of the model's, not text.
  const isSeparator = (char: string) => ' \n\r\t,;'.includes(char) || (char === '}' && markup.hasCalled())

  for (;;) {
    const found = hasBegun ? '{' : yield* markup.nextMark(ends, isSeparator)
    const char = found || cursor.text.charAt(cursor.at)
    if ((char === '[' || char === ']') && markup.unclaimedChars() < port.maxHeldChars) {
      cursor.at++
      if (char === '[') newLists++
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
    openLists += newLists
    newLists = 0
    const envelope = createCallEnvelope(port, grammar)
    const mayHaveKey = (key: string) => envelope.writer()?.mayHaveKey(key) ?? true
    const options = { ends, otherEnds: opens, mayHaveKey, hasBegun, isEnough: envelope.isEnough }
    const failure = yield* readJson(cursor, envelope.put, options)
    hasBegun = false
    // At the end of the text an object without its brace may lack the arguments too.
    const isTorn = cursor.isOver && cursor.at === cursor.text.length && cursor.text.charAt(cursor.at - 1) !== '}'
    const problem = failure ?? (isTorn && !envelope.isEnough() && !envelope.writer()?.isWhole() ? CUT : undefined)
    if (!problem) envelope.finish()
    if (!envelope.writer() || envelope.isRejected()) {
      // A list of calls that was cut before the next one's arguments.
      const isCutList = problem?.code === 'cut-call' && !envelope.isRejected() && markup.hasCalled() && openLists > 0
      return isCutList ? 0 : markup.leave()
    }
    if (!problem) yield* leaveObjects(cursor, envelope.depth(), ends)
    yield* markup.endCall(problem)
  }
}

/** Passes over what may stand behind the arguments in the objects around them, up to the braces of these. */
function* leaveObjects(cursor: Cursor, count: number, ends: readonly string[]): Reading {
  for (let depth = count; depth > 0; ) {
    const rest = cursor.text.slice(cursor.at, cursor.at + MAX_IDLE_CHARS)
    const found = (/^\s*\}/.exec(rest) ?? idleKey.exec(rest))?.[0]
    cursor.at += found?.length ?? 0
    if (found?.endsWith('}')) depth--
    else if (found && /[[{]/.test(cursor.text.charAt(cursor.at))) yield* readJson(cursor, () => {}, { ends })
    if (found) continue
    if (cursor.isOver || rest.length === MAX_IDLE_CHARS || !idleKeyBegun.test(rest)) return
    yield
  }
}

/** A way in which calls may be marked. */
export interface JsonMarks extends Pick<EnvelopeGrammar, 'isKeyedByName' | 'noCallNames'> {
  readonly open: string
  readonly close: string
  /** What may stand in place of `close`. */
  readonly otherCloses?: readonly string[] | undefined
  /** The mark is also used for other things: only a declared tool's name with arguments makes a call. */
  readonly isWeak?: boolean
}

/** Calls as JSON between marks, in any of these ways. */
export function jsonCalls(...ways: readonly JsonMarks[]): CallGrammar {
  const opens = ways.map(way => way.open)
  return () =>
    ways.map(({ open, close, otherCloses = [], ...way }) => {
      const ends = [close, ...otherCloses].filter(Boolean)
      const grammar = { ...way, ends, opens, isListRead: open.endsWith('[') }
      return { text: open, read: (cursor, port) => readJsonCalls(cursor, port, grammar) }
    })
}

/** Calls as JSON without any mark: the object's own brace, or a list's bracket, is all there is. */
export const bareJsonCalls: CallGrammar = () =>
  ['{', '['].map(text => {
    const brackets = { isBraceRead: text === '{', isListRead: text === '[' }
    const grammar = { ends: [], opens: [], isWeak: true, ...brackets }
    return { text, read: (cursor, port) => readJsonCalls(cursor, port, grammar) }
  })

/**
 * The same in free text, where JSON may also be an answer: what stands inside other brackets is a part of that answer,
 * however much it looks like a call. A blank line ends what was never closed.
 */
export const outerJsonCalls: CallGrammar = tools => {
  const marks = bareJsonCalls(tools)
  if (tools.isForced) return marks
  let depth = 0
  const watch = (text: string, depthBehind: () => number): Mark => ({
    text,
    read() {
      depth = depthBehind()
      return prose()
    },
  })
  const outermost = ({ text, read }: Mark): Mark => ({
    text,
    *read(cursor, port) {
      const unreadChars = depth > 0 ? undefined : yield* read(cursor, port)
      if (unreadChars === undefined) depth++
      return unreadChars
    },
  })
  return [
    ...marks.map(outermost),
    ...['}', ']'].map(text => watch(text, () => Math.max(0, depth - 1))),
    watch('\n\n', () => 0),
  ]
}
