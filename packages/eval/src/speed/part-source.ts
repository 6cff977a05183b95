/** The parts of a provider's stream (AI SDK 6) that the benchmark needs. */
export type SourcePart =
  | { type: 'stream-start'; warnings: [] }
  | { type: 'text-start'; id: string }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string }
  | { type: 'finish'; finishReason: { unified: 'stop'; raw: string }; usage: Usage }

interface Usage {
  inputTokens: { total: number; noCache: number; cacheRead: undefined; cacheWrite: undefined }
  outputTokens: { total: number; text: number; reasoning: undefined }
}

export const CHUNK_CHARS = 4
const TEXT_ID = 'text-1'
/**
 * The number of parts between two checks of the clock: reading the CPU time takes ten microseconds
 * or more.
 */
const PARTS_PER_CLOCK_CHECK = 2048

/** Returns the parts of a text one by one; undefined after the last. */
export interface PartFeed {
  next(): SourcePart | undefined
  /** The number of text chunks that were returned. */
  givenChunks(): number
}

export function createPartFeed(text: string): PartFeed {
  const chunkCount = Math.ceil(text.length / CHUNK_CHARS)
  /** Two parts come before the chunks, two after them. */
  let at = -2
  return {
    next() {
      const i = at++
      if (i >= 0 && i < chunkCount) {
        return {
          type: 'text-delta',
          id: TEXT_ID,
          delta: text.slice(i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS),
        }
      }
      if (i === -2) return { type: 'stream-start', warnings: [] }
      if (i === -1) return { type: 'text-start', id: TEXT_ID }
      if (i === chunkCount) return { type: 'text-end', id: TEXT_ID }
      if (i === chunkCount + 1) return finishPart(chunkCount)
      return undefined
    },
    givenChunks: () => Math.min(Math.max(at, 0), chunkCount),
  }
}

function finishPart(chunkCount: number): SourcePart {
  return {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: chunkCount, text: chunkCount, reasoning: undefined },
    },
  }
}

/**
 * The clock of the benchmark: the CPU time of this process. On an idle machine it equals the wall
 * time; on a busy one it excludes the time of other processes.
 */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** A run took longer than the cap. */
export class TimeCapError extends Error {
  override name = 'TimeCapError'
}

/**
 * A source that creates one part per pull. To enqueue everything at the start would be quadratic on
 * Node 20. After the deadline the source fails; a timer could not stop the run, because streams
 * never leave the microtask queue.
 */
export function createPullSource(
  text: string,
  deadline = Number.POSITIVE_INFINITY,
): ReadableStream<SourcePart> {
  const feed = createPartFeed(text)
  let untilClockCheck = PARTS_PER_CLOCK_CHECK
  return new ReadableStream<SourcePart>({
    pull(controller) {
      if (--untilClockCheck === 0) {
        untilClockCheck = PARTS_PER_CLOCK_CHECK
        if (cpuMs() > deadline) return controller.error(new TimeCapError('the run took too long'))
      }
      const part = feed.next()
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}

/**
 * A source that waits before each part until all effects of the last one are done. The reader then
 * knows which chunk caused a part.
 */
export function createSteppedSource(text: string): {
  stream: ReadableStream<SourcePart>
  givenChunks(): number
} {
  const feed = createPartFeed(text)
  const stream = new ReadableStream<SourcePart>(
    {
      async pull(controller) {
        await new Promise(resolve => setImmediate(resolve))
        const part = feed.next()
        if (part) controller.enqueue(part)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, givenChunks: feed.givenChunks }
}
