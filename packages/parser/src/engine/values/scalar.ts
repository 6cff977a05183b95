import { ANY_TYPE, JsonType, type Shape } from './shape.js'

/**
 * How a scalar stood in the source: as a bare word, as a string, or as text that carries no type of
 * its own.
 */
export type ScalarSource = 'bare' | 'quoted' | 'raw'

/**
 * Writes a scalar of the source as the JSON that the schema has room for. What fits nowhere stays
 * what it was.
 */
export function scalarAsJson(text: string, source: ScalarSource, shape: Shape): string {
  const { types, values } = shape
  // An allowed value may have space around it.
  const isAllowed = (word: string) => values?.has(JSON.stringify(word))
  const asString = JSON.stringify(isAllowed(text.trim()) && !isAllowed(text) ? text.trim() : text)
  if (source === 'quoted' && types & JsonType.string) return asString
  const scalar = wordAsJson(text.trim(), source, shape)
  // An enum knows best: `1` is "1" where only the string is allowed.
  if (scalar === undefined || (values?.has(asString) && !values.has(scalar))) return asString
  if (types & typeOfJson(scalar)) return scalar
  // A bare null is never the word "null"; anything else is a string where a string will do.
  const mayBeString = types & JsonType.string && (source === 'raw' || scalar !== 'null')
  return mayBeString || source === 'quoted' ? asString : scalar
}

/** The kind of a JSON text, told by its first character. */
export function typeOfJson(json: string): number {
  const first = json.charAt(0)
  if (first === '"') return JsonType.string
  if (first === 'n') return JsonType.null
  if (first === '{') return JsonType.object
  if (first === '[') return JsonType.array
  return first === 't' || first === 'f' ? JsonType.boolean : JsonType.number
}

const constants = ['true', 'True', 'TRUE', 'false', 'False', 'FALSE', 'null', 'None']

/**
 * The number, boolean or null that a word spells. Text of no type under a schema that says nothing
 * counts only in JSON's own spelling: there `None` and `007` may well be words.
 */
function wordAsJson(word: string, source: ScalarSource, shape: Shape): string | undefined {
  const isBare = source === 'bare'
  const isStrict = shape.types === ANY_TYPE && !isBare
  if (jsonScalar.test(word)) return word
  if (isStrict) return undefined
  if (constants.includes(word)) return word === 'None' ? 'null' : word.toLowerCase()
  return isBare ? pythonNumberAsJson(word) : looseNumberAsJson(word)
}

const jsonScalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/
const looseNumber = /^([-+]?)(?=\.?\d)0*(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/

/** Puts `+5`, `.5`, `5.` and `007` right without touching the digits that count. */
function looseNumberAsJson(word: string): string | undefined {
  const match = looseNumber.exec(word)
  if (!match) return undefined
  const [, sign, whole, fraction, exponent = ''] = match
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`
}

/** Puts `1_000` and `0x1f` right, too. */
function pythonNumberAsJson(word: string): string | undefined {
  const digits = word.replace(/(?<=[\da-f])_(?=[\da-f])/gi, '')
  const isBased = /^0(?:x[\da-f]+|o[0-7]+|b[01]+)$/i.test(digits)
  return isBased ? BigInt(digits.toLowerCase()).toString() : looseNumberAsJson(digits)
}

/** How much of a text is looked at to see whether it can still become a number or a constant. */
export const SCALAR_PROBE_CHARS = 64
const numberPrefix = /^[-+.]?[\d.]*(?:[eE][-+]?\d*)?$/

/**
 * True while the beginning of a text may still turn out to be a number or a constant. Once false,
 * false for good.
 */
export function mayBecomeScalar(beginning: string): boolean {
  const word = beginning.trim()
  return numberPrefix.test(word) || constants.some(constant => constant.startsWith(word))
}

/** True for text that is JSON from end to end. The value itself is thrown away. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
