import { createCallSection } from '../call-section.js'
import type { CallGrammar, CallOutput, CallReader, Mark } from '../grammar.js'
import { namedMark } from '../named-mark.js'
import { isSpace, isSpaceOrStrayBrace } from '../text/characters.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { peek } from '../text/read-marks.js'
import { noteArgumentAfterEnd } from './json-repairs.js'
import { readJson } from './read-json.js'

// Calls whose special tokens a server has stripped, so that only words are left (decision 83):
//
//     commentary to=functions.get_weather json{"city": "Paris"}      gpt-oss
//     functions.get_weather:0{"city": "Paris"}                       Kimi K2
//     call:get_weather{city:"Paris"}                                 Gemma 4

/** What is left of a call without its special tokens. */
export interface StrippedGrammar {
  /** The texts before the name. '': the name itself begins the line. */
  readonly starts: readonly string[]
  /** What may be between the name and the arguments: words of the header, or one special token. */
  readonly fillers?: readonly string[] | undefined
  /**
   * The number of the call may follow its name: `get_weather:0`. After a name at the start of a line
   * it must, or a special token.
   */
  readonly hasIndex?: boolean | undefined
  /** Special tokens after the arguments that the server has left. */
  readonly ends: readonly string[]
  /** The mark around text in the arguments, in place of quotes. */
  readonly quoteMark?: string | undefined
}

/** The rest of a header: the name, and all up to the arguments. */
interface Header {
  readonly name: string
  /** How many characters it has. */
  readonly length: number
}

/** A longer text is not a header. */
const MAX_HEADER_CHARS = 256
const nameAndIndex = /^([^\s{}()[\]<>"'`,;:=]+)(:[\w-]*)?/
/** `{"city"`, `{city:`, `{}`, `(city=` */
const argumentsStart = /^[{(]\s*(?:["'})]|[\p{L}_$][\p{L}\p{N}_$.-]{0,63}\s*[:=]|<)/u
const argumentsBegun = /^[{(]\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]{0,63}\s*)?$/u

/**
 * `functions.|get_weather:0{"city": "Paris"}` Looks at the rest of a header. `before` is what the mark
 * contains of the name.
 */
export function matchHeader(
  text: string,
  before: string,
  grammar: StrippedGrammar,
): Header | 'none' | 'wait' {
  const [found = '', name = '', index = ''] = nameAndIndex.exec(before + text) ?? []
  if (found.length === before.length + text.length) return 'wait'
  // `get_weather: {` is a word and a colon.
  const isIndex = index === '' || (grammar.hasIndex === true && index !== ':')
  if (name === '' || !isIndex) return 'none'
  const length = findArguments(text, found.length - before.length, grammar.fillers ?? [])
  if (typeof length !== 'number') return length
  // `get_weather {"city": "Paris"}`: an object after a word proves too little.
  const isBare = before !== '' && text.slice(0, length).trimEnd() === name.slice(before.length)
  return isBare || !takesBracket(text.charAt(length), grammar) ? 'none' : { name, length }
}

/** `(city: "Paris")`: only Gemma writes parentheses. */
const takesBracket = (bracket: string, { quoteMark }: StrippedGrammar) =>
  bracket === '{' || quoteMark !== undefined

/** `get_weather| commentary json{"city"` Finds the arguments after a name and the words after it. */
function findArguments(
  text: string,
  from: number,
  fillers: readonly string[],
): number | 'none' | 'wait' {
  const rest = text.slice(from).trimStart()
  const at = text.length - rest.length
  if (argumentsStart.test(rest)) return at
  if (argumentsBegun.test(rest) || rest === '') return 'wait'
  const filler = fillers.find(each => rest.startsWith(each))
  if (filler !== undefined) return findArguments(text, at + filler.length, fillers)
  return fillers.some(each => each.startsWith(rest)) ? 'wait' : 'none'
}

/** Calls without their special tokens. Only declared tools are called, at the start of a line. */
export function strippedCalls(grammar: StrippedGrammar): CallGrammar {
  const markOf = (text: string): Mark => ({
    ...strippedRule,
    text,
    read: (cursor, output) => readStrippedCalls(cursor, output, grammar, text),
  })
  return ({ lookup }) =>
    grammar.starts.map(start =>
      start === ''
        ? namedMark({ ...strippedRule, text: '' }, { lookup, create: markOf })
        : markOf(start),
    )
}

const strippedRule = { strength: 'weak', onlyAtLineStart: true } as const

/** The texts that open a call. Without a text before it the name of a tool is one. */
const startTexts = ({ starts }: StrippedGrammar, names: readonly string[]): string[] =>
  starts.flatMap(start => (start === '' ? names : [start]))

function* readStrippedCalls(
  cursor: Cursor,
  output: CallOutput,
  grammar: StrippedGrammar,
  openText: string,
): CallReader {
  const opens = startTexts(grammar, output.tools.names())
  const section = createCallSection(cursor, output, { endMarks: grammar.ends, openMarks: opens })
  let open = openText
  while (open !== '') {
    const header = yield* readHeader(cursor, output, grammar, open)
    if (!header) break
    cursor.at += header.length
    const writer = section.beginCall(header.name)
    noteRepair(cursor, 'missing-open')
    const { ends: endMarks, quoteMark } = grammar
    const { put, expectsKey } = writer
    const isPython = cursor.text.charAt(cursor.at) === '('
    if (isPython) noteRepair(cursor, 'other-notation')
    if (isPython) cursor.at++
    const python = isPython ? { isTool: output.tools.has } : undefined
    const problem = yield* readJson(cursor, put, { endMarks, quoteMark, python, expectsKey })
    if (!problem) yield* noteArgumentAfterEnd(cursor, writer)
    yield* section.endCall(problem)
    // `{…}|<|tool_call_end|>`
    while (yield* section.nextMark(grammar.ends, isSpaceOrStrayBrace)) section.confirm()
    open = yield* section.nextMark(opens, isSpace)
  }
  return section.finish()
}

/** The rest of a header of a declared tool; undefined if there is none. */
function* readHeader(
  cursor: Cursor,
  { tools }: CallOutput,
  grammar: StrippedGrammar,
  open: string,
): Reading<Header | undefined> {
  const before = grammar.starts.includes(open) ? '' : open
  const look = (text: string) => matchHeader(text, before, grammar)
  const header = yield* peek(cursor, look, 0, MAX_HEADER_CHARS)
  if (!header || header === 'none') return undefined
  return tools.has(header.name) ? header : undefined
}
