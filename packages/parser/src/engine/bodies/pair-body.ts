import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, CallGrammar, CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed } from '../events.js'
import { lookAhead, skip } from '../marks.js'
import { readJsonCalls } from './json-body.js'
import { createKeyTree, type KeyTree } from './key-tree.js'
import { createMarkup } from './markup.js'
import { createPairLook, createPairMarks, type Follow, type PairMarks } from './pair-look.js'
import { type PairProblem, type PairScope, readJsonArgument, readPairValue } from './pair-value.js'

const MAX_NAME_CHARS = 256

/**
 * Calls as a name and pairs, between tags or in a line of their own:
 *
 *     <call>get_weather city="New York" days=3</call>
 *     @get_weather city=New York days=3
 *
 * The pairs may also stand in parentheses, and a JSON object in their place. A value may be raw text, a string in quotes, JSON, a
 * list as `a, b, c`, or a heredoc:
 *
 *     code=<<END
 *     print("hi")
 *     END
 *
 * The line breaks behind `<<END` and before `END` are markup; where the schema wants a list, the lines are a table or its items.
 */
function* readPairCall(cursor: Cursor, port: CallPort, marks: PairMarks, lineName?: string): Body {
  const { maxHeldChars, putRaw, tools } = port
  // A line that cannot be read ends with its break, which is not the call's.
  const [ends, opens] = marks ? [[marks.close], [marks.open]] : [[], ['\n']]
  const markup = createMarkup(cursor, port, { ends, opens })
  if (marks) yield* skip(cursor)
  const isSpaced = markup.unclaimedChars() > 0
  if (marks && /[[{]/.test(cursor.text.charAt(cursor.at))) return yield* readJsonCalls(cursor, port, { ends, opens })

  const written = yield* readName(cursor)
  // Behind a line's name no more of a name may stand.
  if (written === undefined || (written === '') === (lineName === undefined)) return undefined
  // `name: {…}`
  const name = lineName ?? (tools.has(written) ? written : written.replace(/:$/, ''))
  const open = () => markup.openCall(name)
  // Between tags a tool's name is proof enough; any other must stand right behind the tag, and something behind it.
  if (marks && tools.has(name)) open()
  else if (marks) {
    yield* skip(cursor)
    if (isSpaced || cursor.at === cursor.text.length) return undefined
  }
  const tree = createKeyTree(tools.shapeOf(name), maxHeldChars, putRaw)
  const look = createPairLook(cursor, marks, tree.isOpenKey)
  const problem = yield* readArguments({ cursor, marks, look, maxHeldChars, putRaw }, tree, open)
  if (problem && !markup.writer()) return undefined
  if (problem?.endOffset !== undefined) {
    const { code, message, endOffset } = problem
    markup.closeCall({ code, message })
    return cursor.base + cursor.at - endOffset
  }
  yield* markup.endCall(problem)
  return 0
}

/** Takes a name, up to space or a bracket; gives undefined for none, or one that may go on where the text was cut. */
function* readName(cursor: Cursor): Reading<string | undefined> {
  const ahead = yield* lookAhead(cursor, MAX_NAME_CHARS + 1, text => /[\s({<>="']/.test(text))
  const [, name = '', behind = ''] = /^([^\s({<>="']{0,256})(.?)/s.exec(ahead) ?? []
  cursor.at += name.length
  return /^[\s({<]?$/.test(behind) && !(behind === '' && cursor.isCut) ? name : undefined
}

/** `get_weather| city=…`: gives the reason if the arguments cannot be read. Where they begin it is a call for certain. */
function* readArguments(scope: PairScope, tree: KeyTree, open: () => ArgumentWriter): Reading<PairProblem | undefined> {
  const { cursor, look } = scope
  let found: Follow = yield* look('name')
  if (found.type === 'parenthesis') {
    open()
    cursor.at += found.chars
    found = yield* look('name')
  }
  if (found.type === 'object') {
    cursor.at += found.chars
    const behind = yield* readJsonArgument(scope, open())
    if ('code' in behind) return behind
    // Whatever follows, the object is whole.
    if (behind.type === 'end') cursor.at += behind.chars
    return undefined
  }
  if (found.type === 'text' && found.isAtEnd) return CUT
  while (found.type === 'pair') {
    const place = tree.open(found.key, open())
    if (!place) return malformed(`the argument ${JSON.stringify(found.key)} is given twice`)
    cursor.at += found.chars
    const behind = yield* readPairValue(scope, place)
    const error = tree.error()
    if (error !== undefined) return malformed(error)
    if ('code' in behind) return behind
    found = behind
  }
  if (found.type !== 'end') return malformed('neither an argument nor the end of the call')
  cursor.at += found.chars
  if (found.isAtEnd && cursor.isCut) return CUT
  tree.close(open())
  return undefined
}

/** Calls between tags, as a name and pairs. */
export function pairCalls(open: string, close: string): CallGrammar {
  const marks = createPairMarks(open, close)
  return () => [{ text: open, read: (cursor, port) => readPairCall(cursor, port, marks) }]
}

/** Calls in lines of their own that begin with a sign and the tool's name. */
export function lineCalls(sign: string): CallGrammar {
  return tools =>
    tools.names().map(lineName => ({
      text: `${sign}${lineName}`,
      isAtLineStart: true,
      read: (cursor, port) => readPairCall(cursor, port, undefined, lineName),
    }))
}
