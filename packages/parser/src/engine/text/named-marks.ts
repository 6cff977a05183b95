import type { ToolLookup } from '../tool-lookup.js'
import type { MarkRule } from './find-mark.js'

/**
 * Marks that contain the name of a tool, all of them in one value (decision 84). There is no mark for each tool, so
 * that a request with thousands of tools costs little more than one with a few:
 *
 *     <get_weather   </get_weather>   @get_weather   get_weather {
 */
export interface NamedMarks<Mark> {
  readonly lookup: ToolLookup
  /** `</get_weather|>` The text after the name. Default: none. */
  readonly after?: string | undefined
  /** How long a name must be, and may be. Default: any. */
  readonly minChars?: number | undefined
  readonly maxChars?: number | undefined
  /** The text before and after the name in the mark that ends the call: `</`, `>`. */
  readonly close?: readonly [before: string, after: string] | undefined
  /** Makes the mark of a name, spelt as the model wrote it. */
  create(written: string): Mark
}

/**
 * Finds the longest mark with a name at a place that counts there. Of one that is only begun there may
 * be others that begin alike.
 */
export function findNamed<Mark extends MarkRule>(
  rules: readonly Mark[],
  text: string,
  at: number,
  isLast: boolean,
  counts: (rule: Mark, at: number) => boolean,
): Mark | undefined {
  let longest: Mark | undefined
  for (const rule of rules) {
    const { named } = rule
    if (!named || !isMarkAt(rule.text, text, at, isLast) || !counts(rule, at)) continue
    for (const name of namesAt(named, text, at + rule.text.length)) {
      const mark = rule.text + name + (named.after ?? '')
      const isLonger = mark.length > (longest?.text.length ?? 0)
      if (isLonger && isMarkAt(mark, text, at, isLast)) longest = named.create(name)
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
