/** A part of a text, from its first character to the one after its last. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Finds the values of a call in its text, in any order. Undefined if a value is written in a way
 * that is not known here.
 */
export function findValues(text: string, input: unknown): Span[] | undefined {
  const spans: Span[] = []
  for (const spellings of leavesOf(input)) {
    const span = findSpelling(text, spellings, spans)
    if (!span) return undefined
    spans.push(...span)
  }
  return spans
}

/** How a value may be written: each spelling is one text, or several lines. */
type Spellings = readonly (readonly string[])[]

/** The spellings of each text, number and constant in a value. */
function leavesOf(value: unknown): Spellings[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  if (typeof value !== 'string') return [[[String(value)], [value ? 'True' : 'False']]]
  const escaped = JSON.stringify(value).slice(1, -1)
  const lines = value.split('\n').filter(line => line.trim() !== '')
  const inSingleQuotes = escaped.replaceAll('\\"', '"').replaceAll("'", "\\'")
  return [[[value], [escaped], [inSingleQuotes], lines.map(line => line.trim())]]
}

/** Finds the first spelling that is in the text and overlaps no value that was found before. */
function findSpelling(text: string, spellings: Spellings, taken: readonly Span[]) {
  for (const parts of spellings) {
    const found = parts.map(part => findPart(text, part, taken))
    const spans = found.filter(span => span !== undefined)
    if (spans.length === parts.length) return spans
  }
  return undefined
}

function findPart(text: string, part: string, taken: readonly Span[]): Span | undefined {
  const isTaken = (at: number) => taken.some(({ from, to }) => at < to && from < at + part.length)
  // `4` is not the value 4 in `DE-8842`, nor in a number of its own.
  const isWordPart = (at: number) =>
    /\w/.test(text.charAt(at - 1)) || /\w/.test(text.charAt(at + part.length))
  const isScalar = /^[\w.-]+$/.test(part)
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (!isTaken(at) && !(isScalar && isWordPart(at))) return { from: at, to: at + part.length }
  }
  return undefined
}

/** A text with one damaged character of markup. */
export interface DamagedText {
  readonly kind: 'dropped' | 'doubled' | 'swapped' | 'inserted'
  /** Where in the text. */
  readonly at: number
  readonly text: string
}

/**
 * Damages a text in all ways: at each place outside of the values a character is dropped, doubled,
 * swapped with the next one, and each of `signs` is inserted between two characters of markup.
 */
export function* damageText(
  text: string,
  values: readonly Span[],
  signs: (at: number) => readonly string[],
): Generator<DamagedText> {
  const isValue = (at: number) => values.some(({ from, to }) => from <= at && at < to)
  for (let at = 0; at < text.length; at++) {
    if (isValue(at)) continue
    const [head, char, tail] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
    yield { kind: 'dropped', at, text: head + tail }
    yield { kind: 'doubled', at, text: head + char + char + tail }
    if (at + 1 === text.length || isValue(at + 1)) continue
    const next = text.charAt(at + 1)
    if (next !== char) yield { kind: 'swapped', at, text: head + next + char + tail.slice(1) }
    for (const sign of signs(at)) yield { kind: 'inserted', at, text: head + char + sign + tail }
  }
}
