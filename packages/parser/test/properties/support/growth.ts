import { chunksOf } from '../../support/chunks.js'
import { stepsSoFar } from './count-steps.js'

export interface GrowthRequest {
  /** Reads the chunks of a text. */
  readonly read: (chunks: readonly string[]) => void
  /** The text at a given size. */
  readonly textOf: (chars: number) => string
  /** Size of the chunks; undefined for a single one. */
  readonly chunkChars?: number | undefined
}

/** Above the look-ahead limit of 1,024 characters, up to which the work may grow faster. */
const MIN_CHARS = 2048
const MAX_CHARS = 131_072
/** From a text to one four times as long: 4 is linear, 16 is quadratic. */
const MAX_RATIO = 6

/**
 * Says how the work grows if it grows faster than the text at every size; undefined if it does not.
 * A limit that only a longer text reaches makes the work of shorter ones grow faster, so that a
 * longer text is read before anything is said.
 */
export function findBadGrowth(request: GrowthRequest): string | undefined {
  let quarterSteps = stepsOf(request, MIN_CHARS)
  const measured = [`${MIN_CHARS} characters: ${quarterSteps} steps`]
  for (let chars = 4 * MIN_CHARS; chars <= MAX_CHARS; chars *= 4) {
    const steps = stepsOf(request, chars)
    if (steps <= quarterSteps * MAX_RATIO) return undefined
    measured.push(`${chars}: ${steps}`)
    quarterSteps = steps
  }
  return measured.join(', ')
}

function stepsOf({ read, textOf, chunkChars }: GrowthRequest, chars: number): number {
  const text = textOf(chars)
  const chunks = chunksOf(text, chunkChars ?? text.length)
  const before = stepsSoFar()
  read(chunks)
  return stepsSoFar() - before
}
