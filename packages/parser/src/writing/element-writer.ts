import { JsonType, type Shape } from '../engine/values/shape.js'
import { isRecord } from '../is-record.js'
import { escapeTags, spacedJson } from './json-text.js'

/** A text that, where something else than text may stand too, looks like nothing else. */
export function isClearText(text: string): boolean {
  return !/^\s*(?:[-+.\d"[{]|(?:true|false|null|none)\s*$)|^\s|^$|\s$/iu.test(text)
}

/** What `write` makes of each entry; undefined where it can make nothing of one of them. */
export function writeEntries(
  record: object,
  write: (key: string, value: unknown) => string | undefined,
) {
  const written = Object.entries(record).map(([key, value]) => write(key, value))
  return written.every(each => each !== undefined) ? written : undefined
}

const tagName = /^[\p{L}_][\p{L}\p{N}_.:-]*$/u

/**
 * Writes an object as one element for each of its keys; undefined where one of them is no tag. The
 * prefix stands before every tag; without one each element of an object has a line of its own.
 */
export function elementWriter(
  prefix: string,
  writeText: (text: string, shape: Shape, tag: string) => string,
) {
  const gap = prefix ? '' : '\n'
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
    return children?.length ? `${gap}${children.join(gap)}${gap}` : escapeTags(spacedJson(value))
  }
  return writeChildren
}
