import { scalarAsJson, typeOfJson } from './scalar.js'
import { CONTAINER, JsonType, type Shape } from './shape.js'

/**
 * Splits a text where a list is wanted whose items cannot contain commas (decision 85): `1, 2` for
 * numbers, `slow,fast` for the words `slow` and `fast`. Undefined if it is not such a list: `a,b` may
 * be one text.
 */
export function splitListText(text: string, shape: Shape): string[] | undefined {
  const mayBeList = (shape.types & JsonType.array) !== 0 && (shape.types & JsonType.string) === 0
  if (!mayBeList || !text.includes(',')) return undefined
  if (!isClosed(shape.item(0)) || isItem(text, shape.item(0))) return undefined
  const items = text.split(',').map(item => item.trim())
  return items.every((item, i) => isItem(item, shape.item(i))) ? items : undefined
}

/** True for items of which each word shows whether it is one: numbers, booleans, some words. */
const isClosed = ({ types, values }: Shape) =>
  (types & CONTAINER) === 0 && ((types & JsonType.string) === 0 || values !== undefined)

/** True for a list of texts of any kind, which may contain commas. */
export const hasFreeTexts = (list: Shape) => !isClosed(list.item(0))

function isItem(text: string, shape: Shape): boolean {
  if (!isClosed(shape)) return false
  const json = scalarAsJson(text, 'raw', shape)
  return shape.values ? shape.values.has(json) : (shape.types & typeOfJson(json)) !== 0
}
