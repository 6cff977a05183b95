import { ANY_KIND, Kind, type Shape } from '../shape.js'

/**
 * A line without its comment. Where a text is wanted `#` needs a space behind it too: a model that writes `fix #12` or
 * `#fff` there means no comment.
 */
export function withoutComment(line: string, { kinds, values }: Shape): string {
  const at = line.search(kinds & Kind.string && !values ? /(?<!\S)#(?!\S)/ : /(?<!\S)#/)
  return at < 0 ? line : line.slice(0, at).trim()
}

/** YAML's other words for true, false and null, where the schema wants nothing else. */
export function constantOf(text: string, { kinds }: Shape): string | undefined {
  if (text === '~' && kinds & Kind.null && kinds !== ANY_KIND) return 'null'
  if (!(kinds & Kind.boolean) || kinds & Kind.string) return undefined
  if (/^(?:yes|on)$/i.test(text)) return 'true'
  return /^(?:no|off)$/i.test(text) ? 'false' : undefined
}

/** True for a bracket that begins a list or an object; where the schema wants a text it is one. */
export function opensFlow(char: string, { kinds }: Shape): boolean {
  if (char !== '[' && char !== '{') return false
  return !(kinds & Kind.string) || (kinds & (char === '[' ? Kind.array : Kind.object | Kind.array)) !== 0
}
