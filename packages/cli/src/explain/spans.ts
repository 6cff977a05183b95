import type { CallEndEvent, EngineEvent } from '@toolglot/parser/protocol'
import { isRecord } from '../is-record.js'

export const spanTypes = ['text', 'reasoning', 'markup', 'name', 'arguments', 'problem'] as const
export type SpanType = (typeof spanTypes)[number]

/** A part of the text, from `start` up to `end`. */
export interface Span {
  readonly type: SpanType
  readonly start: number
  readonly end: number
}

/** Returns what each character of the text is. */
export function findSpans(text: string, events: readonly EngineEvent[]): Span[] {
  const fixed: Span[] = []
  for (const event of events) {
    if (event.type === 'call-end') fixed.push(...spansOfCall(event))
    else if (event.type === 'markup') {
      fixed.push({ type: 'markup', start: event.offset, end: event.offset + event.raw.length })
    }
  }
  fixed.sort((a, b) => a.start - b.start)
  return [...fixed, ...findTexts(text, fixed, events)]
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start)
}

/**
 * Finds the offsets of text and reasoning, whose events have none. They are between calls and
 * markup, in order; only whitespace may be missing, which the parser dropped.
 */
function findTexts(text: string, fixed: readonly Span[], events: readonly EngineEvent[]): Span[] {
  const gaps: { readonly start: number; readonly at: number; readonly length: number }[] = []
  let rest = ''
  let last = 0
  for (const { start, end } of [...fixed, { start: text.length, end: text.length }]) {
    if (start > last) {
      gaps.push({ start: last, at: rest.length, length: start - last })
      rest += text.slice(last, start)
    }
    last = Math.max(last, end)
  }
  const spans: Span[] = []
  let gapIndex = 0
  /** Adds the spans of a range of `rest`, at its offsets in the text. */
  const put = (type: SpanType, from: number, to: number) => {
    for (let at = from; at < to; ) {
      let gap = gaps[gapIndex]
      while (gap && at >= gap.at + gap.length) gap = gaps[++gapIndex]
      if (!gap) return
      const end = Math.min(to, gap.at + gap.length)
      const start = gap.start + at - gap.at
      const before = spans.at(-1)
      if (before?.type === type && before.end === start) {
        spans[spans.length - 1] = { ...before, end: start + end - at }
      } else spans.push({ type, start, end: start + end - at })
      at = end
    }
  }
  let cursor = 0
  for (const event of events) {
    if (event.type !== 'text' && event.type !== 'reasoning') continue
    const found = rest.indexOf(event.text, cursor)
    // Only whitespace may be skipped; otherwise the text was found at the wrong place.
    if (found < 0 || /\S/.test(rest.slice(cursor, found))) continue
    put('markup', cursor, found)
    put(event.type, found, found + event.text.length)
    cursor = found + event.text.length
  }
  put(/\S/.test(rest.slice(cursor)) ? 'text' : 'markup', cursor, rest.length)
  return spans
}

/** Splits a call into its markup, the tool's name and the values of its arguments. */
function spansOfCall({ toolName, input, raw, offset, problem }: CallEndEvent): Span[] {
  const other: SpanType = problem ? 'problem' : 'markup'
  const inner: Span[] = []
  let cursor = 0
  const add = (type: SpanType, texts: readonly string[]) => {
    const places = texts
      .filter(text => text !== '')
      .map(text => ({ at: raw.indexOf(text, cursor), length: text.length }))
      .filter(({ at }) => at >= 0)
    const [first] = places.sort((a, b) => a.at - b.at || b.length - a.length)
    if (!first) return
    cursor = first.at + first.length
    if (type !== other) inner.push({ type, start: first.at, end: cursor })
  }
  const addValue = (value: unknown) => {
    if (Array.isArray(value)) return value.forEach(addValue)
    if (!isRecord(value)) return add('arguments', spellings(value))
    for (const [key, each] of Object.entries(value)) {
      // The key is found only to move on to its value.
      add(other, [key])
      addValue(each)
    }
  }
  add('name', [toolName])
  addValue(parseJson(input))
  const spans: Span[] = []
  let at = 0
  for (const span of inner) {
    spans.push({ type: other, start: offset + at, end: offset + span.start })
    spans.push({ type: span.type, start: offset + span.start, end: offset + span.end })
    at = span.end
  }
  return [...spans, { type: other, start: offset + at, end: offset + raw.length }]
}

/** Returns how a value may be written: as it is, in JSON, in Python. */
function spellings(value: unknown): string[] {
  if (typeof value === 'string') {
    const json = JSON.stringify(value).slice(1, -1)
    const lines = value.replace(/\n$/, '')
    return [
      value,
      json,
      lines,
      json.replaceAll('/', '\\/'),
      value.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    ]
  }
  if (value === null) return ['null', 'None']
  if (typeof value === 'boolean') return value ? ['true', 'True'] : ['false', 'False']
  return [String(value)]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
