import { isSpace } from '../characters.js'
import { Kind, type Shape } from '../shape.js'
import { Token } from '../value-token.js'
import type { ContentOptions } from './value-content.js'
import { createCellEnd } from './value-end.js'
import { createValueReader, type ValueReader } from './value-reader.js'

/**
 * A list of objects as a table: a line with the keys, then a line for each object. An empty cell is a key that the object does
 * not have; everything else is read as any other value.
 *
 *     sku|qty|note
 *     A-1|2|
 *     B-7|1|a gift, with "love"
 *
 * A list of anything else has an item in each line.
 */
export interface Table {
  /** Returns how much of the text could be read: all of it, unless there is an error. */
  feed(text: string): number
  end(): void
  error(): string | undefined
}

/** True for a list of objects that nothing else can be taken for: its lines are a table. In other lists they are the items. */
export const holdsObjects = (shape: Shape) => {
  const { kinds } = shape.item(0)
  return (kinds & Kind.object) !== 0 && !(kinds & Kind.string)
}

export function createTable(options: ContentOptions, shape: Shape): Table {
  const { sink, maxHeldChars } = options
  const hasKeys = holdsObjects(shape)
  const cellEnd = createCellEnd(hasKeys, maxHeldChars)
  let header = hasKeys ? '' : undefined
  let keys: string[] = []
  let isFramed = false
  /** The line under the header, as long as it may be nothing but a rule. */
  let rule: string | undefined
  let row = -1
  let column = 0
  let isInRow = false
  let cell: ValueReader | undefined
  let error: string | undefined
  if (!hasKeys) sink(Token.beginArray, '')

  const endHeader = (text: string) => {
    header = undefined
    // A frame, as Markdown tables have it.
    isFramed = text.trim().startsWith('|')
    keys = (isFramed ? text.trim().replace(/^\||\|$/g, '') : text).split('|').map(key => key.trim())
    if (isFramed) rule = ''
    if (keys.some(key => key === '')) error = 'a table without the keys in its first line'
    sink(Token.beginArray, '')
  }
  const beginRow = () => {
    isInRow = true
    column = 0
    row++
    if (hasKeys) sink(Token.beginObject, '')
  }
  const endRow = () => {
    if (isInRow && hasKeys) sink(Token.endObject, '')
    isInRow = false
  }
  const beginCell = (char: string) => {
    const key = keys[column]
    if (hasKeys && key === undefined) {
      error = `a row of more than ${keys.length} cells`
      return
    }
    const item = shape.item(row)
    if (key !== undefined) sink(Token.key, key)
    cell = createValueReader({
      ...options,
      closeMark: undefined,
      shape: key === undefined ? item : item.property(key),
      valueEnd: cellEnd,
      createHeredoc: undefined,
    })
    feedCell(char, 0, 1)
  }
  const feedCell = (text: string, from: number, to: number): number => {
    if (!cell) return to
    const at = cell.feed(text, from, to)
    const status = cell.status()
    if (status === 'failed') error = cell.error()
    if (status === 'next') column++
    if (status === 'end') endRow()
    if (status !== 'reading') cell = undefined
    return at
  }
  /** A character between two cells. */
  const readGap = (char: string) => {
    if (char === '\n') return endRow()
    if (isSpace(char)) return
    if (!isInRow) {
      beginRow()
      if (isFramed && char === '|') return
    }
    if (hasKeys && char === '|') column++
    else beginCell(char)
  }

  const readRule = (char: string) => {
    const line = (rule ?? '') + char
    rule = /[\s|:-]/.test(char) && line.length < maxHeldChars ? line : undefined
    if (char === '\n') rule = undefined
    else if (rule === undefined) feed(line)
  }

  const feed = (text: string): number => {
    let at = 0
    while (at < text.length && error === undefined) {
      if (header === undefined) {
        if (rule !== undefined) readRule(text.charAt(at++))
        else if (cell) at = feedCell(text, at, text.length)
        else readGap(text.charAt(at++))
        continue
      }
      const found = text.indexOf('\n', at)
      header += text.slice(at, found < 0 ? text.length : found)
      at = found < 0 ? text.length : found + 1
      if (header.length > maxHeldChars) error = 'a table without the keys in its first line'
      else if (found >= 0 && header.trim()) endHeader(header)
      else if (found >= 0) header = ''
    }
    return at
  }

  return {
    feed,
    end() {
      if (error !== undefined) return
      if (header?.trim()) endHeader(header)
      else if (header !== undefined) sink(Token.beginArray, '')
      if (cell && !cell.end(false)) error = 'a cell that is cut'
      endRow()
      sink(Token.endArray, '')
    },
    error: () => error,
  }
}
