import { pathOfKey, shapeAtPath } from '../engine/bodies/key-tree.js'
import { holdsObjects } from '../engine/bodies/table.js'
import { kindOfJson, scalarAsJson } from '../engine/scalar.js'
import { Kind, type Shape } from '../engine/shape.js'
import { isRecord } from '../schema/is-record.js'

/** How pairs are written: between tags every text with a space in quotes, in a line every text as it is. */
export type PairSyntax = 'wire' | 'line'

const STRUCTURE = Kind.object | Kind.array
const keyPattern = /^[\p{L}\p{N}_$.-]{1,256}$/u
const astral = /[\ud800-\udfff]/

/**
 * Writes arguments as pairs that read back as the same arguments; undefined where only JSON can say them. `isFlat` writes
 * nested objects under dotted keys.
 */
export function writePairs(
  args: Record<string, unknown>,
  { shape, syntax, isFlat }: { shape: Shape; syntax: PairSyntax; isFlat: boolean },
): string | undefined {
  const entries = isFlat
    ? flatten(args, shape, [])
    : Object.entries(args).map(([key, value]) => ({ path: [key], value }))
  const keys = entries.map(({ path }) => path.join('.'))
  const pairs: string[] = []
  for (const [i, { path, value }] of entries.entries()) {
    const key = keys[i] ?? ''
    if (value === undefined) continue
    const isKey = keyPattern.test(key) && !astral.test(key) && shape.propertyNames.includes(path[0] ?? '')
    if (!isKey || !isSamePath(pathOfKey(shape, key), path)) return undefined
    const given = new Set(keys.slice(0, i + 1))
    const isOpenKey = (word: string) =>
      shape.propertyNames.includes(pathOfKey(shape, word)[0] ?? '') && !given.has(word)
    const text = writeValue(value, { shape: shapeAtPath(shape, path), isLine: syntax === 'line', isOpenKey })
    if (text === undefined) return undefined
    pairs.push(`${key}=${text}`)
  }
  return pairs.join(' ')
}

const isSamePath = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((key, i) => key === right[i])

/** Objects that the schema declares are taken apart; an empty one would leave no trace. */
function flatten(
  args: Record<string, unknown>,
  shape: Shape,
  path: readonly string[],
): { path: string[]; value: unknown }[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const inner = shape.property(key)
    const isOpen = isRecord(value) && Object.keys(value).length > 0 && inner.kinds === Kind.object
    return isOpen ? flatten(value, inner, [...path, key]) : [{ path: [...path, key], value }]
  })
}

interface Place {
  readonly shape: Shape
  readonly isLine: boolean
  /** True for a key that would end a value before which it stands. */
  readonly isOpenKey: (key: string) => boolean
}

function writeValue(value: unknown, place: Place): string | undefined {
  const { shape, isLine } = place
  if (typeof value === 'string') return writeString(value, place)
  const json = JSON.stringify(value)
  if (json === undefined || !(shape.kinds & kindOfJson(json))) return undefined
  if (typeof value !== 'object' || value === null) return isReadAs(json, json, shape) ? json : undefined
  if (shape.kinds & Kind.string) return json.includes('<') || holdsKey(json, place) ? undefined : json
  if (!Array.isArray(value)) return json
  return writeList(value, shape, place) ?? (isLine ? shorter(writeTable(value, shape), json) : json)
}

const isReadAs = (text: string, json: string, shape: Shape) =>
  !(shape.kinds & Kind.array && !(shape.kinds & Kind.string)) && scalarAsJson(text, 'raw', shape) === json

const shorter = (left: string | undefined, right: string) =>
  left !== undefined && left.length < right.length ? left : right

function writeString(text: string, place: Place): string | undefined {
  const { shape, isLine } = place
  if (!(shape.kinds & Kind.string)) return undefined
  if (isClear(text, shape) && (isLine ? isRawInLine(text, place) : isRawBetweenTags(text))) return text
  if (isLine && text.includes('\n')) return heredoc(text)
  return quote(text)
}

/** Without quotes the text is still read as this text, whatever else the schema allows. */
function isClear(text: string, shape: Shape): boolean {
  if (shape.kinds & STRUCTURE && /^\s*[[{]/.test(text)) return false
  return scalarAsJson(text, 'raw', shape) === JSON.stringify(text)
}

function isRawInLine(text: string, place: Place): boolean {
  return !/^$|^[\s,]|[\s,]$|[\n\r]|^["']|^<</.test(text) && !holdsKey(text, place)
}

const isRawBetweenTags = (text: string) => /^[^\s"'<,{[(][^\s<,]*$/.test(text)

/** True if a word in the text could be taken for the next key. */
function holdsKey(text: string, { isOpenKey }: Place): boolean {
  for (const [, word = ''] of text.matchAll(/(?<=[\s,])([\p{L}\p{N}_$.-]+)=/gu)) if (isOpenKey(word)) return true
  return false
}

function quote(text: string): string {
  // Single quotes spare the backslashes.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these need an escape
  const isSpared = text.includes('"') && !/['\\\u0000-\u001f\ud800-\udfff]/.test(text)
  return isSpared ? `'${text}'` : JSON.stringify(text)
}

function heredoc(text: string): string {
  const lines = text.split('\n')
  let word = 'END'
  for (let i = 2; lines.some(line => line.startsWith(word)); i++) word = `END${i}`
  return `<<${word}\n${text}\n${word}`
}

/** `a, b, c`, where no item needs more than that. */
function writeList(items: readonly unknown[], shape: Shape, place: Place): string | undefined {
  if (items.length === 0) return undefined
  const texts = items.map((item, i) => {
    const itemShape = shape.item(i)
    if (typeof item === 'string') {
      const isPlain = /^[\p{L}\p{N}_@.+~/-][^,"'[\]{}\n\r]*$/u.test(item) && !/\s$|\s\/|\/[/*]\s|^\//.test(item)
      return isPlain && scalarAsJson(item, 'bare', itemShape) === JSON.stringify(item) ? item : undefined
    }
    const json = JSON.stringify(item)
    const isScalar = typeof item === 'number' || typeof item === 'boolean'
    return isScalar && scalarAsJson(json, 'bare', itemShape) === json ? json : undefined
  })
  if (texts.some(text => text === undefined)) return undefined
  const list = texts.join(place.isLine ? ', ' : ',')
  const isWhole = place.isLine || !/[\s<]/.test(list)
  return isWhole && !holdsKey(list, place) ? list : undefined
}

/** A list of like objects: their keys in the first line, then a line for each. */
function writeTable(rows: readonly unknown[], shape: Shape): string | undefined {
  if (rows.length < 2 || !rows.every(isRecord) || !holdsObjects(shape)) return undefined
  const keys = [...new Set(rows.flatMap(row => Object.keys(row)))]
  if (!keys.every(key => /^[^|\n\r"']+$/.test(key) && key === key.trim())) return undefined
  // In a table all objects have one order of keys. Where a key decides what the others may be, the order counts.
  const isAnyOrder = rows.every((row, i) =>
    Object.entries(row).every(([key, value]) => shape.item(i).narrow(key, JSON.stringify(value)) === shape.item(i)),
  )
  const isOneOrder = rows.every(
    row => keys.filter(key => Object.hasOwn(row, key)).join('|') === Object.keys(row).join('|'),
  )
  if (!isAnyOrder || !isOneOrder) return undefined
  const lines = rows.map((row, i) => {
    const cells = keys.map(key =>
      !Object.hasOwn(row, key) || row[key] === undefined ? '' : writeCell(row[key], shape.item(i).property(key)),
    )
    return cells.every(cell => cell !== undefined) && cells.some(Boolean) ? cells.join('|') : undefined
  })
  return lines.every(line => line !== undefined) ? heredoc([keys.join('|'), ...lines].join('\n')) : undefined
}

function writeCell(value: unknown, shape: Shape): string | undefined {
  const noKeys = { shape, isLine: false, isOpenKey: () => false }
  if (typeof value !== 'string') {
    const text = writeValue(value, noKeys)
    if (!text?.includes('|')) return text
    // Only JSON has room for a bar, unless it may be a text too: then it is read as one first, up to the next bar.
    return shape.kinds & Kind.string ? undefined : JSON.stringify(value)
  }
  if (!(shape.kinds & Kind.string)) return undefined
  const isRaw = !/^$|^\s|\s$|[|\n\r]|^["']/.test(value) && isClear(value, shape)
  return isRaw ? value : JSON.stringify(value)
}
