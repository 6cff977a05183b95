import { jsonCalls } from '../../src/engine/json/json-calls.js'
import { lineBreak, type ReasoningEndSearch } from '../../src/engine/reasoning-end.js'
import type { ReasoningMark } from '../../src/engine/reasoning-marks.js'
import { createSource } from '../../src/engine/source.js'
import type { Reading } from '../../src/engine/text/cursor.js'
import { createMarkFinder } from '../../src/engine/text/find-mark.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'

const thinkMark = { isKept: false, isMentionable: true }

export const openThink: ReasoningMark = { ...thinkMark, text: '<think>', direction: 'in' }
export const closeThink: ReasoningMark = { ...thinkMark, text: '</think>', direction: 'out' }

export const tools = createToolShapes([{ type: 'function', name: 'f', inputSchema: {} }])

/** The marks of calls such as `<call>{"name": "f", "arguments": {}}</call>`. */
export const callMarks = jsonCalls({ open: '<call>', close: '</call>' })(tools)

const find = createMarkFinder([closeThink, ...callMarks, lineBreak])

export interface SearchOptions {
  /** The text that was read before. */
  readonly before?: string
  readonly isCut?: boolean
  readonly mayReadAgain?: boolean
}

/** Lets a reader that looks for the end of reasoning read chunks. `offset` is where it stopped. */
export function searchReasoning<Result>(
  read: (search: ReasoningEndSearch) => Reading<Result>,
  chunks: readonly string[],
  { before = '', isCut = false, mayReadAgain = true }: SearchOptions = {},
): { result: Result | undefined; offset: number } {
  const source = createSource()
  const { cursor } = source
  source.append(before, false)
  cursor.at = before.length
  source.beginRaw()
  const reading = read({
    cursor,
    tools,
    maxHeldChars: 10_000,
    find,
    rewind: source.rewindRaw,
    mayReadAgain: () => mayReadAgain,
  })
  let step: IteratorResult<undefined, Result> | undefined
  for (const chunk of chunks) {
    source.append(chunk, true)
    if (!step?.done) step = reading.next()
  }
  cursor.isFinal = true
  cursor.isTruncated = isCut
  if (!step?.done) step = reading.next()
  return { result: step.done ? step.value : undefined, offset: source.offset() }
}
