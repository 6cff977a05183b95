import type { ArgumentWriter } from '../argument-writer.js'
import { createCallSection } from '../call-section.js'
import { CUT, malformed, type Problem } from '../events.js'
import type { CallGrammar, CallOutput, CallReader } from '../grammar.js'
import { readJsonCalls } from '../json/json-calls.js'
import type { Cursor } from '../text/cursor.js'
import { peekText, skip } from '../text/read-marks.js'
import { Token } from '../values/tokens.js'
import {
  type AfterValue,
  lineMarks,
  type PairMarks,
  type Pairs,
  peekAfterValue,
  type ValueReading,
} from './after-value.js'
import { readPairObject, readPairValue } from './pair-value.js'

/**
 * A name goes up to space or a bracket. Where the text is over, one may stand there that goes on.
 */
const nameAndRest = /^([^\s({<>="']{0,256})((?:[\s({<].*)?)$/s
/** What stands behind the name, and behind a parenthesis, shows what is called with what. */
const wholeHead = /^[^\s({<>="']*(?:[>="']|(?![^\s({<>="'])\s*\(?\s*[^\s(])/

/**
 * Calls as a name and pairs, between tags or in a line of their own:
 *
 *     <call>get_weather city="New York" days=3</call>
 *     @get_weather city=New York days=3
 *
 * The pairs may also stand in parentheses, and a JSON object in their place. A value may be raw
 * text, a string in quotes, JSON, a list as `a, b, c`, or a heredoc:
 *
 *     code=<<END
 *     print("hi")
 *     END
 *
 * The line breaks behind `<<END` and before `END` are markup; where the schema wants a list, the
 * lines are a table or its items.
 */
function* readPairCall(
  cursor: Cursor,
  output: CallOutput,
  marks: PairMarks,
  lineName?: string,
): CallReader {
  const { tools, maxHeldChars, rewind } = output
  const isLine = lineName !== undefined
  // A line that cannot be read ends with its break, which is not the call's.
  const grammar = { endMarks: isLine ? [] : [marks.close], openMarks: [marks.open] }
  const section = createCallSection(cursor, output, grammar)
  if (!isLine) yield* skip(cursor)
  const isSpaced = section.unconfirmedChars() > 0
  if (!isLine && /[[{]/.test(cursor.text.charAt(cursor.at)))
    return yield* readJsonCalls(cursor, output, grammar)

  const ahead = yield* peekText(cursor, text => wholeHead.test(text))
  const [, written, after = ''] = nameAndRest.exec(ahead) ?? []
  // Behind a line's name no more of a name may stand, but for the colon of `@name: {…}`.
  if (
    written === undefined ||
    /^:?$/.test(written) !== isLine ||
    (after === '' && cursor.isTruncated)
  )
    return undefined
  // `name: {…}`
  const name = lineName ?? (tools.has(written) ? written : written.replace(/:$/, ''))
  const open = () => section.openCall(name)
  cursor.at += written.length
  // An empty line ends the call of a line.
  const [near = ''] = isLine ? after.split(/\n\s*\n/, 1) : [after]
  const [, parenthesis = '', brace = ''] = /^\s*(\(?)\s*(\{?)/.exec(near) ?? []
  // Between tags a tool's name is proof enough; any other must stand right behind the tag, and
  // something behind it.
  const isTool = !isLine && tools.has(name)
  if (!isLine && !isTool && (isSpaced || after.trim() === '')) return undefined
  if (isLine && written && !brace) return undefined
  if (isTool || parenthesis) open()
  if (parenthesis || brace) cursor.at += after.search(/[({]/) + parenthesis.length
  const shape = tools.shapeOf(name)
  const pairs: Pairs = {
    marks,
    cursor,
    maxHeldChars,
    rewind,
    shape,
    seenKeys: new Set(),
    parenthesis,
  }
  const found = yield* brace ? readPairObject(pairs, open()) : readPairArguments(pairs, open)
  const problem = 'code' in found ? found : undefined
  if (problem && !section.writer()) return undefined
  // Whatever follows an object, it is whole.
  if (!('code' in found) && found.type === 'end') cursor.at += found.chars
  yield* section.endCall(problem)
  return 0
}

/** `get_weather| city=…` Where arguments begin it is a call for certain. */
export function* readPairArguments(pairs: Pairs, open: () => ArgumentWriter): ValueReading {
  const { cursor, seenKeys } = pairs
  /** The path of the object that is open. */
  const opened: string[] = []
  let found: AfterValue | Problem = yield* peekAfterValue(pairs, true)
  const nothing = malformed('neither an argument nor the end of the call')
  if (found.type === 'text') return found.isAtEnd ? CUT : nothing
  const writer = open()
  const { put } = writer
  put(Token.beginObject, '')
  while (!('code' in found) && found.type === 'pair') {
    const { path } = found
    const parents = path.slice(0, -1)
    // JSON that has been sent cannot be opened again: an object is over where a key stands
    // elsewhere.
    for (; opened.some((name, i) => name !== parents[i]); opened.pop()) put(Token.endObject, '')
    for (const name of path.slice(opened.length)) {
      const id = [...opened, name].join('\n')
      if (seenKeys.has(id))
        return malformed(`the argument ${JSON.stringify(id.replaceAll('\n', '.'))} is given twice`)
      seenKeys.add(id)
      put(Token.key, name)
      if (opened.length === parents.length) break
      opened.push(name)
      put(Token.beginObject, '')
    }
    cursor.at += found.chars
    const after: AfterValue | Problem = yield* readPairValue(pairs, writer)
    found = 'code' in after ? after : (writer.error() ?? after)
  }
  if ('code' in found) return found
  if (found.type !== 'end') return nothing
  if (found.isAtEnd && cursor.isTruncated) return CUT
  for (let i = 0; i <= opened.length; i++) put(Token.endObject, '')
  return found
}

/** Calls between tags, as a name and pairs. */
export function pairCalls(open: string, close: string): CallGrammar {
  const marks = { open, close, isLine: false }
  return () => [{ text: open, read: (cursor, output) => readPairCall(cursor, output, marks) }]
}

/** Calls in lines of their own that begin with a sign and the tool's name. */
export function lineCalls(sign: string): CallGrammar {
  return tools =>
    tools.names().map(name => ({
      text: sign + name,
      onlyAtLineStart: true,
      read: (cursor, output) => readPairCall(cursor, output, lineMarks, name),
    }))
}
