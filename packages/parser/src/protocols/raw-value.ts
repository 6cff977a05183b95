import { kindOfJson, scalarAsJson } from '../engine/scalar.js'
import { Kind, type Shape } from '../engine/shape.js'
import { isRecord } from '../schema/is-record.js'
import { hideTags, spacedJson } from './text-forms.js'

/** A text that, where something else than text may stand too, looks like nothing else. */
export function isClearText(text: string): boolean {
  return !/^\s*(?:[-+.\d"[{]|(?:true|false|null|none)\s*$)|^\s|^$|\s$/iu.test(text)
}

/** The raw text between tags that is read back as this value, which is no string; undefined where there is none. */
export function writeRawJson(value: unknown, shape: Shape): string | undefined {
  const json = spacedJson(value)
  if (!(shape.kinds & kindOfJson(json))) return undefined
  const isScalar = typeof value !== 'object' || value === null
  if (isScalar && scalarAsJson(json, 'raw', shape) !== json) return undefined
  return hideTags(json)
}

/** What `write` makes of each entry; undefined where it can make nothing of one of them. */
export function writeEntries(record: object, write: (key: string, value: unknown) => string | undefined) {
  const written = Object.entries(record).map(([key, value]) => write(key, value))
  return written.every(each => each !== undefined) ? written : undefined
}

/** How values are written as elements. */
interface ElementForm {
  /** Stands before every tag. Without it each element of an object has a line of its own. */
  readonly prefix: string
  readonly isTag: (key: string) => boolean
  readonly writeText: (text: string, shape: Shape, tag: string) => string | undefined
  readonly writeJson: (value: unknown, shape: Shape) => string | undefined
}

/** Writes an object as one element for each of its keys; undefined where one of them cannot be written as such. */
export function elementWriter({ prefix, isTag, writeText, writeJson }: ElementForm) {
  const gap = prefix ? '' : '\n'
  const writeElement = (tag: string, value: unknown, shape: Shape): string | undefined => {
    const content = isTag(tag) ? writeValue(tag, value, shape) : undefined
    return content === undefined ? undefined : `${prefix}<${tag}>${content}${prefix}</${tag}>`
  }
  const writeChildren = (value: object, shape: Shape) =>
    writeEntries(value, (key, each) => writeElement(key, each, shape.property(key)))
  const writeValue = (tag: string, value: unknown, shape: Shape) => {
    if (typeof value === 'string') return writeText(value, shape, tag)
    if (Array.isArray(value) && value.length && shape.kinds === Kind.array) {
      return writeEntries(value, (i, item) => writeElement('item', item, shape.item(Number(i))))?.join('')
    }
    const children = isRecord(value) && shape.kinds === Kind.object ? writeChildren(value, shape) : undefined
    return children?.length ? `${gap}${children.join(gap)}${gap}` : writeJson(value, shape)
  }
  return writeChildren
}
