import type { CallOutput } from './grammar.js'

type Calls = Pick<CallOutput, 'tools' | 'maxHeldChars' | 'beginCall' | 'endCall'>

const ignore = () => {}

/**
 * An output for a reader that only tries whether there is a call: nothing is emitted, and the text
 * around the call is not known. `calls` takes its calls.
 */
export const createQuietOutput = (calls: Calls & Partial<CallOutput>): CallOutput => ({
  report: ignore,
  reportText: ignore,
  emitMarkup: ignore,
  emitText: ignore,
  appendRaw: ignore,
  textBefore: () => '',
  isLineStart: false,
  rewind: ignore,
  mayReadAgain: () => false,
  isTextStart: false,
  isAfterCall: false,
  ...calls,
})
