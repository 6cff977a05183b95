import type { ArgumentWriter } from '../argument-writer.js'
import { unescaped } from '../json/string-escape.js'
import { isQuote, quotedAt } from '../text/characters.js'
import { noteRepair } from '../text/cursor.js'
import { JsonType, type Shape } from '../values/shape.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import type { Pairs, ValueReading } from './after-value.js'
import { readHeredoc } from './quoted-value.js'

/** A list in lines of text that is being read. */
interface LineList {
  readonly writer: ArgumentWriter
  readonly maxHeldChars: number
  /** The items are objects. */
  readonly isTable: boolean
  /** The keys that the schema declares for them. */
  readonly propertyNames: readonly string[]
  /** The keys in the first line of the table, once it was read. */
  keys: readonly string[] | undefined
  /** A line below the keys was read. */
  hasRow: boolean
  /** The table has a frame or a rule: `|sku|qty|`, `---|---`. */
  hasFrame: boolean
  /** A line that has not ended yet. */
  held: string
}

/** True if the schema allows such a type, and no text in its place. */
export const mustBe = ({ types }: Shape, wanted: number): boolean =>
  (types & wanted) !== 0 && (types & JsonType.string) === 0

/**
 * `items=<<END|` Reads a list with an item in each line. Objects are the rows of a table: a line
 * with the keys, then a line for each object.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 *
 * An empty cell is a key that the object does not have. A frame and a rule below the keys, as in
 * Markdown tables, mean nothing, but are recorded (decision 68).
 */
export function* readLineList(pairs: Pairs, closing: string, writer: ArgumentWriter): ValueReading {
  writer.put(Token.beginArray, '')
  const itemShape = writer.expected()
  const list: LineList = {
    writer,
    maxHeldChars: pairs.maxHeldChars,
    isTable: mustBe(itemShape, JsonType.object),
    propertyNames: itemShape.propertyNames,
    keys: undefined,
    hasRow: false,
    hasFrame: false,
    held: '',
  }
  const found = yield* readHeredoc(pairs, closing, piece => putPiece(list, piece))
  putLine(list, list.held)
  writer.put(Token.endArray, '')
  if (list.hasFrame) noteRepair(pairs.cursor, 'table-frame')
  return found
}

/** Puts the lines that end in a piece of text, and holds the beginning of the next one. */
function putPiece(list: LineList, piece: string): void {
  for (const part of piece.split(/(?<=\n)/)) {
    list.held += part
    const isTooLong = list.held.length >= list.maxHeldChars
    if (!part.endsWith('\n') && !isTooLong && !list.writer.error()) continue
    putLine(list, list.held)
    list.held = ''
  }
}

function putLine(list: LineList, line: string): void {
  const { writer, maxHeldChars } = list
  // After a problem the rest is copied. `fail` keeps the first message.
  if (writer.error() || line.length >= maxHeldChars) {
    writer.fail(`expected fewer than ${maxHeldChars} characters in a line`, line)
    return
  }
  if (line.trim() === '') return
  const problem = list.isTable ? putTableLine(list, line) : putItem(list, line)
  if (problem) writer.fail(problem, line)
}

/** `"a, b"` or `a b` Returns why the item cannot be read; undefined if it can. */
function putItem({ writer }: LineList, line: string): string | undefined {
  const item = line.trim()
  const problem = findCellProblem([item])
  if (!problem) putCell(item, writer.expected(), writer.put)
  return problem
}

/**
 * `sku|qty` is the first line, `---|---` may follow, then `A-1|2`. Returns why the line cannot be
 * read; undefined if it can.
 */
function putTableLine(list: LineList, line: string): string | undefined {
  const { writer, keys, propertyNames, hasRow } = list
  const cells = splitRow(line)
  // `|sku|qty|`, and below `sku|qty`: `A-1|2|`
  list.hasFrame ||= keys ? cells.length > keys.length : cells.includes('')
  if (!keys) {
    list.keys = cells
    if (namesKeys(cells, propertyNames)) return undefined
    return `expected keys in the first line of the table: \`${propertyNames.join('|')}\``
  }
  list.hasRow = true
  if (!hasRow && isRule(cells, keys)) {
    list.hasFrame = true
    return undefined
  }
  const problem = findCellProblem(cells, keys)
  if (!problem) putRow(writer, cells, keys)
  return problem
}

function putRow(writer: ArgumentWriter, cells: readonly string[], keys: readonly string[]): void {
  const { put, expected } = writer
  put(Token.beginObject, '')
  for (const [i, cell] of cells.entries()) {
    if (cell === '') continue
    put(Token.key, keys[i] ?? '')
    putCell(cell, expected(), put)
  }
  put(Token.endObject, '')
}

/** A cell and the bar after it: `A-1|`, `"a|b" |`. In quotes a bar is text. */
const cellAndBar = /\s*("(?:[^"\\]|\\.)*"\s*(?=\|)|'(?:[^'\\]|\\.)*'\s*(?=\|)|[^|]*)\|/g

/** Splits a line into its cells: `A-1 | "a|b"` has two. */
export function splitRow(line: string): string[] {
  return [...`${line}|`.matchAll(cellAndBar)].map(([, cell = '']) => cell.trim())
}

/** True if the first line of a table has a key that the schema declares; all will do if none is. */
export function namesKeys(cells: readonly string[], propertyNames: readonly string[]): boolean {
  return propertyNames.length === 0 || cells.some(cell => propertyNames.includes(cell))
}

/** True for the rule below the keys: `---|:-:`. In a table with a frame it may be shorter. */
export function isRule(cells: readonly string[], keys: readonly string[]): boolean {
  const hasFrame = keys[0] === ''
  const ruleCell = hasFrame ? /^[:-]*$/ : /^:?-{3,}:?$/
  return cells.every(cell => ruleCell.test(cell))
}

/** Returns why the cells of a line cannot be read; undefined if they can. */
export function findCellProblem(
  cells: readonly string[],
  keys?: readonly string[],
): string | undefined {
  // `A-1|"a gift`
  const isOpen = (cell: string) => isQuote(cell.charAt(0)) && !quotedAt(cell, 0)
  if (cells.some(isOpen)) return 'expected a closing quote at the end of a cell or an item'
  // `sku|qty` and below it `A-1|2|x`
  if (keys && cells.some((cell, i) => cell && !keys[i])) {
    return 'expected a key in the first line of the table for each cell'
  }
  return undefined
}

/** Puts a cell or an item: a text in quotes, or text whose type the schema decides. */
export function putCell(cell: string, shape: Shape, put: ValueSink): void {
  // `a, b` for a list lacks only its brackets.
  const isBareList = mustBe(shape, JsonType.array) && !/^[[{]/.test(cell)
  if (isBareList) putText(Token.beginBareList, `[${cell}]`, put)
  else if (quotedAt(cell, 0) === cell) putText(Token.beginQuoted, unescaped(cell.slice(1, -1)), put)
  else putText(Token.beginUntyped, cell, put)
}
