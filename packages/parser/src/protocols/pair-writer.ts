import { createArgumentWriter } from '../engine/argument-writer.js'
import { lineCalls, pairCalls } from '../engine/bodies/pair-body.js'
import { prose } from '../engine/bodies/silent-body.js'
import type { CallPort } from '../engine/body.js'
import { createRun } from '../engine/cursor.js'
import { scalarAsJson } from '../engine/scalar.js'
import { Kind, type Shape, silentObjectShape } from '../engine/shape.js'
import { isRecord } from '../schema/is-record.js'

export interface PairForm {
  readonly shape: Shape
  /** What stands around the call. Without marks it is a line, and text stands there as it is; between marks only single words do. */
  readonly marks: { readonly open: string; readonly close: string } | undefined
  /** Nested objects are written under dotted keys. */
  readonly isFlat: boolean
}

/** Writes arguments as pairs that read back as the same arguments; undefined where only JSON can say them. */
export function writePairs(args: Record<string, unknown>, { shape, marks, isFlat }: PairForm): string | undefined {
  const pairs: string[] = []
  for (const [path, value] of entriesOf(args, shape, isFlat)) {
    if (value === undefined) continue
    const isKnown = shape.propertyNames.includes(path[0] ?? '')
    const text = isKnown ? writeValue(value, { path, shape, marks }) : undefined
    if (text === undefined) return undefined
    pairs.push(`${path.join('.')}=${text}`)
  }
  return pairs.join(' ')
}

type Entry = [path: string[], value: unknown]

/** The arguments by their paths. Flat, objects that the schema declares are taken apart; an empty one would leave no trace. */
function entriesOf(args: Record<string, unknown>, shape: Shape, isFlat: boolean): Entry[] {
  return Object.entries(args).flatMap(([key, value]): Entry[] => {
    const inner = shape.property(key)
    const isOpen = isFlat && isRecord(value) && Object.keys(value).length > 0 && inner.kinds === Kind.object
    return isOpen ? entriesOf(value, inner, isFlat).map(([path, each]) => [[key, ...path], each]) : [[[key], value]]
  })
}

/** Where a value stands in the arguments, whose shape this is. */
interface Place {
  readonly path: readonly string[]
  readonly shape: Shape
  readonly marks: { readonly open: string; readonly close: string } | undefined
}

/** The first of the forms that a value may have, short ones first, that is read as this value. */
function writeValue(value: unknown, place: Place): string | undefined {
  const json = JSON.stringify(value)
  return json === undefined ? undefined : formsOf(value, json, place).find(text => isReadAs(text, json, place))
}

function formsOf(value: unknown, json: string, { path, shape, marks }: Place): string[] {
  const isLine = marks === undefined
  if (typeof value === 'string') {
    const isBare = isLine ? !/^$|^[\s,]|[\s,]$|[\n\r]|^["']/.test(value) : /^[^\s"'<,{[(][^\s<,]*$/.test(value)
    return [...(isBare ? [value] : []), isLine && value.includes('\n') ? heredoc(value) : quote(value)]
  }
  if (!Array.isArray(value)) return [json]
  const isFlat = value.length > 0 && value.every(item => item !== null && typeof item !== 'object')
  const list = isFlat ? value.join(isLine ? ', ' : ',') : ''
  const isBare = isFlat && !/["']/.test(list) && (isLine || !/[\s<]/.test(list))
  const valueShape = path.reduce((at, key) => at.property(key), shape)
  const table = isLine ? writeTable(value, valueShape) : json
  return [...(isBare ? [list] : []), ...(table.length < json.length ? [table] : []), json]
}

const NEXT = '$next$'
const TOOL = 'tool'

/** Asks the reader what it makes of a text that another pair follows. */
function isReadAs(text: string, json: string, { path, shape, marks }: Place): boolean {
  const followed = { ...shape, propertyNames: [...shape.propertyNames, NEXT] }
  const tools = { has: (name: string) => name === TOOL, names: () => [TOOL], shapeOf: () => followed }
  const [mark] = (marks ? pairCalls(marks.open, marks.close) : lineCalls('@'))(tools)
  const maxHeldChars = Number.POSITIVE_INFINITY
  const writer = createArgumentWriter(followed, maxHeldChars)
  let isRead = false
  const ignore = () => {}
  const port: CallPort = {
    ...{ tools, maxHeldChars, putRaw: ignore, putText: ignore, report: ignore, rewind: ignore },
    open: () => writer,
    close(problem) {
      isRead = !problem && writer.error() === undefined
    },
  }
  const run = createRun(cursor => mark?.read(cursor, port) ?? prose())
  run.feed(`${marks ? TOOL : ''} ${path.join('.')}=${text} ${NEXT}=`)
  run.end(false)
  const expected = path.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, json)
  return isRead && writer.take() === `${expected.slice(0, -1)},"${NEXT}":""}`
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
  const row = { ...silentObjectShape, property: () => shape }
  if (Array.isArray(value))
    return writeValue(value, { path: ['cell'], shape: row, marks: { open: '|', close: '|' } }) ?? json
  if (typeof value !== 'string' || /^$|^\s|\s$|[|\n\r]|^["']/.test(value)) return json
  const mayBeJson = shape.kinds & (Kind.object | Kind.array) && /^[[{]/.test(value)
  return !mayBeJson && scalarAsJson(value, 'raw', shape) === json ? value : json
}
