import { createArgumentWriter } from '../engine/argument-writer.js'
import type { PairMarks } from '../engine/pairs/after-value.js'
import { readPairArguments } from '../engine/pairs/pair-calls.js'
import { putCell } from '../engine/pairs/table.js'
import { startReader } from '../engine/text/run.js'
import { JsonType, type Shape } from '../engine/values/shape.js'
import { isRecord } from '../is-record.js'
import { shapeOfSchema } from '../schema/shape-of-schema.js'
import { writeEntries } from './element-writer.js'

/**
 * Stands for the argument that follows. It begins as most do: behind `<<` a letter means something.
 */
const NEXT = 'next$'
const maxHeldChars = Number.POSITIVE_INFINITY

/**
 * Writes arguments as pairs that read back as the same arguments; undefined where only JSON can say
 * them. In a line text stands as it is, between tags only single words do. `isFlat`: nested objects
 * are written under dotted keys.
 */
export function writePairs(
  args: Record<string, unknown>,
  inputSchema: unknown,
  marks: PairMarks,
  isFlat: boolean,
) {
  const declared = shapeOfSchema(inputSchema)
  const root = { ...declared, propertyNames: [...declared.propertyNames, NEXT] }
  /** Asks the reader what it makes of a pair that another follows. */
  const isReadAs = (pair: string, path: readonly string[], json: string): boolean => {
    const writer = createArgumentWriter(root, maxHeldChars)
    const pairs = { marks, maxHeldChars, shape: root, seenKeys: new Set<string>(), parenthesis: '' }
    const run = startReader(cursor => readPairArguments({ ...pairs, cursor }, () => writer))
    run.feed(` ${pair} ${NEXT}=`)
    run.end(false)
    const input = path.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, json)
    return writer.isComplete() && writer.take() === `${input.slice(0, -1)},"${NEXT}":""}`
  }
  const write = (
    object: Record<string, unknown>,
    shape: Shape,
    parents: readonly string[],
  ): string | undefined =>
    writeEntries(object, (name, value) => {
      const inner = shape.property(name)
      const path = [...parents, name]
      // An empty object would leave no trace.
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

/** The forms that a value may have, short ones first. */
function formsOf(value: unknown, json: string, shape: Shape, isLine: boolean): string[] {
  if (typeof value === 'string') {
    const isBare = isLine
      ? !/^$|^[\s,]|[\s,]$|[\n\r]|^["']/.test(value)
      : /^[^\s"'<,{[(][^\s<,]*$/.test(value)
    return [
      ...(isBare ? [value] : []),
      isLine && value.includes('\n') ? heredoc(value) : quote(value),
    ]
  }
  if (!Array.isArray(value)) return [json]
  const isFlat = value.length > 0 && value.every(item => item !== null && typeof item !== 'object')
  const list = isFlat ? value.join(isLine ? ', ' : ',') : ''
  const isBare = isFlat && !/["']/.test(list) && (isLine || !/[\s<]/.test(list))
  const table = isLine ? writeTable(value, shape) : json
  return [...(isBare ? [list] : []), ...(table.length < json.length ? [table] : []), json]
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

/**
 * A list of like objects: their keys in the first line, then a line for each. What no table can
 * say, it does not read as.
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
