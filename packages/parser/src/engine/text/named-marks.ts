import type { MarkRule, NamedMarks } from './mark-rule.js'

/** A mark with a name that was found, or of which the text contains the beginning. */
export interface FoundNamed<Mark> {
  readonly text: string
  create(): Mark
}

const MAX_KEPT = 256

/** Keeps the marks of the names that were found last. Names are the model's, with no end to them. */
export function keepCreated<Mark extends MarkRule>(rule: Mark): Mark {
  const { named } = rule
  if (!named) return rule
  const kept = new Map<string, Mark>()
  const create = (name: string): Mark => {
    const mark = kept.get(name) ?? named.create(name)
    if (kept.size === MAX_KEPT) kept.clear()
    kept.set(name, mark)
    return mark
  }
  return { ...rule, named: { ...named, create } }
}

/** Finds the longest mark with a name at a place that counts there. */
export function findNamed<Mark extends MarkRule>(
  rules: readonly Mark[],
  text: string,
  at: number,
  isLast: boolean,
  counts: (rule: Mark, at: number) => boolean,
): FoundNamed<Mark> | undefined {
  let longest: FoundNamed<Mark> | undefined
  for (const rule of rules) {
    const { named } = rule
    if (!named || !isMarkAt(rule.text, text, at, isLast) || !counts(rule, at)) continue
    for (const name of namesAt(named, text, at + rule.text.length)) {
      const mark = rule.text + name + (named.after ?? '')
      const isLonger = mark.length > (longest?.text.length ?? 0)
      if (isLonger && isMarkAt(mark, text, at, isLast))
        longest = { text: mark, create: () => named.create(name) }
    }
  }
  return longest
}

/** Returns the names at a place that the marks may contain, the one that is only begun last. */
function namesAt<Mark>(marks: NamedMarks<Mark>, text: string, at: number): readonly string[] {
  const { lookup, minChars = 0, maxChars = Infinity } = marks
  const { written, begun } = lookup.matchAt(text, at)
  const names = written.filter(name => name.length >= minChars && name.length <= maxChars)
  // `<get_w|`: of several names that begin so any will do, since only more text can tell.
  if (begun !== undefined && text.length - at < maxChars) names.push(begun)
  return names
}

/** True if the mark is at that place, or its beginning where more text may come. */
export function isMarkAt(mark: string, text: string, at: number, isLast: boolean): boolean {
  if (text.length - at >= mark.length) return text.startsWith(mark, at)
  return !isLast && mark.startsWith(text.slice(at))
}
