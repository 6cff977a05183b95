import { isQuote } from '../characters.js'
import { createRun } from '../cursor.js'
import { readJson } from '../read-json.js'
import { Kind, type Shape } from '../shape.js'
import { jsonEscapes } from '../string-escape.js'
import { createTextCollector } from '../text-collector.js'
import { createValueRecorder, putText, Token, type ValueSink } from '../value-token.js'

/** True for what cannot be a text, but an object or a list; and for a list only. */
export const isStructure = ({ kinds }: Shape) => (kinds & (Kind.object | Kind.array)) !== 0 && !(kinds & Kind.string)
export const isList = (shape: Shape) => isStructure(shape) && (shape.kinds & Kind.array) !== 0

/** Holds a text until it is whole and a list can be put in its place. What is too much to hold is put raw, and so is what cannot be read. */
export function createListSink(
  { maxHeldChars, putRaw }: { readonly maxHeldChars: number; readonly putRaw: (text: string) => void },
  putList: (text: string) => string | undefined,
) {
  const held = createTextCollector()
  let room = maxHeldChars
  let error: string | undefined
  const put: ValueSink = (token, text) => {
    held.push(text.slice(0, room))
    putRaw(text.slice(room))
    room = Math.max(0, room - text.length)
    if (token !== Token.endText) return
    const whole = held.take()
    error = room > 0 ? putList(whole) : `a list of more than ${maxHeldChars} characters`
    if (error !== undefined) putRaw(whole)
  }
  return { put, error: () => error }
}

/** A list without brackets, `a, b, c`; the text as it is, if it is none. */
export function putCommaList(text: string, sink: ValueSink): undefined {
  const items = createValueRecorder()
  const run = createRun(cursor => readJson(cursor, items.put, { maxHeldChars: Number.POSITIVE_INFINITY }))
  run.feed(`[${text}]`)
  if (run.isDone() && run.result() === undefined && run.unread() === '') items.replay(sink)
  else putText(Token.beginRaw, text, sink)
}

/** A list with an item in each line. Objects are the rows of a table; or all of it is JSON. Gives the reason if it cannot be read. */
export function putLines(text: string, shape: Shape, sink: ValueSink): string | undefined {
  const lines = text.split('\n').flatMap(line => line.trim() || [])
  const list = createValueRecorder()
  const { kinds } = shape.item(0)
  let error: string | undefined
  if (/^[[{]/.test(lines[0] ?? '')) putText(Token.beginRaw, text, list.put)
  else {
    list.put(Token.beginArray, '')
    if (kinds & Kind.object && !(kinds & Kind.string)) error = putRows(lines, shape, list.put)
    else for (const [i, line] of lines.entries()) putItem(line, shape.item(i), list.put)
    list.put(Token.endArray, '')
  }
  if (error === undefined) list.replay(sink)
  return error
}

/**
 * A line with the keys, then a line for each object. An empty cell is a key that the object does not have. A frame, as Markdown
 * tables have it, with a rule below the keys, means nothing.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 */
function putRows([header, ...rows]: readonly string[], shape: Shape, sink: ValueSink): string | undefined {
  if (header === undefined) return undefined
  const isFramed = header.startsWith('|')
  const unframe = (line: string) => (isFramed ? line.replace(/^\|\s*|\s*\|$/g, '') : line)
  const keys = unframe(header)
    .split('|')
    .map(key => key.trim())
  if (keys.includes('')) return 'a table without the keys in its first line'
  if (isFramed && /^[\s|:-]*$/.test(rows[0] ?? '')) rows.shift()
  for (const [i, row] of rows.entries()) {
    const error = putRow(unframe(row), keys, shape.item(i), sink)
    if (error !== undefined) return error
  }
  return undefined
}

/** The cell with which a row begins: in quotes, as JSON, in whose strings a bar is text, or as it is. */
const quotedCell = /^((["'])(?:\\.|[^\\])*?\2)\s*(?:\||$)/s
const jsonCell = /^((?:"(?:\\.|[^"\\])*"|[^|"])*)(?:\||$)/
const bareCell = /^([^|]*)(?:\||$)/

function putRow(row: string, keys: readonly string[], shape: Shape, sink: ValueSink): string | undefined {
  let rest = row
  sink(Token.beginObject, '')
  for (const key of keys) {
    const item = shape.property(key)
    const isQuoted = isQuote(rest.charAt(0)) && !isList(item)
    const isJson = /^[[{]/.test(rest) && isStructure(item)
    const match = (isQuoted ? quotedCell : isJson ? jsonCell : bareCell).exec(rest)
    if (!match) return 'a cell that is cut'
    const [whole, cell = ''] = match
    if (cell.trim()) {
      sink(Token.key, key)
      putItem(cell.trim(), item, sink)
    }
    rest = rest.slice(whole.length).trimStart()
  }
  sink(Token.endObject, '')
  return rest ? `a row of more than ${keys.length} cells` : undefined
}

function putItem(text: string, shape: Shape, sink: ValueSink): void {
  const quoted = isList(shape) ? undefined : /^(["'])(.*)\1$/s.exec(text)?.[2]
  if (quoted !== undefined) putText(Token.beginQuoted, unescaped(quoted), sink)
  else if (isList(shape) && !/^[[{]/.test(text)) putCommaList(text, sink)
  else putText(Token.beginRaw, text, sink)
}

/** A text from quotes, without JSON's escapes; one that JSON does not have was meant as it stands. */
export const unescaped = (text: string) =>
  text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (whole, code: string | undefined, char: string) => {
    if (code) return String.fromCharCode(Number.parseInt(code, 16))
    return Object.hasOwn(jsonEscapes.texts, char) ? (jsonEscapes.texts[char] ?? '') : whole
  })
