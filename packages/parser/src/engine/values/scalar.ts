import { ANY_TYPE, JsonType, type Shape } from './shape.js'

/**
 * How the model wrote a scalar: as a bare word (`3`), as a string (`"3"`), or as text without a type
 * of its own (`<days>3</days>`).
 */
export type ScalarSource = 'bare' | 'quoted' | 'raw'

/**
 * Writes a scalar of the source as JSON of a type that the schema allows (decision 64): `"3"` is 3
 * for an integer. A scalar that fits no type keeps the type it was written in.
 */
export function scalarAsJson(text: string, source: ScalarSource, shape: Shape): string {
  const { types, values } = shape
  const asString = JSON.stringify(findAllowed(text, shape) ?? text)
  if (source === 'quoted' && types & JsonType.string) return asString
  const scalar = wordAsJson(text.trim(), source, shape)
  // `1` is "1" if the enum contains only the string.
  if (scalar === undefined || (values?.has(asString) && !values.has(scalar))) return asString
  if (types & typeOfJson(scalar)) return scalar
  // `5` is "5" where a string is allowed. A bare `null` is never the word "null".
  const mayBeString = types & JsonType.string && (source === 'raw' || scalar !== 'null')
  return mayBeString || source === 'quoted' ? asString : scalar
}

/**
 * The allowed value that a text means, if the schema lists them: ` celsius ` and `"celsius"` are
 * `celsius` unless they are allowed themselves.
 */
function findAllowed(text: string, { values }: Shape): string | undefined {
  if (values === undefined) return undefined
  const [, , inQuotes = text] = quotesAround.exec(text) ?? []
  return [text, text.trim(), inQuotes].find(each => values.has(JSON.stringify(each)))
}

/** `"celsius"`, ` 'celsius' `, `\`celsius\`` */
const quotesAround = /^\s*(["'`])(.*)\1\s*$/s

/** Tells whether an allowed value has quotes too many around it: `"unit": "'celsius'"`. */
export function hasExtraQuotes(text: string, shape: Shape): boolean {
  const allowed = findAllowed(text, shape)
  return allowed !== undefined && allowed !== text && allowed !== text.trim()
}

/** The type of a JSON text, which its first character shows. */
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
 * The number, boolean or null that a word spells. Untyped text under a schema without a type counts
 * only in JSON's own spelling: there `None` and `007` may be words.
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
/** `+5`, `.5`, `007`. The zeros match in one way only, so that the time stays linear. */
const looseNumber = /^([-+]?)(?=\.?\d)0*(?!0)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/

/** Writes `+5`, `.5`, `5.` and `007` as JSON numbers. The digits that count are copied. */
function looseNumberAsJson(word: string): string | undefined {
  const match = looseNumber.exec(word)
  if (!match) return undefined
  const [, sign, whole, fraction, exponent = ''] = match
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}${exponent}`
}

/** Writes `1_000` and `0x1f` as JSON numbers, too. */
function pythonNumberAsJson(word: string): string | undefined {
  const digits = word.replace(/(?<=[\da-f])_(?=[\da-f])/gi, '')
  const isBased = /^0(?:x[\da-f]+|o[0-7]+|b[01]+)$/i.test(digits)
  return isBased ? BigInt(digits.toLowerCase()).toString() : looseNumberAsJson(digits)
}

const calculation = /^-?[\d.]+(?:e-?\d+)?(?:[-+*/]-?[\d.]+(?:e-?\d+)?)+$/i

/** `1/4` is 0.25. Undefined for anything else than numbers and the four signs between them. */
export function calculate(text: string): number | undefined {
  const word = text.trim()
  if (word.length > SCALAR_PROBE_CHARS) return undefined
  const tight = word.replace(/\s+/g, '')
  if (!calculation.test(tight)) return undefined
  // `1/4|-3*2`
  const products = tight.split(/(?<=[\d.])(?=[-+])/)
  const total = products.reduce((sum, product) => sum + calculateProduct(product), 0)
  return Number.isFinite(total) ? total : undefined
}

/** `3*2/4` NaN for a number that JSON does not write so: `07`. */
function calculateProduct(product: string): number {
  const [first = '', ...factors] = product.replace(/^\+/, '').split(/(?=[*/])/)
  const numberOf = (word: string) => (jsonScalar.test(word) ? Number(word) : Number.NaN)
  return factors.reduce((value, factor) => {
    const number = numberOf(factor.slice(1))
    return factor.startsWith('*') ? value * number : value / number
  }, numberOf(first))
}

/** How much of a text is looked at to see whether it can still become a number or a constant. */
export const SCALAR_PROBE_CHARS = 64
const numberPrefix = /^[-+.]?[\d.]*(?:[eE][-+]?\d*)?$/

/**
 * True while the beginning of a text may still become a number or a constant: `12|`, `tr|`. Once
 * false, it stays false for any longer text.
 */
export function mayBecomeScalar(beginning: string): boolean {
  const word = beginning.trim()
  return numberPrefix.test(word) || constants.some(constant => constant.startsWith(word))
}

/** True for a text that is JSON as a whole. The parsed value is not used. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
