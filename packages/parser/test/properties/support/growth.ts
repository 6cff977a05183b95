import type { FunctionTool, ParserOptions } from '@toolglot/parser'
import type { EngineProtocol } from '../../../src/protocols/protocol.js'

export interface GrowthRequest {
  readonly protocol: EngineProtocol
  readonly tools: readonly FunctionTool[]
  /** The text at a given size. */
  readonly textOf: (chars: number) => string
  /**
   * The full size; smaller ones come first, so that what grows too fast is found before it takes
   * minutes.
   */
  readonly maxChars: number
  /** Size of the chunks; undefined for a single one. */
  readonly chunkChars?: number | undefined
  readonly options?: ParserOptions | undefined
}

const MIN_CHARS = 8192
/**
 * Below this there is nothing to complain of, and a collection of garbage weighs too much to say
 * more.
 */
const FAST_MS = 60
/** From a text to one four times as long: 4 is linear, 16 is quadratic. */
const MAX_RATIO = 8
const ATTEMPTS = 4
/** No machine is that busy; and measuring again would take as long again. */
const BEYOND_DOUBT_MS = 1500

/**
 * Says how the time grows where it grows much faster than the text; undefined where it does not.
 */
export function findBadGrowth(request: GrowthRequest): string | undefined {
  let quarterMs = measureMs(request, MIN_CHARS / 4)
  for (let chars = MIN_CHARS; chars <= request.maxChars; chars *= 4) {
    let ms = measureMs(request, chars)
    let attempts = 1
    // A busy machine makes one measurement slow, but hardly all of them.
    while (isBad(ms, quarterMs) && ms < BEYOND_DOUBT_MS && attempts++ < ATTEMPTS) {
      ms = Math.min(ms, measureMs(request, chars))
      quarterMs = Math.max(quarterMs, measureMs(request, chars / 4))
    }
    if (isBad(ms, quarterMs))
      return `${chars / 4} characters: ${quarterMs.toFixed(1)} ms, ${chars}: ${ms.toFixed(1)} ms`
    quarterMs = ms
  }
  return undefined
}

function isBad(ms: number, quarterMs: number): boolean {
  return ms > FAST_MS && ms > quarterMs * MAX_RATIO
}

function measureMs(
  { protocol, tools, textOf, chunkChars, options = {} }: GrowthRequest,
  chars: number,
): number {
  const text = flat(textOf(chars))
  const size = chunkChars ?? text.length
  const scanner = protocol.createScanner({ tools, options, emit: () => {} })
  const start = cpuMs()
  for (let at = 0; at < text.length; at += size) scanner.feed(text.slice(at, at + size))
  scanner.end()
  return cpuMs() - start
}

/**
 * Time that this process has worked: unlike the clock it does not run while others have the
 * machine.
 */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * A text in one piece of memory: what `repeat` and `+` leave behind is put together here, outside
 * of the measurement.
 */
function flat(text: string): string {
  text.charCodeAt(0)
  return text
}
