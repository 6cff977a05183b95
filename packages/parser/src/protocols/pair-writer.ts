import { createArgumentWriter } from '../engine/argument-writer.js'
import { callTags, lineCalls, pairCalls } from '../engine/bodies/pair-body.js'
import { putCell } from '../engine/bodies/pair-value.js'
import { createScanner } from '../engine/scanner.js'
import { Kind, type Shape } from '../engine/shape.js'
import { isRecord } from '../schema/is-record.js'

/**
 * Writes arguments as pairs that read back as the same arguments; undefined where only JSON can say them. In a line text stands as it
 * is, between tags only single words do. `isFlat`: nested objects are written under dotted keys.
 */
export function writePairs(
  args: Record<string, unknown>,
  shape: Shape,
  isLine: boolean,
  isFlat: boolean,
): string | undefined {
  const pairs: string[] = []
  for (const [path, value] of entriesOf(args, shape, isFlat)) {
    const json = JSON.stringify(value)
    if (json === undefined) continue
    const key = path.join('.')
    const expected = path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, json)
    const valueShape = path.reduce((at, name) => at.property(name), shape)
    // Short ones first.
    const forms = shape.propertyNames.includes(path[0] ?? '') ? formsOf(value, json, valueShape, isLine) : []
    const text = forms.find(form => isReadAs(`${key}=${form}`, expected, shape, isLine))
    if (text === undefined) return undefined
    pairs.push(`${key}=${text}`)
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

function formsOf(value: unknown, json: string, shape: Shape, isLine: boolean): string[] {
  if (typeof value === 'string') {
    const isBare = isLine ? !/^$|^[\s,]|[\s,]$|[\n\r]|^["']/.test(value) : /^[^\s"'<,{[(][^\s<,]*$/.test(value)
    return [...(isBare ? [value] : []), isLine && value.includes('\n') ? heredoc(value) : quote(value)]
  }
  if (!Array.isArray(value)) return [json]
  const isFlat = value.length > 0 && value.every(item => item !== null && typeof item !== 'object')
  const list = isFlat ? value.join(isLine ? ', ' : ',') : ''
  const isBare = isFlat && !/["']/.test(list) && (isLine || !/[\s<]/.test(list))
  const table = isLine ? writeTable(value, shape) : json
  return [...(isBare ? [list] : []), ...(table.length < json.length ? [table] : []), json]
}

const NEXT = '$next$'
const TOOL = 'tool'

/** Asks the reader what it makes of a pair that another follows. */
function isReadAs(pair: string, json: string, shape: Shape, isLine: boolean): boolean {
  const followed = { ...shape, propertyNames: [...shape.propertyNames, NEXT] }
  const tools = { has: (name: string) => name === TOOL, names: () => [TOOL], shapeOf: () => followed }
  let isRead = false
  const scanner = createScanner({
    marks: (isLine ? lineCalls : pairCalls)(tools),
    tools,
    maxHeldChars: Number.POSITIVE_INFINITY,
    thinking: { marks: [], mode: 'text', startsInside: false, callsCount: false },
    emit(event) {
      if (event.type !== 'call-end') return
      isRead = !event.problem && event.input === `${json.slice(0, -1)},"${NEXT}":""}`
    },
  })
  scanner.feed(`${isLine ? '@' : callTags.open}${TOOL} ${pair} ${NEXT}=`)
  scanner.end()
  return isRead
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
  const [bare = ''] = typeof value === 'string' ? [value] : formsOf(value, json, shape, false)
  const writer = createArgumentWriter(shape, Number.POSITIVE_INFINITY)
  putCell(bare, shape, writer.put)
  return /^$|^\s|\s$|[|\n\r]|^["']/.test(bare) || writer.take() !== json ? json : bare
}
