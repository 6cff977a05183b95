import { ANY_KIND, Kind, type Shape } from '../shape.js'

/** What can be said of a line of YAML by looking at it. */

export const isBlank = (char: string | undefined) => char === ' ' || char === '\t' || char === '\r'

/** A text without the space of YAML at its beginning. Other space is text. */
export const skipBlank = (text: string) => text.slice(/^[ \t\r]*/.exec(text)?.[0].length)

/** … and at its end. A pattern would take quadratic time for that. */
export function trimBlankEnd(text: string): string {
  let to = text.length
  while (isBlank(text[to - 1])) to--
  return text.slice(0, to)
}

export const trimBlank = (text: string) => skipBlank(trimBlankEnd(text))

/** Where in a line its text begins. */
export const indentOf = (line: string) => line.length - skipBlank(line).length

/** The borders of a document, and a fence around it. */
export const border = /^(?:---(?:\s.*)?|\.\.\.|```\w*)$/

/**
 * A line without its comment. Where a text is wanted `#` needs a space behind it too: a model that writes `fix #12` or
 * `#fff` there means no comment.
 */
export function withoutComment(line: string, { kinds, values }: Shape): string {
  const comment = kinds & Kind.string && !values ? /(?<![^ \t\r])#(?![^ \t\r])/ : /(?<![^ \t\r])#/
  const at = line.search(comment)
  return at < 0 ? line : trimBlank(line.slice(0, at))
}

/** True for a bracket that begins a list or an object; where the schema wants a text it is one. */
export function opensFlow(char: string, { kinds }: Shape): boolean {
  if (char !== '[' && char !== '{') return false
  return !(kinds & Kind.string) || (kinds & (char === '[' ? Kind.array : Kind.object | Kind.array)) !== 0
}

/** YAML's other words for true, false and null, where the schema wants nothing else. */
export function constantOf(text: string, { kinds }: Shape): string | undefined {
  if (text === '~' && kinds & Kind.null && kinds !== ANY_KIND) return 'null'
  if (!(kinds & Kind.boolean) || kinds & Kind.string) return undefined
  if (/^(?:yes|on)$/i.test(text)) return 'true'
  return /^(?:no|off)$/i.test(text) ? 'false' : undefined
}
