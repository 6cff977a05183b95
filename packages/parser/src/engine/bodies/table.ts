import { isQuote } from '../characters.js'
import { createJsonReader } from '../json-reader.js'
import { Kind, type Shape } from '../shape.js'
import { createStringEscape } from '../string-escape.js'
import { createValueRecorder, Token, type ValueSink } from '../value-token.js'
import { putList, putText } from './value-content.js'

export interface TableOptions {
  readonly shape: Shape
  readonly sink: ValueSink
  readonly maxHeldChars: number
}

/** True for a list of objects that nothing else can be taken for: its lines are a table. In other lists they are the items. */
export const holdsObjects = (shape: Shape) => {
  const { kinds } = shape.item(0)
  return (kinds & Kind.object) !== 0 && !(kinds & Kind.string)
}

/**
 * Puts a list of objects that is written as a table: a line with the keys, then a line for each object. An empty cell is a key
 * that the object does not have. A list of anything else has an item in each line.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 */
export function createTable({ shape, sink, maxHeldChars }: TableOptions) {
  const hasKeys = holdsObjects(shape)
  const readCell = hasKeys ? cellReader(/^\s*(?:\||$)/, maxHeldChars) : cellReader(/^\s*$/, maxHeldChars)
  let keys: string[] | undefined = hasKeys ? undefined : []
  /** A frame, as Markdown tables have it, with a rule below the keys. */
  let isFramed = false
  let rows = 0
  let error: string | undefined
  let lost = ''
  sink(Token.beginArray, '')

  const putHeader = (line: string): string | undefined => {
    isFramed = line.startsWith('|')
    keys = (isFramed ? line.replace(/^\||\|$/g, '') : line).split('|').map(name => name.trim())
    return keys.includes('') ? 'a table without the keys in its first line' : undefined
  }
  const putRow = (line: string, names: readonly string[]): string | undefined => {
    const item = shape.item(rows++)
    const row = createValueRecorder()
    if (hasKeys) row.put(Token.beginObject, '')
    let rest = isFramed ? line.replace(/^\|/, '') : line
    for (let column = 0; rest; column++) {
      const key = names[column]
      if (hasKeys && key === undefined) return `a row of more than ${names.length} cells`
      const cell = readCell(rest, key === undefined ? item : item.property(key))
      if (!cell) return 'a cell that is cut'
      if (key !== undefined && cell.put) row.put(Token.key, key)
      cell.put?.(row.put)
      rest = cell.rest
    }
    if (hasKeys) row.put(Token.endObject, '')
    row.replay(sink)
    return undefined
  }
  const put = (line: string): string | undefined => {
    if (line === '') return undefined
    if (!keys) return putHeader(line)
    const isRule = isFramed && rows === 0 && /^[\s|:-]*$/.test(line)
    return isRule ? undefined : putRow(line, keys)
  }

  return {
    putLine(line: string) {
      error ??= line.length > maxHeldChars ? 'a line that is too long' : put(line.trim())
      // It is read to its end all the same: none of its lines is a call.
      if (error !== undefined) lost += `${lost && '\n'}${line}`.slice(0, Math.max(0, maxHeldChars - lost.length))
    },
    end() {
      if (error === undefined) sink(Token.endArray, '')
    },
    error: () => error,
    /** What stands in the lines from the one on that cannot be read. */
    lost: () => lost,
  }
}

/** Reads the cell with which a text begins. An empty one puts nothing. */
const cellReader = (end: RegExp, maxHeldChars: number) => {
  const quoted = new RegExp(`^(["'])((?:\\\\.|[^\\\\])*?)\\1(?=${end.source.slice(1)})`, 's')
  return (line: string, { kinds }: Shape): { put?: (sink: ValueSink) => void; rest: string } | undefined => {
    const text = line.trimStart()
    const isList = (kinds & Kind.array) !== 0 && !(kinds & Kind.string)
    const behind = (size: number) => {
      const match = end.exec(text.slice(size))
      return match ? text.slice(size + match[0].length) : undefined
    }
    if (isQuote(text.charAt(0)) && !isList) {
      const [whole = '', , inner = ''] = quoted.exec(text) ?? []
      const rest = whole ? behind(whole.length) : undefined
      return rest === undefined ? undefined : { put: sink => putText(Token.beginQuoted, unescaped(inner), sink), rest }
    }
    if (/^[[{]/.test(text) && kinds & (Kind.object | Kind.array) && !(kinds & Kind.string)) {
      const value = createValueRecorder()
      const reader = createJsonReader(value.put, { maxHeldChars })
      const rest = behind(reader.feed(text, 0, text.length))
      return reader.status() === 'done' && rest !== undefined ? { put: value.replay, rest } : undefined
    }
    const bar = end.test('|') ? text.indexOf('|') : -1
    const bare = (bar < 0 ? text : text.slice(0, bar)).trimEnd()
    const rest = bar < 0 ? '' : text.slice(bar + 1)
    if (bare === '') return { rest }
    return { put: sink => (isList ? putList(bare, sink, maxHeldChars) : putText(Token.beginRaw, bare, sink)), rest }
  }
}

const unescaped = (text: string) =>
  text.replace(/\\(?:u[\da-fA-F]{4}|.)/gs, whole => {
    const { read } = createStringEscape()
    return [...whole.slice(1)].map(read).at(-1) ?? whole
  })
