import { createArgumentWriter } from '../engine/argument-writer.js'
import type { PairMarks } from '../engine/pairs/after-value.js'
import { readPairArguments } from '../engine/pairs/pair-calls.js'
import { putCell } from '../engine/pairs/table.js'
import { startReader } from '../engine/text/run.js'
import { JsonType, type Shape } from '../engine/values/shape.js'
import { isRecord } from '../is-record.js'
import { shapeOfSchema } from '../schema/shape-of-schema.js'
import { writeEntries } from './element-writer.js'

/** The key of an argument that follows. It begins with a letter: after `<<` a letter is a heredoc. */
const NEXT = 'next$'
const maxHeldChars = Number.POSITIVE_INFINITY

/**
 * Writes arguments as pairs: `city=Paris days=3`. Returns `undefined` if the pairs would not be read
 * back as the same arguments; the caller then writes JSON. In a line, text needs no quotes; between
 * tags, only a single word needs none. `isFlat`: nested objects have dotted keys, `place.city=Paris`.
 */
export function writePairs(
  args: Record<string, unknown>,
  inputSchema: unknown,
  marks: PairMarks,
  isFlat: boolean,
) {
  const declared = shapeOfSchema(inputSchema)
  const root = { ...declared, propertyNames: [...declared.propertyNames, NEXT] }
  /** Reads a pair with another pair after it. Returns whether its value is `json`, without a repair. */
  const isReadAs = (pair: string, path: readonly string[], json: string): boolean => {
    let hasRepair = false
    const note = () => {
      hasRepair = true
    }
    const writer = createArgumentWriter(root, maxHeldChars, { offset: () => 0, note })
    const isTool = () => true
    const pairs = { marks, maxHeldChars, isTool, shape: root, parenthesis: '' }
    const run = startReader(cursor => {
      cursor.onRepair = note
      return readPairArguments({ ...pairs, seenKeys: new Set<string>(), cursor }, () => writer)
    })
    run.feed(` ${pair} ${NEXT}=1`)
    run.end(false)
    const input = path.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, json)
    const isSame = writer.isComplete() && writer.take() === `${input.slice(0, -1)},"${NEXT}":1}`
    return isSame && !hasRepair
  }
  const write = (
    object: Record<string, unknown>,
    shape: Shape,
    parents: readonly string[],
  ): string | undefined =>
    writeEntries(object, (name, value) => {
      const inner = shape.property(name)
      const path = [...parents, name]
      // `place={}`: an empty object has no dotted keys.
      const isOpen =
        isFlat &&
        isRecord(value) &&
        Object.keys(value).length > 0 &&
        inner.types === JsonType.object
      if (isOpen) return write(value, inner, path)
      const json = JSON.stringify(value)
      if (parents.length === 0 && !shape.propertyNames.includes(name)) return undefined
      const forms = formsOf(value, json, inner, marks.isLine).map(
        form => `${path.join('.')}=${form}`,
      )
      return forms.find(pair => isReadAs(pair, path, json))
    })?.join(' ')
  return write(args, declared, [])
}

/** The forms that a value may have, the shortest first. The caller takes the first that reads back. */
function formsOf(value: unknown, json: string, shape: Shape, isLine: boolean): string[] {
  if (typeof value === 'string') return textForms(value, isLine)
  if (Array.isArray(value)) return listForms(value, json, shape, isLine)
  return [json]
}

function textForms(text: string, isLine: boolean): string[] {
  const form = isLine && text.includes('\n') ? heredoc(text) : quote(text)
  return canBeBare(text, isLine) ? [text, form] : [form]
}

/** In a line any text of one line: `New York`. Between tags a single word: `Paris`. */
function canBeBare(text: string, isLine: boolean): boolean {
  if (isLine) return !/^$|^[\s,]|[\s,]$|[\n\r]|^["']/.test(text)
  return /^[^\s"'<,{[(][^\s<,]*$/.test(text)
}

function listForms(
  list: readonly unknown[],
  json: string,
  shape: Shape,
  isLine: boolean,
): string[] {
  const forms = [json]
  // `<<END`, a line `a|b`, a line for each object.
  const table = isLine ? writeTable(list, shape) : json
  if (table.length < json.length) forms.unshift(table)
  // `a, b` in a line, `a,b` between tags.
  const bare = writeBareList(list, isLine)
  if (bare !== undefined) forms.unshift(bare)
  return forms
}

/** Returns `undefined` for a list that needs brackets: `[]`, `[{"a":1}]`, `["it's"]`. */
function writeBareList(list: readonly unknown[], isLine: boolean): string | undefined {
  const isFlat = list.length > 0 && list.every(item => item !== null && typeof item !== 'object')
  if (!isFlat) return undefined
  const bare = list.join(isLine ? ', ' : ',')
  if (/["']/.test(bare)) return undefined
  return isLine || !/[\s<]/.test(bare) ? bare : undefined
}

function quote(text: string): string {
  // `'say "hi"'`: in single quotes these need no backslashes.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these need an escape
  const fitsSingleQuotes = text.includes('"') && !/['\\\u0000-\u001f\ud800-\udfff]/.test(text)
  return fitsSingleQuotes ? `'${text}'` : JSON.stringify(text)
}

function heredoc(text: string): string {
  const lines = text.split('\n')
  let word = 'END'
  for (let i = 2; lines.some(line => line.startsWith(word)); i++) word = `END${i}`
  return `<<${word}\n${text}\n${word}`
}

/**
 * Writes a list of objects as a table: a line of keys, then a line for each object. A list that is
 * not a table is not read back, so the caller writes it as JSON.
 */
function writeTable(rows: readonly unknown[], shape: Shape): string {
  const records = rows.filter(isRecord)
  const keys = [...new Set(records.flatMap(row => Object.keys(row)))]
  const lines = records.map((row, i) =>
    keys
      .map(key => (Object.hasOwn(row, key) ? writeCell(row[key], shape.item(i).property(key)) : ''))
      .join('|'),
  )
  return heredoc([keys.join('|'), ...lines].join('\n'))
}

function writeCell(value: unknown, shape: Shape): string {
  const json = JSON.stringify(value)
  const [bare = ''] = typeof value === 'string' ? [value] : formsOf(value, json, shape, false)
  const writer = createArgumentWriter(shape, maxHeldChars)
  putCell(bare, shape, writer.put)
  return /^$|^\s|\s$|[|\n\r]|^["']/.test(bare) || writer.take() !== json ? json : bare
}
