import { ANY_KIND, Kind, type Shape } from '../shape.js'

/** What can be said of a line of YAML by looking at it. */

export const isBlank = (char: string | undefined) => char === ' ' || char === '\t' || char === '\r'

/** A text without the space of YAML at its beginning. Other space is text. */
export const skipBlank = (text: string) => text.slice(/^[ \t\r]*/.exec(text)?.[0].length)

/** … and at its end. */
export function trimBlank(text: string): string {
  let to = text.length
  while (isBlank(text[to - 1])) to--
  return skipBlank(text.slice(0, to))
}

/**
 * A line without its comment. Where a text is wanted `#` needs a space behind it too: a model that writes `fix #12` or
 * `#fff` there means no comment.
 */
export function withoutComment(line: string, shape: Shape): string {
  const isText = (shape.kinds & Kind.string) !== 0 && !shape.values
  for (let at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
    const isBehindSpace = at === 0 || isBlank(line[at - 1])
    if (isBehindSpace && (!isText || at + 1 === line.length || isBlank(line[at + 1])))
      return trimBlank(line.slice(0, at))
  }
  return line
}

/** True where a bracket begins a list or an object; false where the schema wants a text. */
export function mayHoldFlow(bracket: string, { kinds }: Shape): boolean {
  return !(kinds & Kind.string) || (kinds & (bracket === '[' ? Kind.array : Kind.object | Kind.array)) !== 0
}

/** YAML's other words for true, false and null, where the schema wants nothing else. */
export function constantOf(text: string, { kinds }: Shape): string | undefined {
  if (text === '~' && kinds & Kind.null && kinds !== ANY_KIND) return 'null'
  if (!(kinds & Kind.boolean) || kinds & Kind.string) return undefined
  if (/^(?:yes|on)$/i.test(text)) return 'true'
  return /^(?:no|off)$/i.test(text) ? 'false' : undefined
}

/** Whether a text is a close tag, with or without space before its end; undefined as long as it may become one. */
export function isCloseTag(text: string, closeTag: string): boolean | undefined {
  const stem = closeTag.slice(0, -1)
  if (stem.startsWith(text)) return undefined
  if (!text.startsWith(stem)) return false
  const rest = text.slice(stem.length)
  if (/^\s{0,8}>$/.test(rest)) return true
  return /^\s{1,8}$/.test(rest) ? undefined : false
}

const entry = /^(?:-(?:\s|$)|#|```|(?:"([^"]*)"|'([^']*)'|([^\s:<>"'`]+))\s*:(?:\s|$))/

/** Whether a line goes on with the arguments: by its indentation, as an entry that the tool has, or as the close tag. */
export function goesOn(line: string, indent: number, closeTag: string, names: readonly string[]): boolean {
  const bare = line.trimStart()
  if (bare === '') return false
  if (line.length - bare.length >= indent || bare.startsWith(closeTag)) return true
  const match = entry.exec(bare)
  const name = match?.[1] ?? match?.[2] ?? match?.[3]
  return match !== null && (name === undefined || names.length === 0 || names.includes(name))
}
