import type { ArgumentWriter } from '../argument-writer.js'
import { type CallSection, createCallSection } from '../call-section.js'
import { CUT, malformed, type Problem } from '../events.js'
import { fail, failWith, problemOf } from '../failure.js'
import type { CallGrammar, CallOutput, CallReader, Mark, ToolShapes } from '../grammar.js'
import { readJsonCalls } from '../json/json-calls.js'
import { namedMark } from '../named-mark.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { peekText, skip } from '../text/read-marks.js'
import type { Shape } from '../values/shape.js'
import { Token } from '../values/tokens.js'
import {
  type AfterValue,
  lineMarks,
  type PairMarks,
  type Pairs,
  peekAfterValue,
} from './after-value.js'
import { noteCallEnd, noteKeyAfterEnd, notePair } from './pair-repairs.js'
import { readPairObject, readPairValue } from './pair-value.js'

/**
 * Text that shows what is called and how its arguments begin: the name and the first character
 * after it that is neither whitespace nor `(`. `get_weather (c`, `get_weather>`
 */
const wholeHead = /^[^\s({<>="']*(?:[>="']|(?![^\s({<>="'])\s*\(?\s*[^\s(])/
/** The name, and the text after it, which begins with whitespace or a bracket. */
const nameAndRest = /^([^\s({<>="']{0,256})((?:[\s({<].*)?)$/s

/** The beginning of a call: `get_weather(|city=…`, `get_weather |{"city": …`. */
export interface CallHead {
  /** The name as it was written. In a line it is '' or `:`, since the mark contains the name. */
  readonly name: string
  /** The text after it. */
  readonly after: string
  /** `(` if the arguments are in parentheses; otherwise ''. */
  readonly parenthesis: string
  /** The arguments are a JSON object. */
  readonly isObject: boolean
  /** How many characters of `after` are before the arguments: those up to `{`, or with `(`. */
  readonly charsBeforeArguments: number
}

/** Splits the beginning of a call; undefined if there is none. */
export function matchHead(ahead: string, isLine: boolean): CallHead | undefined {
  const [, name, after = ''] = nameAndRest.exec(ahead) ?? []
  if (name === undefined) return undefined
  // An empty line ends a call in a line.
  const [near = ''] = isLine ? after.split(/\n\s*\n/, 1) : [after]
  const [, parenthesis = '', brace = ''] = /^\s*(\(?)\s*(\{?)/.exec(near) ?? []
  const bracketAt = parenthesis || brace ? after.search(/[({]/) : 0
  return {
    name,
    after,
    parenthesis,
    isObject: brace !== '',
    charsBeforeArguments: bracketAt + parenthesis.length,
  }
}

/**
 * `@get_weather| city=` or `@get_weather|: {"city": …}`. After other text the mark is prose
 * (decision 18).
 */
export function opensLineCall({ name, isObject }: CallHead): boolean {
  return name === '' || (name === ':' && isObject)
}

/**
 * Reads a call after its mark, as a name and pairs. The pairs may be in parentheses, and a JSON
 * object may be in their place.
 *
 *     <call>get_weather city="New York" days=3</call>
 *     @get_weather city=New York days=3
 *
 * `lineName` is the name in the mark of a line.
 */
function* readPairCall(
  cursor: Cursor,
  output: CallOutput,
  marks: PairMarks,
  lineName?: string,
): CallReader {
  const { tools, maxHeldChars, rewind } = output
  const isLine = lineName !== undefined
  // A line that cannot be read ends with its line break, which is not part of the call.
  const sectionMarks = { endMarks: isLine ? [] : [marks.close], openMarks: [marks.open] }
  const section = createCallSection(cursor, output, sectionMarks)
  if (!isLine) yield* skip(cursor)
  const isSpaced = section.unconfirmedChars() > 0
  // `<call>|{"name": "get_weather", …}</call>` (decision 65)
  const isEnvelope = !isLine && /[[{]/.test(cursor.text.charAt(cursor.at))
  if (isEnvelope) {
    noteRepair(cursor, 'other-notation')
    return yield* readJsonCalls(cursor, output, sectionMarks)
  }

  const head = matchHead(yield* peekText(cursor, text => wholeHead.test(text)), isLine)
  if (!head) return undefined
  // `<call>get_wea`: the rest of the name may be missing.
  if (head.after === '' && cursor.isTruncated) return undefined
  const name = lineName ?? chooseName(tools, head.name)
  const isTool = !isLine && tools.has(name)
  const opensCall = isLine ? opensLineCall(head) : opensTagCall(head, isTool, isSpaced)
  if (!opensCall) return undefined

  cursor.at += head.name.length
  const beginCall = () => section.beginCall(name)
  if (isTool || head.parenthesis) beginCall()
  noteHead(cursor, head, name)
  cursor.at += head.charsBeforeArguments
  const pairs: Pairs = {
    marks,
    cursor,
    maxHeldChars,
    rewind,
    isTool: tools.has,
    shape: tools.shapeOf(name),
    seenKeys: new Set(),
    parenthesis: head.parenthesis,
  }
  const found = yield* readPairArguments(pairs, beginCall, head.isObject)
  return yield* endPairCall(pairs, section, found)
}

/** `get_weather(|city=Paris)`, `get_weather: |{…}` */
function noteHead(cursor: Cursor, head: CallHead, name: string): void {
  const hasColon = head.name.endsWith(':') && head.name !== name
  if (head.parenthesis || hasColon) noteRepair(cursor, 'other-notation')
}

/** Ends the call. If no argument was found and no call is open, the mark was prose. */
function* endPairCall(pairs: Pairs, section: CallSection, found: AfterValue | Problem): CallReader {
  if ('code' in found) {
    if (!section.writer()) return undefined
    yield* section.endCall(found)
    return 0
  }
  noteCallEnd(pairs, found)
  // `@get_weather {"city": "Paris"}| thanks`: text after a JSON object is not part of the call.
  if (found.type === 'end') pairs.cursor.at += found.chars
  yield* section.endCall()
  return 0
}

/** `get_weather: {…}` has a colon that is not part of the name, unless a tool has that name. */
function chooseName(tools: ToolShapes, written: string): string {
  return tools.has(written) ? written : written.replace(/:$/, '')
}

/**
 * Between tags the name of a tool is enough. Any other name must be right after the tag, with text
 * after it: `<call>nope| a=1</call>`, but not `Use <call>| and` (decision 63).
 */
export function opensTagCall(head: CallHead, isTool: boolean, isSpaced: boolean): boolean {
  if (head.name === '' || head.name === ':') return false
  return isTool || (!isSpaced && head.after.trim() !== '')
}

/**
 * `get_weather| city=…` Reads the arguments up to the end of the call: pairs, or a JSON object. The
 * call begins once an argument or the end follows. Returns what follows, or why the arguments
 * cannot be read: whatever fails inside is caught here (decision 71).
 */
export function* readPairArguments(
  pairs: Pairs,
  beginCall: () => ArgumentWriter,
  isObject = false,
): Reading<AfterValue | Problem> {
  try {
    if (isObject) return yield* readArgumentsAsJson(pairs, beginCall())
    let found = yield* peekAfterValue(pairs, true)
    if (found.type === 'text') failWith(found.isAtTextEnd ? CUT : noArgument)
    const writer = beginCall()
    /** The path of the object that is open. */
    const openPath: string[] = []
    writer.put(Token.beginObject, '')
    while (found.type === 'pair') {
      notePair(pairs, found)
      putPath(pairs, writer, openPath, found.path)
      pairs.cursor.at += found.chars
      found = yield* readPairValue(pairs, writer)
      const error = writer.error()
      if (error) failWith(error)
    }
    checkEnd(pairs, found)
    noteKeyAfterEnd(pairs, found)
    closeObjects(writer, openPath, 0)
    writer.put(Token.endObject, '')
    return found
  } catch (error) {
    return problemOf(error)
  }
}

/**
 * `get_weather |{"city": "Paris"}` Arguments that pairs can say are in another notation. Those that
 * the tool does not declare are written as JSON.
 */
function* readArgumentsAsJson(pairs: Pairs, writer: ArgumentWriter): Reading<AfterValue> {
  const { cursor, marks, shape } = pairs
  const keys = createKeyCheck(shape)
  const put = (token: Token, text: string) => {
    keys.see(token, text)
    writer.put(token, text)
  }
  const found = yield* readPairObject(pairs, { ...writer, put })
  if (!marks.isJson && keys.areDeclared()) noteRepair(cursor, 'other-notation')
  return found
}

/** Tells whether the keys of an object, whose tokens it sees, are all declared. */
function createKeyCheck({ propertyNames }: Shape) {
  let depth = 0
  let areDeclared = propertyNames.length > 0
  return {
    see(token: Token, text: string) {
      if (token === Token.key && depth === 1) areDeclared &&= propertyNames.includes(text)
      if (token === Token.beginObject || token === Token.beginArray) depth++
      if (token === Token.endObject || token === Token.endArray) depth--
    },
    areDeclared: () => areDeclared,
  }
}

/** Fails if the call is not over after its last pair. */
function checkEnd({ cursor }: Pairs, found: AfterValue): void {
  if (found.type !== 'end') failWith(noArgument)
  if (found.isAtTextEnd && cursor.isTruncated) failWith(CUT)
}

const noArgument = malformed('expected `key=value` or the end of the call, found other text')

/**
 * `update userId=u |profile.name=Ann` Puts the key of a pair. Ends the objects that the key does
 * not belong to, and begins those that it belongs to. An object cannot be opened again, since its
 * JSON has been sent (decision 20).
 */
function putPath(
  pairs: Pairs,
  writer: ArgumentWriter,
  openPath: string[],
  path: readonly string[],
): void {
  const parents = path.slice(0, -1)
  const firstOther = openPath.findIndex((name, i) => name !== parents[i])
  if (firstOther >= 0) closeObjects(writer, openPath, firstOther)
  for (const name of path.slice(openPath.length)) {
    const keyPath = [...openPath, name]
    const id = keyPath.join('\n')
    if (pairs.seenKeys.has(id)) fail(`found the argument \`${keyPath.join('.')}\` twice`)
    pairs.seenKeys.add(id)
    writer.put(Token.key, name)
    if (keyPath.length === path.length) break
    openPath.push(name)
    writer.put(Token.beginObject, '')
  }
}

/** Ends objects until only so many are open inside the arguments. */
function closeObjects(writer: ArgumentWriter, openPath: string[], count: number): void {
  while (openPath.length > count) {
    openPath.pop()
    writer.put(Token.endObject, '')
  }
}

/**
 * Calls between tags, as a name and pairs: `<call>get_weather days=3</call>`. `isJson`: the format
 * writes a JSON object in place of the pairs.
 */
export function pairCalls(open: string, close: string, isJson = false): CallGrammar {
  const marks = { open, close, isLine: false, isJson }
  const read: Mark['read'] = (cursor, output) => readPairCall(cursor, output, marks)
  return () => [{ text: open, ends: [close], read }]
}

/** Calls in lines of their own that begin with a sign and the tool's name: `@get_weather`. */
export function lineCalls(sign: string): CallGrammar {
  // `@ann`: ordinary text mentions people in this way.
  const rule = { strength: 'own', countsInReasoning: true, onlyAtLineStart: true } as const
  const create = (name: string): Mark => ({
    text: sign + name,
    ...rule,
    read: (cursor, output) => readPairCall(cursor, output, lineMarks, name),
  })
  return ({ lookup }) => [namedMark({ text: sign, ...rule }, { lookup, create })]
}
