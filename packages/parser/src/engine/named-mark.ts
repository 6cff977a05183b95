import type { CallReader, Mark } from './grammar.js'
import type { NamedMarks } from './text/mark-rule.js'

/** Makes the marks that contain the names of tools: `<get_weather`. `rule.text` is before the name. */
export function namedMark(rule: Omit<Mark, 'read' | 'named'>, named: NamedMarks<Mark>): Mark {
  return { ...rule, named, read: readWithoutName }
}

/** `<` Without a name after it the text opens no call. */
// biome-ignore lint/correctness/useYield: there is nothing to read
function* readWithoutName(): CallReader {
  return undefined
}
