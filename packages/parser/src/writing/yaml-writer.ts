import { escapeTags, spacedJson } from './json-text.js'

/** Values below this depth are JSON, because their indentation would be longer than they are. */
const MAX_BLOCK_DEPTH = 16

const plainKeyPattern = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u

/** Returns the lines of a mapping or a list, without the indentation of the whole. */
export function writeYamlEntries(value: object, depth: number): string[] {
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, each]) => {
    const [first, ...rest] =
      isList && Array.isArray(each) ? [` ${spacedJson(each)}`] : writeValue(each, depth)
    const [second = '', ...others] = rest
    // `- city: Paris`: a mapping begins on the line of its dash.
    if (isList && first === '') return [`- ${second.slice(2)}`, ...others]
    const name = plainKeyPattern.test(key) ? key : escapeTags(JSON.stringify(key))
    return [(isList ? '-' : `${name}:`) + first, ...rest]
  })
}

/** Returns the text after a key or a dash, with the space before it, and the lines below it. */
function writeValue(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return writeYamlString(value)
  const isStructure = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isStructure || depth === MAX_BLOCK_DEPTH) return [` ${spacedJson(value)}`]
  return ['', ...writeYamlEntries(value, depth + 1).map(indented)]
}

const indented = (line: string) => (line === '' ? '' : `  ${line}`)

/** Characters that are escaped: control characters and lone surrogates. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/u

const plainText = /^(?:[\p{L}_/]|\.{1,2}\/)/u

/** Text that a plain scalar cannot contain (`: `, ` #`), or that would be read as another type. */
const unplain = /:(?:\s|$)|\s#|<\/|\s$|^(?:true|false|null|none|yes|no|on|off|nan|infinity)$/iu

function writeYamlString(text: string): string[] {
  const lines = text.split('\n')
  const hasText = lines.some(line => line !== '')
  if (
    lines.length > 1 &&
    hasText &&
    !lines.some(line => unprintable.test(line.replaceAll('\t', '')))
  ) {
    const breaks = lines.length - 1 - lines.findLastIndex(line => line !== '')
    const sign = breaks === 0 ? '-' : breaks === 1 ? '' : '+'
    // `|2`: the first line begins with whitespace, so it cannot show the indent of the block.
    const digit = /^[\n\s]/.test(text) ? '2' : ''
    return [` |${digit}${sign}`, ...lines.slice(0, breaks ? -1 : lines.length).map(indented)]
  }
  const isPlain = plainText.test(text) && !unplain.test(text) && !unprintable.test(text)
  return [` ${isPlain ? text : JSON.stringify(text)}`]
}
