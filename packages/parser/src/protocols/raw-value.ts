import { kindOfJson, scalarAsJson } from '../engine/scalar.js'
import { Kind, type Shape } from '../engine/shape.js'
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
  if (isScalar && (shape.kinds & Kind.array || scalarAsJson(json, 'raw', shape) !== json)) return undefined
  return hideTags(json)
}
