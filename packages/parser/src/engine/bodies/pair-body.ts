import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, CallGrammar, CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed } from '../events.js'
import { lookAhead, skip } from '../marks.js'
import { Kind, type Shape } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { readJsonCalls } from './json-body.js'
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
  const { tools } = port
  // A line that cannot be read ends with its break, which is not the call's.
  const grammar = { ends: marks.isLine ? [] : [marks.close], opens: [marks.open] }
  const markup = createMarkup(cursor, port, grammar)
  if (!marks.isLine) yield* skip(cursor)
  const isSpaced = markup.unclaimedChars() > 0
  if (!marks.isLine && /[[{]/.test(cursor.text.charAt(cursor.at))) return yield* readJsonCalls(cursor, port, grammar)

  const written = yield* readName(cursor)
  // Behind a line's name no more of a name may stand.
  if (written === undefined || (written === '') === (lineName === undefined)) return undefined
  // `name: {…}`
  const name = lineName ?? (tools.has(written) ? written : written.replace(/:$/, ''))
  const open = () => markup.openCall(name)
  // Between tags a tool's name is proof enough; any other must stand right behind the tag, and something behind it.
  if (!marks.isLine && tools.has(name)) open()
  else if (!marks.isLine) {
    yield* skip(cursor)
    if (isSpaced || cursor.at === cursor.text.length) return undefined
  }
  const keys = createKeyPath(tools.shapeOf(name))
  const look = createPairLook(cursor, marks, keys.isOpenKey)
  const problem = yield* readArguments({ cursor, port, marks, look }, keys, open)
  if (problem && !markup.writer()) return undefined
  if (problem?.unreadChars === undefined) yield* markup.endCall(problem)
  else markup.closeCall(malformed(problem.message))
  return problem?.unreadChars ?? 0
}

/** Takes a name, up to space or a bracket; gives undefined for none, or one that may go on where the text was cut. */
function* readName(cursor: Cursor): Reading<string | undefined> {
  const ahead = yield* lookAhead(cursor, MAX_NAME_CHARS + 1, text => /[\s({<>="']/.test(text))
  const [, name = '', behind = ''] = /^([^\s({<>="']{0,256})(.?)/s.exec(ahead) ?? []
  cursor.at += name.length
  return /^[\s({<]?$/.test(behind) && !(behind === '' && cursor.isCut) ? name : undefined
}

/** `get_weather| city=…`: gives the reason if the arguments cannot be read. Where they begin it is a call for certain. */
function* readArguments(scope: PairScope, keys: KeyPath, open: () => ArgumentWriter): Reading<PairProblem | undefined> {
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
    const writer = open()
    if (!keys.enter(found.key, writer.put))
      return malformed(`the argument ${JSON.stringify(found.key)} is given twice, or not with the others of its object`)
    cursor.at += found.chars
    const behind = yield* readPairValue(scope, writer)
    if ('code' in behind) return behind
    found = behind
  }
  if (found.type !== 'end') return malformed('neither an argument nor the end of the call')
  cursor.at += found.chars
  if (found.isAtEnd && cursor.isCut) return CUT
  keys.end(open().put)
  return undefined
}

/** Puts the keys of a call. One with dots (`address.city=Paris`) opens the objects on its way, which are closed by a key that stands elsewhere. */
function createKeyPath(shape: Shape) {
  const given = new Set<string>()
  const idOf = (path: readonly string[]) => path.join('\n')
  /** The objects that are open. */
  let opened: readonly string[] = []
  const closeTo = (depth: number, put: ValueSink) => {
    if (given.size === 0) put(Token.beginObject, '')
    for (let i = depth; i < opened.length; i++) put(Token.endObject, '')
  }
  return {
    isOpenKey(key: string) {
      const path = pathOfKey(shape, key)
      return shape.propertyNames.includes(path[0] ?? '') && !given.has(idOf(path))
    },
    /** Gives false where something else was put there. */
    enter(key: string, put: ValueSink): boolean {
      const path = pathOfKey(shape, key)
      const parents = path.slice(0, -1)
      const depth = path.findIndex((name, i) => i === parents.length || name !== opened[i])
      closeTo(depth, put)
      opened = parents
      for (const [i, name] of path.entries()) {
        if (i < depth) continue
        const id = idOf(path.slice(0, i + 1))
        if (given.has(id)) return false
        given.add(id)
        if (i > depth) put(Token.beginObject, '')
        put(Token.key, name)
      }
      return true
    },
    /** All keys were given. */
    end(put: ValueSink) {
      closeTo(0, put)
      put(Token.endObject, '')
    },
  }
}

type KeyPath = ReturnType<typeof createKeyPath>

/**
 * A key as a path into the arguments. A dot leads into an object that the schema declares; a key that is declared with its
 * dot, or that nobody declares, is what it is.
 */
function pathOfKey(shape: Shape, key: string): readonly string[] {
  const at = key.indexOf('.')
  const head = key.slice(0, at)
  if (at <= 0 || shape.propertyNames.includes(key)) return [key]
  const inner = shape.property(head)
  const isDeclared = shape.propertyNames.includes(head) && (inner.kinds & Kind.object) !== 0
  return isDeclared || inner.kinds === Kind.object ? [head, ...pathOfKey(inner, key.slice(at + 1))] : [key]
}

/** Calls between tags, as a name and pairs. */
export function pairCalls(open: string, close: string): CallGrammar {
  const marks = createPairMarks(open, close)
  return () => [{ text: open, read: (cursor, port) => readPairCall(cursor, port, marks) }]
}

const lineMarks = createPairMarks('\n', '\n', true)

/** Calls in lines of their own that begin with a sign and the tool's name. */
export function lineCalls(sign: string): CallGrammar {
  return tools =>
    tools.names().map(lineName => ({
      text: `${sign}${lineName}`,
      isAtLineStart: true,
      read: (cursor, port) => readPairCall(cursor, port, lineMarks, lineName),
    }))
}
