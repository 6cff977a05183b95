import type { Body, CallPort, Mark } from '../body.js'
import type { Markup } from './markup.js'

/** What stands around calls. */
export interface Section {
  readonly open: string
  readonly close: string
}

export interface SectionOptions {
  readonly section: Section | undefined
  /** What opens a call. */
  readonly open: string
  readonly begin: () => void
  /** Marks between the calls that mean nothing. */
  readonly fillers?: readonly string[] | undefined
  /** Reads JSON in place of the calls. */
  readonly createEnvelope?: (() => Body) | undefined
}

/** Takes what stands between the calls of a section; a call that stands alone may have lost its section's open mark. */
export function betweenCalls(
  { readMark, claim, finish, leave, handOver, hasCalled }: Markup,
  { section, open, begin, fillers = [], createEnvelope }: SectionOptions,
): (char: string) => void {
  const marks = [...(section ? [section.close] : []), open, ...fillers]
  return char => {
    const found = readMark(char, marks)
    if (found === undefined) return
    if (fillers.includes(found)) return hasCalled() ? claim() : undefined
    if (found === open) begin()
    else if (found === section?.close) finish('done')
    else if (createEnvelope && !hasCalled() && (found === '{' || found === '[')) handOver(createEnvelope(), found)
    else leave()
  }
}

/** Marks of calls in sections, or alone. */
export function sectionMarks(
  section: Section | undefined,
  open: string,
  createBody: (port: CallPort, isInSection: boolean) => Body,
): Mark[] {
  const call = { text: open, createBody: (port: CallPort) => createBody(port, false) }
  return section ? [{ text: section.open, createBody: port => createBody(port, true) }, call] : [call]
}
