import { createCallSection } from '../call-section.js'
import { CUT, malformed, type Problem } from '../events.js'
import type { CallGrammar, CallOutput, CallReader, Mark } from '../grammar.js'
import { isSpace, isSpaceOrStrayBrace } from '../text/characters.js'
import type { Cursor } from '../text/cursor.js'
import { peekText, readMark, readNextMark, readUpTo, skip } from '../text/read-marks.js'
import { Token } from '../values/tokens.js'
import { bareJsonCalls, FENCE, readJsonCalls } from './json-calls.js'
import { readJson } from './read-json.js'

/**
 * Calls that name the tool in their markup and hold the arguments as JSON behind it, alone or
 * several in a section:
 *
 *     <section><call>functions.get_weather:0<args>{"city": "Paris"}</call><call>…</call></section>
 *
 * All from the open mark to the JSON is the *header*. End marks and the section may be missing, and
 * the JSON may stand in a fence.
 */
export interface NamedJsonGrammar {
  readonly section?:
    | { readonly opens: readonly string[]; readonly closes: readonly string[] }
    | undefined
  /** What opens a call. */
  readonly opens: readonly string[]
  /**
   * Matches a whole header, open mark included; the group `name` is the tool's, or `declared` if
   * that must be a declared one.
   */
  readonly header: RegExp
  /** What models write around a name. It is taken off where only that gives a declared tool. */
  readonly aroundName?: RegExp | undefined
  /**
   * What ends a header, so that it is certain before the JSON comes. Otherwise the object's brace
   * makes it certain.
   */
  readonly separators?: readonly string[] | undefined
  /** What closes a call. */
  readonly ends: readonly string[]
  /** What stands around text in the JSON in place of quotes. */
  readonly quoteMark?: string | undefined
  /** Behind an open mark calls may also stand as JSON envelopes. */
  readonly hasEnvelopes?: boolean | undefined
  /**
   * A declared tool's name at the beginning of a line, with an object behind it, is a call whose
   * marks were stripped; so may be JSON at the start.
   */
  readonly hasBareNames?: boolean | undefined
}

const MAX_HEADER_CHARS = 512

/** Reads on behind the open mark of a section or a call. */
function* readNamedJsonCalls(
  cursor: Cursor,
  output: CallOutput,
  grammar: NamedJsonGrammar,
  openMark: string,
): CallReader {
  const { opens, ends, header, separators = [], quoteMark } = grammar
  const { tools, rewind } = output
  const closes = grammar.section?.closes ?? []
  const tailMarks = [...ends, ...closes]
  const allMarks = [...tailMarks, ...opens]
  // A format with quotes of its own is no JSON anyway, so that a model may take it for Python.
  const argumentStarts = quoteMark ? ['{', '('] : ['{']
  const headerEnds = [...argumentStarts, FENCE, ...tailMarks, ...separators]
  const section = createCallSection(cursor, output, { endMarks: [], openMarks: allMarks })
  // What stands between the section's mark and its first call is not for the user.
  const isSection = !opens.includes(openMark)
  let mark = isSection
    ? yield* readNextMark(cursor, [...opens, ...closes], () => true, MAX_HEADER_CHARS)
    : openMark
  while (opens.includes(mark)) {
    if (grammar.hasEnvelopes && !section.hasCalled()) {
      yield* skip(cursor, isSpace, MAX_HEADER_CHARS)
      if (/[{[]/.test(cursor.text.charAt(cursor.at)))
        return yield* readJsonCalls(cursor, output, { endMarks: tailMarks, openMarks: opens })
    }
    const head = mark + (yield* readUpTo(cursor, headerEnds, MAX_HEADER_CHARS))
    const headerEnd = yield* readMark(cursor, headerEnds)
    const isSeparated = separators.includes(headerEnd)
    const groups = header.exec(isSeparated ? head + headerEnd : head.trimEnd())?.groups
    const { name: written = '', declared = written.replace(grammar.aroundName ?? '', '') } =
      groups ?? {}
    const name = [written, declared].find(tools.has) ?? written
    if (!headerEnd || !name) return section.finish()
    if (!isSeparated) cursor.at -= headerEnd.length
    const { put, expectsKey } = section.openCall(name)
    const fence = yield* section.nextMark([FENCE])
    if (fence) yield* section.nextMark(['json'])
    const start = yield* section.nextMark([...argumentStarts, ...tailMarks])
    if (start !== '(') cursor.at -= start.length
    const python = start === '(' ? { isTool: tools.has } : undefined
    const marks = fence ? [...allMarks, fence] : allMarks
    let problem: Problem | undefined
    if (argumentStarts.includes(start))
      problem = yield* readJson(cursor, put, {
        endMarks: marks,
        quoteMark,
        python,
        expectsKey,
        rewind,
      })
    else if (start) put(Token.literal, 'null')
    else problem = cursor.isFinal ? CUT : malformed('no JSON object behind the name')
    yield* section.endCall(problem)
    do {
      mark = yield* section.nextMark(marks, isSpaceOrStrayBrace)
      if (mark ? !opens.includes(mark) : section.takePartialMark(tailMarks)) section.confirm()
    } while (mark && (mark === fence || (closes.length > 0 && ends.includes(mark))))
  }
  return closes.includes(mark) ? 0 : section.finish()
}

/**
 * What may become a bare name's rest and the beginning of an object, and what is that. In a text
 * without marks nothing less proves a call.
 */
const bareBegun = /^[^\s{"}]*\s*(?:\{\s*)?$/
const bareHeader = /^([^\s{"}[]*)(?:\[ARGS\])?\s*(?=\{\s*["}])/

/** Reads on behind a tool's name, or its beginning, whose marks were stripped. */
function* readBareCalls(cursor: Cursor, output: CallOutput, openMark: string): CallReader {
  const names = output.tools.names()
  const section = createCallSection(cursor, output, { endMarks: [], openMarks: [] })
  for (let mark = openMark; mark; mark = yield* section.nextMark(names, isSpaceOrStrayBrace)) {
    const ahead = yield* peekText(cursor, text => !bareBegun.test(text))
    const [head, rest = ''] = bareHeader.exec(ahead) ?? []
    if (head === undefined || !output.tools.has(mark + rest)) break
    cursor.at += head.length
    const { put, expectsKey } = section.openCall(mark + rest)
    yield* section.endCall(yield* readJson(cursor, put, { weakEndMarks: names, expectsKey }))
  }
  return section.finish()
}

/** Calls with the tool's name in the markup and the arguments as JSON. */
export function namedJsonCalls(grammar: NamedJsonGrammar): CallGrammar {
  const { section, opens, hasBareNames } = grammar
  const marks = [...(section?.opens ?? []), ...opens].map(
    (text): Mark => ({
      text,
      read: (cursor, output) => readNamedJsonCalls(cursor, output, grammar, text),
    }),
  )
  const bareMark = (text: string): Mark => ({
    text,
    onlyAtLineStart: true,
    read: (cursor, output) => readBareCalls(cursor, output, text),
  })
  const atStart = (mark: Mark) => ({ ...mark, onlyAtTextStart: true })
  if (!hasBareNames) return () => marks
  return tools => [...marks, ...tools.names().map(bareMark), ...bareJsonCalls(tools).map(atStart)]
}
