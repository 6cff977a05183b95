import { createArgumentWriter } from '../engine/argument-writer.js'
import { pathOfKey, shapeAtPath } from '../engine/bodies/key-tree.js'
import type { PairGrammar } from '../engine/bodies/pair-body.js'
import { createPairReader } from '../engine/bodies/pair-reader.js'
import { scalarAsJson } from '../engine/scalar.js'
import { Kind, type Shape, silentObjectShape } from '../engine/shape.js'
import { Token } from '../engine/value-token.js'
import { isRecord } from '../schema/is-record.js'

export interface PairForm {
  readonly shape: Shape
  /** What stands around the call. Without marks it is a line, and text stands there as it is; between marks only single words do. */
  readonly marks: PairGrammar['marks']
  /** Nested objects are written under dotted keys. */
  readonly isFlat: boolean
}

/** Writes arguments as pairs that read back as the same arguments; undefined where only JSON can say them. */
export function writePairs(args: Record<string, unknown>, { shape, marks, isFlat }: PairForm): string | undefined {
  const entries = isFlat
    ? flatten(args, shape, [])
    : Object.entries(args).map(([key, value]) => ({ path: [key], value }))
  const given = new Set<string>()
  const pairs: string[] = []
  for (const { path, value } of entries) {
    const key = path.join('.')
    given.add(key)
    if (value === undefined) continue
    const isKnown = shape.propertyNames.includes(path[0] ?? '')
    if (!isKnown || pathOfKey(shape, key).join('\0') !== path.join('\0')) return undefined
    const isOpenKey = (word: string) =>
      shape.propertyNames.includes(pathOfKey(shape, word)[0] ?? '') && !given.has(word)
    const text = writeValue(value, { key, shape: shapeAtPath(shape, path), marks, isOpenKey })
    if (text === undefined) return undefined
    pairs.push(`${key}=${text}`)
  }
  return pairs.join(' ')
}

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
  readonly key: string
  readonly shape: Shape
  readonly marks: PairGrammar['marks']
  /** True for a key that would end a value before which it stands. */
  readonly isOpenKey: (key: string) => boolean
}

/** The first of the forms that a value may have, short ones first, that is read as this value. */
function writeValue(value: unknown, place: Place): string | undefined {
  const json = JSON.stringify(value)
  return json === undefined ? undefined : formsOf(value, json, place).find(text => isReadAs(text, json, place))
}

function formsOf(value: unknown, json: string, place: Place): string[] {
  const isLine = place.marks === undefined
  if (typeof value === 'string') {
    const isBare = isLine ? !/^$|^[\s,]|[\s,]$|[\n\r]|^["']/.test(value) : /^[^\s"'<,{[(][^\s<,]*$/.test(value)
    return [...(isBare ? [value] : []), isLine && value.includes('\n') ? heredoc(value) : quote(value)]
  }
  if (!Array.isArray(value)) return [json]
  const isFlat = value.length > 0 && value.every(item => item !== null && typeof item !== 'object')
  const list = isFlat ? value.join(isLine ? ', ' : ',') : ''
  const isBare = isFlat && !/["']/.test(list) && (isLine || !/[\s<]/.test(list))
  const table = isLine ? writeTable(value, place.shape) : json
  return [...(isBare ? [list] : []), ...(table.length < json.length ? [table] : []), json]
}

const NEXT = '$next$'

/** Asks the reader what it makes of a text that another pair follows. */
function isReadAs(text: string, json: string, { key, shape, marks, isOpenKey }: Place): boolean {
  const maxHeldChars = Number.POSITIVE_INFINITY
  const writer = createArgumentWriter({ ...silentObjectShape, property: () => shape }, maxHeldChars)
  const keys: string[] = []
  const reader = createPairReader({
    marks,
    maxHeldChars,
    putRaw: () => {},
    commit: () => writer,
    isOpenKey: word => word === NEXT || isOpenKey(word),
    openPair(word) {
      if (keys.push(word) > 1) return 'no more is asked for'
      writer.put(Token.beginObject, '')
      writer.put(Token.key, '')
      return { sink: writer.put, shape, mayHaveKey: writer.mayHaveKey }
    },
    errorOfValue: () => undefined,
  })
  const pairs = ` ${key}=${text} ${NEXT}=`
  reader.feed(pairs, 0, pairs.length)
  return keys[0] === key && keys[1] === NEXT && writer.error() === undefined && writer.take() === `{"":${json}`
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

/** A list of like objects: their keys in the first line, then a line for each. What no table can say, it does not read as. */
function writeTable(rows: readonly unknown[], shape: Shape): string {
  const records = rows.filter(isRecord)
  const keys = [...new Set(records.flatMap(row => Object.keys(row)))]
  const lines = records.map((row, i) =>
    keys.map(key => (Object.hasOwn(row, key) ? writeCell(row[key], shape.item(i).property(key)) : '')).join('|'),
  )
  return heredoc([keys.join('|'), ...lines].join('\n'))
}

function writeCell(value: unknown, shape: Shape): string {
  const json = JSON.stringify(value) ?? ''
  const place = { key: 'cell', shape, marks: { open: '|', close: '|' }, isOpenKey: () => false }
  if (typeof value !== 'string') return writeValue(value, place) ?? json
  const mayBeJson = shape.kinds & (Kind.object | Kind.array) && /^[[{]/.test(value)
  const isRaw = !mayBeJson && !/^$|^\s|\s$|[|\n\r]|^["']/.test(value)
  return isRaw && scalarAsJson(value, 'raw', shape) === json ? value : json
}
