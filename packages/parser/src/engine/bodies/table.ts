import { isQuote } from '../characters.js'
import { Kind, type Shape } from '../shape.js'
import { jsonEscapes } from '../string-escape.js'
import { createValueRecorder, Token, type ValueSink } from '../value-token.js'
import { type ListOptions, putList, putText } from './comma-list.js'

/** True for a list of objects that nothing else can be taken for: its lines are a table. In other lists they are the items. */
export const holdsObjects = (shape: Shape) => {
  const { kinds } = shape.item(0)
  return (kinds & Kind.object) !== 0 && !(kinds & Kind.string)
}

/** The cell with which a row begins: in quotes, as JSON, in whose strings a bar is text, or as it is. */
const cells = {
  quoted: /^(["'])((?:\\.|[^\\])*?)\1\s*(?:\||$)/s,
  json: /^()()((?:"(?:\\.|[^"\\])*"|[^|"])*)(?:\||$)/,
  bare: /^()()([^|]*)(?:\||$)/,
}
/** The same for a line that is one item. */
const items = { quoted: /^(["'])((?:\\.|[^\\])*?)\1$/s, json: /^()()(.*)$/s, bare: /^()()(.*)$/s }

/**
 * Takes the pieces of a text that is a list of objects, written as a table: a line with the keys, then a line for each object. An empty cell is a key
 * that the object does not have. A list of anything else has an item in each line; either may be JSON.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 */
export function createTable({ sink, maxHeldChars, putRaw, onError }: ListOptions, shape: Shape): ValueSink {
  const hasKeys = holdsObjects(shape)
  const patterns = hasKeys ? cells : items
  let form: 'unclear' | 'json' | 'lines' | 'broken' = 'unclear'
  let line = ''
  let keys: readonly string[] | undefined
  /** A frame, as Markdown tables have it, with a rule below the keys. */
  let isFramed = false
  let rows = 0

  const putHeader = (text: string): string | undefined => {
    isFramed = text.startsWith('|')
    keys = (isFramed ? text.replace(/^\||\|$/g, '') : text).split('|').map(name => name.trim())
    return keys.includes('') ? 'a table without the keys in its first line' : undefined
  }
  /** Puts the cell with which a text begins, behind its key, unless it is empty; gives what follows it. */
  const putCell = (text: string, { kinds }: Shape, put: ValueSink, key?: string): string | undefined => {
    const isList = (kinds & (Kind.array | Kind.string)) === Kind.array
    const isJson = /^[[{]/.test(text) && !(kinds & Kind.string) && (kinds & (Kind.object | Kind.array)) !== 0
    const isQuoted = isQuote(text.charAt(0)) && !isList
    const match = (isQuoted ? patterns.quoted : isJson ? patterns.json : patterns.bare).exec(text)
    if (!match) return undefined
    const [whole, , quoted = '', bare = ''] = match
    if (key !== undefined && (isQuoted || bare.trim())) put(Token.key, key)
    if (isQuoted) putText(Token.beginQuoted, unescaped(quoted), put)
    else if (isList && !isJson && bare.trim()) putList(bare.trim(), put, maxHeldChars)
    else if (bare.trim()) putText(Token.beginRaw, bare.trim(), put)
    return text.slice(whole.length).trimStart()
  }
  const putRow = (text: string, names: readonly string[]): string | undefined => {
    const item = shape.item(rows++)
    const row = createValueRecorder()
    row.put(Token.beginObject, '')
    let rest = isFramed ? text.replace(/^\|\s*/, '') : text
    for (let column = 0; rest; column++) {
      const key = names[column]
      if (key === undefined) return `a row of more than ${names.length} cells`
      const behind = putCell(rest, item.property(key), row.put, key)
      if (behind === undefined) return 'a cell that is cut'
      rest = behind
    }
    row.put(Token.endObject, '')
    row.replay(sink)
    return undefined
  }
  const putLine = (whole: string): string | undefined => {
    const text = whole.trim()
    if (whole.length > maxHeldChars) return 'a line that is too long'
    if (text === '') return undefined
    if (!hasKeys) return putCell(text, shape.item(rows++), sink) === undefined ? 'an item that is cut' : undefined
    if (!keys) return putHeader(text)
    const isRule = isFramed && rows === 0 && /^[\s|:-]*$/.test(text)
    return isRule ? undefined : putRow(text, keys)
  }
  const putLines = (lines: readonly string[], behind: readonly string[]) => {
    for (const [i, each] of lines.entries()) {
      const error = putLine(each)
      if (error === undefined) continue
      // It is read to its end all the same: none of its lines is a call.
      form = 'broken'
      onError(error)
      return putRaw([...lines.slice(i), ...behind].join('\n'))
    }
  }
  const putPiece = (piece: string) => {
    line += piece
    const lines = piece.includes('\n') ? line.split('\n') : [line]
    // The last line is not whole yet, but it may be too long already.
    const begun = (lines.at(-1)?.length ?? 0) > maxHeldChars ? [] : lines.splice(-1)
    line = begun[0] ?? ''
    putLines(lines, begun)
  }

  return (token, piece) => {
    const text = form === 'unclear' ? piece.trimStart() : piece
    const isOver = token === Token.endText
    if (form === 'unclear' && (text || isOver)) {
      form = /^[[{]/.test(text) ? 'json' : 'lines'
      sink(form === 'json' ? Token.beginRaw : Token.beginArray, '')
    }
    if (form === 'broken') return putRaw(text)
    if (form === 'json') return sink(token, text)
    if (text) putPiece(text)
    if (isOver) putLines([line], [])
    if (isOver && form === 'lines') sink(Token.endArray, '')
  }
}

/** A text from quotes, without JSON's escapes; one that JSON does not have was meant as it stands. */
export const unescaped = (text: string) =>
  text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (whole, code: string | undefined, char: string) => {
    if (code) return String.fromCharCode(Number.parseInt(code, 16))
    return Object.hasOwn(jsonEscapes.texts, char) ? (jsonEscapes.texts[char] ?? '') : whole
  })
