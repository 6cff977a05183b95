import { malformed } from '../events.js'
import type { CallOutput } from '../grammar.js'
import { withoutMarkdown } from '../text/characters.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { peek, readMark } from '../text/read-marks.js'
import type { EnvelopeResult } from './call-envelope.js'
import type { JsonGrammar } from './json-calls.js'
import { readPythonCall } from './python-calls.js'
import { readJson } from './read-json.js'

/** How a call begins that is neither an object nor a plain call of Python. */
interface CallHead {
  /** How many characters come before the arguments. */
  readonly chars: number
  /** The name before an object. Undefined for a call of Python in quotes. */
  readonly name?: string | undefined
  /** `"` for `"get_weather(…)"`, `)` for `("get_weather", {…})`; '' if nothing closes the call. */
  readonly close: string
}

const quotedCall = /^(["'])[^\s()[\]{}<>"'`,;:=|]+\(/
const pair = /^(\(?)\s*(["'])([^"'\n]{1,256})\2\s*,\s*(?=\{)/
const namedObject = /^([^\s()[\]{}<>"'`,;:=|]+)\s*(?=\{)/
/** What may become one of these. */
const begunHead = /^\(?\s*["']?[^\s()[\]{}<>"'`,;:=|]*["']?\s*,?\s*$/

/** `"get_weather(…)"` `("get_weather", {…})` `get_weather⏎{…}` Undefined for a call of Python. */
function findHead(ahead: string): CallHead | 'wait' | undefined {
  const [, quote] = quotedCall.exec(ahead) ?? []
  if (quote) return { chars: 1, close: quote }
  const [all, parenthesis, , pairName] = pair.exec(ahead) ?? []
  if (all) return { chars: all.length, name: pairName, close: parenthesis ? ')' : '' }
  const [head, name] = namedObject.exec(ahead) ?? []
  if (head) return { chars: head.length, name, close: '' }
  return begunHead.test(ahead) ? 'wait' : undefined
}

/** Reads a call that is written in none of the usual ways. Only a declared tool is called. */
export function* readOtherCall(
  cursor: Cursor,
  output: CallOutput,
  grammar: JsonGrammar,
  needsProof: boolean,
): Reading<EnvelopeResult> {
  const head = yield* peek(cursor, findHead)
  if (!head) return yield* readPythonCall(cursor, output, grammar, needsProof)
  const { chars, close } = head
  const name = head.name === undefined ? undefined : withoutMarkdown(head.name)
  if (name !== undefined && !output.tools.has(name)) return { isCall: false }
  cursor.at += chars
  const endMarks = close ? [close] : []
  const result =
    name === undefined
      ? yield* readPythonCall(cursor, output, { ...grammar, endMarks }, needsProof)
      : yield* readNamedObject(cursor, output, name, endMarks)
  if (!result.isCall || result.problem || !close) return result
  const isClosed = (yield* readMark(cursor, [close])) !== ''
  return isClosed ? result : { isCall: true, problem: malformed(`expected \`${close}\``) }
}

/** `"get_weather", |{"city": "Paris"}` */
function* readNamedObject(
  cursor: Cursor,
  output: CallOutput,
  name: string,
  endMarks: readonly string[],
): Reading<EnvelopeResult> {
  const { put, expectsKey } = output.beginCall(name)
  const problem = yield* readJson(cursor, put, { endMarks, expectsKey, rewind: output.rewind })
  return { isCall: true, problem }
}
