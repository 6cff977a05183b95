import type { ArgumentWriter } from '../argument-writer.js'
import {
  type CallSection,
  createCallSection,
  noteMissingClose,
  noteStrayBrace,
} from '../call-section.js'
import { CUT, malformed, type Problem } from '../events.js'
import type {
  CallGrammar,
  CallOutput,
  CallReader,
  Mark,
  MarkProof,
  ToolNames,
  ToolShapes,
} from '../grammar.js'
import { namedMark } from '../named-mark.js'
import { isSpace, isSpaceOrStrayBrace } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import {
  peekMark,
  peekNextMark,
  peekText,
  readNextMark,
  readUpTo,
  skip,
  take,
} from '../text/read-marks.js'
import { Token } from '../values/tokens.js'
import { FENCE, readJsonCalls, unmarkedJsonCalls } from './json-calls.js'
import { noteArgumentAfterEnd } from './json-repairs.js'
import { readJson } from './read-json.js'

/**
 * Calls that name the tool in their markup and contain the arguments as JSON after it, alone or
 * several in a section:
 *
 *     <section><call>functions.get_weather:0<args>{"city": "Paris"}</call><call>…</call></section>
 *
 * The *header* is all from the open mark to the JSON. End marks and the section may be missing, and
 * the JSON may be in a fence.
 */
export interface NamedJsonGrammar {
  readonly section?:
    | { readonly opens: readonly string[]; readonly closes: readonly string[] }
    | undefined
  /** The marks that open a call. */
  readonly opens: readonly string[]
  /** What a mark proves, if its spelling does not show it: `{ '>>>': { strength: 'weak' } }`. */
  readonly markRules?: Readonly<Record<string, MarkProof>> | undefined
  /**
   * Matches a whole header, open mark included. The group `name` is the name of the tool, or
   * `declared` if that must be a declared one.
   */
  readonly header: RegExp
  /** What models write around a name. It is removed if only that leaves a declared tool. */
  readonly aroundName?: RegExp | undefined
  /**
   * Marks that end a header, so that it is certain before the JSON comes. Without them the brace of
   * the object makes it certain.
   */
  readonly separators?: readonly string[] | undefined
  /** The marks that close a call. */
  readonly ends: readonly string[]
  /** The format writes calls without any of these marks: they only end what models add. */
  readonly mayLackEnd?: boolean | undefined
  /** The format writes the JSON in a fence. */
  readonly hasOwnFence?: boolean | undefined
  /** The mark around text in the JSON, in place of quotes. */
  readonly quoteMark?: string | undefined
  /** After an open mark calls may also be JSON envelopes. */
  readonly hasEnvelopes?: boolean | undefined
  /**
   * A declared tool's name at the beginning of a line, with an object after it, is a call whose
   * marks were stripped. So may be JSON at the start of the text.
   */
  readonly hasBareNames?: boolean | undefined
  /** The prompt ends with the open mark of the first call. */
  readonly isOpenedByPrompt?: boolean | undefined
}

const MAX_HEADER_CHARS = 512

/** Calls that are being read, and the marks around them. */
interface NamedCalls {
  readonly cursor: Cursor
  readonly output: CallOutput
  readonly grammar: NamedJsonGrammar
  readonly section: CallSection
  /** The marks that close the section. */
  readonly closes: readonly string[]
  /** The marks that close a call or the section. */
  readonly tailMarks: readonly string[]
  /** Those, and the marks that open a call. */
  readonly allMarks: readonly string[]
  /** The brackets that open arguments. */
  readonly argumentStarts: readonly string[]
}

function createNamedCalls(
  cursor: Cursor,
  output: CallOutput,
  grammar: NamedJsonGrammar,
): NamedCalls {
  const { opens, ends, quoteMark } = grammar
  const closes = grammar.section?.closes ?? []
  const tailMarks = [...ends, ...closes]
  const allMarks = [...tailMarks, ...opens]
  const section = createCallSection(cursor, output, { endMarks: [], openMarks: allMarks })
  // `get_weather(city:<|"|>Paris<|"|>)`: arguments with quote marks are not JSON anyway, so a model
  // may mistake them for Python.
  const argumentStarts = quoteMark ? ['{', '('] : ['{']
  return { cursor, output, grammar, section, closes, tailMarks, allMarks, argumentStarts }
}

/** `<section>|` `<call>|` Reads on after the open mark of a section or a call. */
function* readNamedJsonCalls(
  cursor: Cursor,
  output: CallOutput,
  grammar: NamedJsonGrammar,
  openMark: string,
): CallReader {
  const calls = createNamedCalls(cursor, output, grammar)
  const { section, tailMarks, closes } = calls
  const { opens, hasEnvelopes } = grammar
  const isInSection = !opens.includes(openMark)
  const lacksSection = grammar.section !== undefined && !isInSection
  let mark = openMark
  if (isInSection) mark = yield* readFirstOpen(calls)
  while (opens.includes(mark)) {
    // `<call>|{"name": "get_weather", …}`
    if (hasEnvelopes && !section.hasCalled() && (yield* isAtJson(cursor)))
      return yield* readJsonCalls(cursor, output, { endMarks: tailMarks, openMarks: opens })
    const header = yield* readHeader(calls, mark)
    if (!header.name) return endSection(calls, isInSection)
    mark = yield* readNamedCall(calls, header, lacksSection)
  }
  return closes.includes(mark) ? 0 : endSection(calls, isInSection)
}

/** `<section><call>…</call>|` The close mark of the section is missing (decision 75). */
function endSection({ cursor, section, closes }: NamedCalls, isInSection: boolean) {
  if (isInSection && section.hasCalled()) noteMissingClose(cursor, closes)
  return section.finish()
}

/**
 * `<section>|I will … <call>` Skips text before the first call: it is not meant for the user
 * (decision 24).
 */
const readFirstOpen = ({ cursor, grammar, closes }: NamedCalls): Reading<string> =>
  readNextMark(cursor, [...grammar.opens, ...closes], () => true, MAX_HEADER_CHARS)

/** Skips whitespace, and tells whether an object or a list comes. */
function* isAtJson(cursor: Cursor): Reading<boolean> {
  yield* skip(cursor, isSpace, MAX_HEADER_CHARS)
  return /[{[]/.test(cursor.text.charAt(cursor.at))
}

/** The name in a header: `functions.get_weather:0`. */
interface HeaderName {
  /** The tool's name; '' if the text is not a header. */
  readonly name: string
  /** Something that the format does not write was removed from the name of a declared tool. */
  readonly isTrimmed: boolean
}

const noHeader: HeaderName = { name: '', isTrimmed: false }

/** `<call>|functions.get_weather:0<args>{` Takes a header, and returns the tool's name. */
function* readHeader(calls: NamedCalls, openMark: string): Reading<HeaderName> {
  const { cursor, output, grammar, argumentStarts, tailMarks } = calls
  const { separators = [] } = grammar
  const endMarks = [...argumentStarts, FENCE, ...tailMarks, ...separators]
  const head = openMark + (yield* readUpTo(cursor, endMarks, MAX_HEADER_CHARS))
  const end = yield* peekMark(cursor, endMarks)
  if (!end) return noHeader
  if (!separators.includes(end)) return findHeaderName(head.trimEnd(), grammar, output.tools)
  take(cursor, end)
  return findHeaderName(head + end, grammar, output.tools)
}

/** Returns the tool's name in a header. A declared tool is preferred. */
export function findHeaderName(
  header: string,
  grammar: Pick<NamedJsonGrammar, 'header' | 'aroundName'>,
  tools: Pick<ToolShapes, 'has'>,
): HeaderName {
  const groups = grammar.header.exec(header)?.groups ?? {}
  const written = groups.name ?? ''
  if (tools.has(written)) return { name: written, isTrimmed: false }
  // `to=get_weather`: without its namespace only a declared tool.
  if (groups.declared !== undefined) {
    return tools.has(groups.declared) ? { name: groups.declared, isTrimmed: false } : noHeader
  }
  // `functionsget_weather0`, `get_weather:call_7` (decision 23)
  const trimmed = written.replace(grammar.aroundName ?? '', '')
  const isTrimmed = tools.has(trimmed)
  return { name: isTrimmed ? trimmed : written, isTrimmed }
}

/** `<args>|{"city": "Paris"}</call>` Reads the arguments and returns the mark after the call. */
function* readNamedCall(
  calls: NamedCalls,
  { name, isTrimmed }: HeaderName,
  lacksSection: boolean,
): Reading<string> {
  const { section, allMarks } = calls
  const writer = section.beginCall(name)
  // `Get_weather0`: for its spelling it has been recorded.
  const isExact = calls.output.tools.lookup.find(name) === name
  if (isTrimmed && isExact) noteRepair(calls.cursor, 'tool-name')
  if (lacksSection) noteRepair(calls.cursor, 'missing-open')
  const fence = yield* section.nextMark([FENCE])
  if (fence) {
    if (!calls.grammar.hasOwnFence) noteRepair(calls.cursor, 'fenced')
    yield* section.nextMark(['json'])
  }
  const marks = fence ? [...allMarks, fence] : allMarks
  const problem = yield* readArguments(calls, writer, marks)
  if (!problem) yield* noteArgumentAfterEnd(calls.cursor, writer)
  yield* section.endCall(problem)
  return yield* readMarkAfterCall(calls, marks, fence)
}

/** `|{"city": "Paris"}` `|(city="Paris")` `|</call>` */
function* readArguments(
  { cursor, output, grammar, argumentStarts, tailMarks }: NamedCalls,
  { put, expectsKey }: ArgumentWriter,
  endMarks: readonly string[],
): Reading<Problem | undefined> {
  const { quoteMark } = grammar
  const { tools, rewind } = output
  const start = yield* peekNextMark(cursor, [...argumentStarts, ...tailMarks])
  if (start === '') return cursor.isFinal ? CUT : malformed('expected a JSON object after the name')
  // `get_time</call>`
  if (!argumentStarts.includes(start)) {
    put(Token.literal, 'null')
    return undefined
  }
  const isPython = start === '('
  if (isPython) noteRepair(cursor, 'other-notation')
  if (isPython) take(cursor, start)
  const python = isPython ? { isTool: tools.has } : undefined
  return yield* readJson(cursor, put, { endMarks, quoteMark, python, expectsKey, rewind })
}

/**
 * `{…}|</call><call>` Takes the mark that follows a call and returns it. In a section the close mark
 * of the call is skipped, and so is that of a fence.
 */
function* readMarkAfterCall(
  { cursor, section, grammar, closes, tailMarks }: NamedCalls,
  marks: readonly string[],
  fence: string,
): Reading<string> {
  const { opens, ends, mayLackEnd = false } = grammar
  let isClosed = mayLackEnd
  for (;;) {
    yield* noteStrayBrace(cursor)
    const mark = yield* section.nextMark(marks, isSpaceOrStrayBrace)
    const isClose = mark ? !opens.includes(mark) : section.takePartialMark(tailMarks)
    if (isClose) section.confirm()
    isClosed ||= ends.includes(mark)
    const isCallEnd = closes.length > 0 && ends.includes(mark)
    const isSkipped = mark === fence || isCallEnd
    if (mark !== '' && isSkipped) continue
    if (!isClosed) noteMissingClose(cursor, ends)
    return mark
  }
}

/** A tool's name of fewer characters does not count in reasoning if it has no mark. */
const MIN_NAME_CHARS_IN_REASONING = 5

/** `get_wea|ther  {`: the rest of a bare name that may be followed by an object. */
const bareNameBegun = /^[^\s{"}]*\s*(?:\{\s*)?$/
/**
 * `get_wea|ther {"`: the rest, and the object. In a text without marks nothing less is a call
 * (decision 63).
 */
const bareHeader = /^([^\s{"}[]*)(?:\[ARGS\])?\s*(?=\{\s*["}])/

/** `get_weather| {"city": …}` Reads on after a tool's name, or its beginning, without marks. */
function* readBareCalls(
  cursor: Cursor,
  output: CallOutput,
  openMark: string,
  isOpenedByPrompt: boolean,
): CallReader {
  const names = output.tools.names()
  let isOpened = isOpenedByPrompt && output.isTextStart && !output.isAfterCall
  const section = createCallSection(cursor, output, { endMarks: [], openMarks: [] })
  for (let mark = openMark; mark; mark = yield* section.nextMark(names, isSpaceOrStrayBrace)) {
    const ahead = yield* peekText(cursor, text => !bareNameBegun.test(text))
    const [head, rest = ''] = bareHeader.exec(ahead) ?? []
    if (head === undefined || !output.tools.has(mark + rest)) break
    take(cursor, head)
    const writer = section.beginCall(mark + rest)
    if (!isOpened) noteRepair(cursor, 'missing-open')
    isOpened = false
    const { put, expectsKey } = writer
    const problem = yield* readJson(cursor, put, { weakEndMarks: names, expectsKey })
    if (!problem) yield* noteArgumentAfterEnd(cursor, writer)
    yield* section.endCall(problem)
  }
  return section.finish()
}

/** Calls with the tool's name in the markup and the arguments as JSON. */
export function namedJsonCalls(grammar: NamedJsonGrammar): CallGrammar {
  const { section, opens, ends, markRules = {}, mayLackEnd, hasBareNames } = grammar
  const { isOpenedByPrompt = false } = grammar
  const marks = [...(section?.opens ?? []), ...opens].map(
    (text): Mark => ({
      text,
      ...markRules[text],
      ends: mayLackEnd ? [] : [...ends, ...(section?.closes ?? [])],
      read: (cursor, output) => readNamedJsonCalls(cursor, output, grammar, text),
    }),
  )
  const bareRule = { strength: 'weak', onlyAtLineStart: true } as const
  const bareMark = (text: string): Mark => ({
    text,
    ...bareRule,
    read: (cursor, output) => readBareCalls(cursor, output, text, isOpenedByPrompt),
  })
  const bareMarks = ({ lookup }: ToolNames): Mark[] => {
    const short = { lookup, create: bareMark, maxChars: MIN_NAME_CHARS_IN_REASONING - 1 }
    const long = { lookup, create: bareMark, minChars: MIN_NAME_CHARS_IN_REASONING }
    return [
      // `read …`: many a line of reasoning begins with a short word.
      namedMark({ text: '', ...bareRule, countsInReasoning: false }, short),
      namedMark({ text: '', ...bareRule, countsInReasoning: true }, long),
    ]
  }
  const atStart = (mark: Mark) => ({ ...mark, onlyAtTextStart: true })
  if (!hasBareNames) return () => marks
  return tools => [...marks, ...bareMarks(tools), ...unmarkedJsonCalls(tools).map(atStart)]
}
