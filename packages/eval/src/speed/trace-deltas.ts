import type { Contestant } from './contestants.js'
import { createCode } from './corpus.js'
import { median } from './measure.js'
import { textOf } from './outcome.js'
import { CHUNK_CHARS, createSteppedSource } from './part-source.js'

/** When the deltas of a large argument are emitted. */
export interface DeltaTrace {
  /**
   * The number of chunks between the value's first character and the first delta with text of the
   * value; the worst over all positions of that character in its chunk. Undefined without a delta.
   */
  readonly firstDeltaChunks: number | undefined
  readonly deltaCount: number
  /** The share of the input that was read at the first and at the median delta, from 0 to 1. */
  readonly firstAt: number | undefined
  readonly medianAt: number | undefined
}

/** The first character of the value. It does not occur before the value. */
const VALUE_START = 'Z'

export async function traceDeltas(contestant: Contestant, chars: number): Promise<DeltaTrace> {
  const content = VALUE_START + createCode(chars - 1)
  const call = contestant.formatCall({
    toolName: 'write_file',
    args: { path: 'src/count-words.ts', content },
  })
  const lags: (number | undefined)[] = []
  let positions: number[] = []
  for (let shift = 0; shift < CHUNK_CHARS; shift++) {
    const text = `I write the file${'.'.repeat(shift + 1)}\n${call}`
    const trace = await traceOnce(contestant, text)
    lags.push(trace.lag)
    positions = trace.positions
  }
  const known = lags.filter(lag => lag !== undefined)
  return {
    firstDeltaChunks: known.length === lags.length ? Math.max(...known) : undefined,
    deltaCount: positions.length,
    firstAt: positions[0],
    medianAt: positions.length ? median(positions) : undefined,
  }
}

async function traceOnce(
  contestant: Contestant,
  text: string,
): Promise<{ lag: number | undefined; positions: number[] }> {
  const valueChunk = Math.floor(text.indexOf(VALUE_START) / CHUNK_CHARS)
  const chunkCount = Math.ceil(text.length / CHUNK_CHARS)
  const { stream, givenChunks } = createSteppedSource(text)
  const reader = (await contestant.open(stream)).getReader()
  const positions: number[] = []
  let lag: number | undefined
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { lag, positions }
    if (value.type !== 'tool-input-delta') continue
    positions.push(givenChunks() / chunkCount)
    if (textOf(value, 'delta').includes(VALUE_START)) lag ??= givenChunks() - 1 - valueChunk
  }
}
