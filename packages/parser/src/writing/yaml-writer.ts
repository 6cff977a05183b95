import { escapeTags, spacedJson } from './json-text.js'

/** Deeper than this, values are JSON: the indentation would take more than the values. */
const MAX_BLOCK_DEPTH = 16

const plainKeyPattern = /^[\p{L}_$][\p{L}\p{N}_$.-]*$/u

/** The lines of a mapping or a list, each without the indentation of the whole. */
export function writeYamlEntries(value: object, depth: number): string[] {
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, each]) => {
    const [first, ...rest] =
      isList && Array.isArray(each) ? [` ${spacedJson(each)}`] : writeValue(each, depth)
    const [second = '', ...others] = rest
    // A mapping begins in the line of its dash.
    if (isList && first === '') return [`- ${second.slice(2)}`, ...others]
    const name = plainKeyPattern.test(key) ? key : escapeTags(JSON.stringify(key))
    return [(isList ? '-' : `${name}:`) + first, ...rest]
  })
}

/** What stands behind a key or a dash, with the space before it; and the lines below it. */
function writeValue(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return writeYamlString(value)
  const isStructure = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isStructure || depth === MAX_BLOCK_DEPTH) return [` ${spacedJson(value)}`]
  return ['', ...writeYamlEntries(value, depth + 1).map(indented)]
}

const indented = (line: string) => (line === '' ? '' : `  ${line}`)

/** Characters that are better escaped: controls, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\ufeff]/u

const plainText = /^(?:[\p{L}_/]|\.{1,2}\/)/u

/** What a plain scalar cannot hold, or might be taken for something else with. */
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
    // Without the digit the first line tells how far the block is indented.
    const digit = /^[\n\s]/.test(text) ? '2' : ''
    return [` |${digit}${sign}`, ...lines.slice(0, breaks ? -1 : lines.length).map(indented)]
  }
  const isPlain = plainText.test(text) && !unplain.test(text) && !unprintable.test(text)
  return [` ${isPlain ? text : JSON.stringify(text)}`]
}
