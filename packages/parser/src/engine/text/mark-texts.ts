import type { MarkRule } from './mark-rule.js'
import { findNamed } from './named-marks.js'
import { matchMarks } from './read-marks.js'
import type { Verdict } from './verdict.js'

// The texts of marks, of which those with the name of a tool are made as they are needed.

/** Decides whether a text begins with one of the marks. */
export function matchRules(text: string, rules: readonly MarkRule[]): Verdict {
  const literal = rules.filter(rule => !rule.named).map(rule => rule.text)
  const isLiteral = matchMarks(text, literal)
  if (isLiteral === 'yes') return 'yes'
  const found = findNamed(rules, text, 0, false, () => true)
  if (!found) return isLiteral
  return found.text.length <= text.length ? 'yes' : 'wait'
}

/** True if a text is one of the marks, and nothing else. */
export function isMarkText(text: string, rules: readonly MarkRule[]): boolean {
  if (rules.some(rule => !rule.named && rule.text === text)) return true
  return findNamed(rules, text, 0, true, () => true)?.text === text
}

/** Returns the texts of the marks; of those with the name of a tool, the texts that are in a text. */
export function markTextsIn(text: string, rules: readonly MarkRule[]): string[] {
  const named = rules.filter(rule => rule.named)
  const texts = new Set(rules.filter(rule => !rule.named).map(rule => rule.text))
  for (let at = 0; named.length > 0 && at < text.length; at++) {
    const mark = findNamed(named, text, at, true, () => true)
    if (mark) texts.add(mark.text)
  }
  return [...texts]
}
