import { ANY_KIND, Kind, type Shape } from './shape.js'

/** How a scalar stood in the source: as a bare word, as a string, or as text that carries no type of its own. */
export type ScalarSource = 'bare' | 'quoted' | 'raw'

/** Writes a scalar of the source as the JSON that the schema has room for. What fits nowhere stays what it was. */
export function scalarAsJson(text: string, source: ScalarSource, shape: Shape): string {
  const asString = JSON.stringify(matchingValue(text, shape))
  if (source === 'quoted' && shape.kinds & Kind.string) return asString
  if (source === 'raw' && shape.kinds === Kind.string) return asString
  const scalar = wordAsJson(text.trim(), source, shape)
  if (scalar === undefined) return asString
  // An enum knows best: `1` is "1" where only the string is allowed.
  if (shape.values?.has(asString) && !shape.values.has(scalar)) return asString
  if (shape.kinds & kindOfJson(scalar)) return scalar
  if (source === 'quoted') return asString
  // A bare null is never the word "null"; anything else is a string where a string will do.
  const mayBeString = (shape.kinds & Kind.string) !== 0 && (source === 'raw' || scalar !== 'null')
  return mayBeString ? asString : scalar
}

/** The kind of a JSON text, told by its first character. */
export function kindOfJson(json: string): number {
  const first = json.charAt(0)
  if (first === '"') return Kind.string
  if (first === 'n') return Kind.null
  if (first === '{') return Kind.object
  if (first === '[') return Kind.array
  return first === 't' || first === 'f' ? Kind.boolean : Kind.number
}

const trues = { true: 'true', True: 'true', TRUE: 'true' }
const falses = { false: 'false', False: 'false', FALSE: 'false' }
const constants = new Map(Object.entries({ ...trues, ...falses, null: 'null', None: 'null' }))

/**
 * The number, boolean or null that a word spells. Text of no type under a schema that says nothing counts only in JSON's
 * own spelling: there `None` and `007` may well be words.
 */
function wordAsJson(word: string, source: ScalarSource, shape: Shape): string | undefined {
  const isSilent = shape.kinds === ANY_KIND
  const constant = constants.get(word)
  if (constant && (constant === word || !isSilent || source === 'bare')) return constant
  if (jsonNumber.test(word)) return word
  return isSilent ? undefined : looseNumberAsJson(word)
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/
const looseNumber = /^([-+]?)(?=\.?\d)0*(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/

/** Puts `+5`, `.5`, `5.` and `007` right without touching the digits that count. */
function looseNumberAsJson(word: string): string | undefined {
  const match = looseNumber.exec(word)
  if (!match) return undefined
  const [, sign, whole, fraction, exponent = ''] = match
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`
}

/** Puts `1_000`, `007`, `+5`, `.5` and `0x1f` as JSON has them. Anything else stays what it was. */
export function pythonNumberAsJson(word: string): string {
  if (/^0[xob][\da-f_]+$/i.test(word)) {
    const digits = word.replaceAll('_', '').toLowerCase()
    return /^0(?:x|o[0-7]+$|b[01]+$)/.test(digits) ? BigInt(digits).toString() : word
  }
  return looseNumberAsJson(word.replace(/(?<=\d)_(?=\d)/g, '')) ?? word
}

/** The text, or the allowed value that it is but for the space around it. */
function matchingValue(text: string, shape: Shape): string {
  if (!shape.values || shape.values.has(JSON.stringify(text))) return text
  return shape.values.has(JSON.stringify(text.trim())) ? text.trim() : text
}

/** How much of a text is looked at to see whether it can still become a number or a constant. */
export const SCALAR_PROBE_CHARS = 64
const numberPrefix = /^[-+.]?[\d.]*(?:[eE][-+]?\d*)?$/

/** True while the beginning of a text may still turn out to be a number or a constant. Once false, false for good. */
export function mayBecomeScalar(beginning: string): boolean {
  const word = beginning.trim()
  return numberPrefix.test(word) || [...constants.keys()].some(constant => constant.startsWith(word))
}
