import { JsonType, type Shape } from '../engine/values/shape.js'
import { isRecord } from '../is-record.js'
import { escapeTags, spacedJson } from './json-text.js'

/**
 * Returns true for a text that cannot be mistaken for another type of value: not for `5`, `true`,
 * `[a`, `{"a"` or text with whitespace around it.
 */
export function isClearText(text: string): boolean {
  return !/^\s*(?:[-+.\d"[{]|(?:true|false|null|none)\s*$)|^\s|^$|\s$/iu.test(text)
}

/** Writes each entry. Returns `undefined` if `write` cannot write one of them. */
export function writeEntries(
  record: object,
  write: (key: string, value: unknown) => string | undefined,
) {
  const written = Object.entries(record).map(([key, value]) => write(key, value))
  return written.every(each => each !== undefined) ? written : undefined
}

const tagName = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u

/**
 * Returns a function that writes an object as elements, one for each key: `<city>Paris</city>`. It
 * returns `undefined` if a key is not a tag name. The prefix comes before every tag. Without a
 * prefix each element of an object is on its own line.
 */
export function elementWriter(
  prefix: string,
  writeText: (text: string, shape: Shape, tag: string) => string,
) {
  const lineBreak = prefix ? '' : '\n'
  const writeElement = (tag: string, value: unknown, shape: Shape) =>
    `${prefix}<${tag}>${writeValue(tag, value, shape)}${prefix}</${tag}>`
  const writeChildren = (value: object, shape: Shape) =>
    writeEntries(value, (key, each) =>
      tagName.test(key) ? writeElement(key, each, shape.property(key)) : undefined,
    )
  const writeValue = (tag: string, value: unknown, shape: Shape): string => {
    if (typeof value === 'string') return writeText(value, shape, tag)
    if (Array.isArray(value) && value.length && shape.types === JsonType.array) {
      return value.map((item, i) => writeElement('item', item, shape.item(i))).join('')
    }
    const children =
      isRecord(value) && shape.types === JsonType.object ? writeChildren(value, shape) : undefined
    return children?.length
      ? lineBreak + children.join(lineBreak) + lineBreak
      : escapeTags(spacedJson(value))
  }
  return writeChildren
}
