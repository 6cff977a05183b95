import { isDeepStrictEqual } from 'node:util'
import { getProtocol, type Tolerance, type ToolCall } from '@toolglot/parser'
import { type EngineProtocol, isEngineProtocol } from '@toolglot/parser/protocol'
import { createRandom } from '../random.js'
import { type DamagedText, damageText, findValues } from './damage-text.js'
import { isAccepted, type SampleCalls, sampleAnswers, sampleTools } from './samples.js'

/** What became of damaged texts. */
export interface DamageCount {
  texts: number
  /** All calls that were meant run, and no other. */
  right: number
  /** A call runs that nobody wrote. */
  wrong: number
}

/** What became of the damaged texts of one format, and the texts that ran wrong. */
export interface FormatDamage {
  readonly protocol: string
  readonly safe: DamageCount
  readonly eager: DamageCount
  /** The texts that run a wrong call with the tolerance `safe`. */
  readonly wrongTexts: readonly ReadText[]
  /** The texts that run the right calls with `eager`, and not with `safe`. */
  readonly lostTexts: readonly ReadText[]
}

/** A damaged text, and what became of it. */
export interface ReadText extends DamagedText {
  /** The calls that run with the tolerance `safe`. */
  readonly calls: SampleCalls
}

/** How many signs are inserted at each place. */
const SIGNS_PER_PLACE = 1

/** Damages the sample calls in a format, one text in `every`, and reads what came of it. */
export function measureDamage(name: string, every: number): FormatDamage {
  const protocol = getProtocol(name)
  if (!isEngineProtocol(protocol)) throw new TypeError(`${name} is not read by the engine`)
  const safe = { texts: 0, right: 0, wrong: 0 }
  const eager = { texts: 0, right: 0, wrong: 0 }
  const wrongTexts: ReadText[] = []
  const lostTexts: ReadText[] = []
  const random = createRandom(name)
  for (const meant of sampleAnswers) {
    for (const damaged of damageAnswer(protocol, meant, random)) {
      if (random() * every >= 1) continue
      const byEager = count(eager, meant, runCalls(protocol, damaged.text, 'eager'))
      const calls = runCalls(protocol, damaged.text, 'safe')
      const bySafe = count(safe, meant, calls)
      if (bySafe === 'wrong') wrongTexts.push({ ...damaged, calls })
      else if (bySafe !== 'right' && byEager === 'right') lostTexts.push({ ...damaged, calls })
    }
  }
  return { protocol: name, safe, eager, wrongTexts, lostTexts }
}

/** Writes calls in the format. */
export function writeAnswer(protocol: EngineProtocol, calls: SampleCalls): string {
  const written: ToolCall[] = calls.map((call, i) => ({ ...call, toolCallId: `call_${i}` }))
  const context = { tools: sampleTools }
  if (protocol.formatToolCalls) return protocol.formatToolCalls(written, context)
  return written.map(call => protocol.formatToolCall(call, context)).join('\n')
}

function* damageAnswer(
  protocol: EngineProtocol,
  calls: SampleCalls,
  random: () => number,
): Generator<DamagedText> {
  const text = writeAnswer(protocol, calls)
  const values = findValues(
    text,
    calls.map(call => call.input),
  )
  if (!values) throw new Error(`not all values were found in ${text}`)
  const markup = [...text].filter((_, at) => !values.some(({ from, to }) => from <= at && at < to))
  const pick = () => markup[Math.floor(random() * markup.length)] ?? ' '
  yield* damageText(text, values, () => Array.from({ length: SIGNS_PER_PLACE }, pick))
}

/** Returns the calls that an application would run: valid ones that its schemas accept. */
export function runCalls(
  protocol: EngineProtocol,
  text: string,
  tolerance: Tolerance,
): SampleCalls {
  const calls: { toolName: string; input: unknown }[] = []
  const scanner = protocol.createScanner({
    tools: sampleTools,
    options: { tolerance },
    emit(event) {
      if (event.type !== 'call-end' || event.problem) return
      const input: unknown = JSON.parse(event.input)
      if (isAccepted(event.toolName, input)) calls.push({ toolName: event.toolName, input })
    },
  })
  scanner.feed(text)
  scanner.end()
  return calls
}

function count(
  counts: DamageCount,
  meant: SampleCalls,
  calls: SampleCalls,
): 'right' | 'wrong' | 'less' {
  counts.texts++
  if (isDeepStrictEqual(calls, meant)) {
    counts.right++
    return 'right'
  }
  const wasMeant = (call: SampleCalls[number]) => meant.some(each => isDeepStrictEqual(each, call))
  if (calls.every(wasMeant)) return 'less'
  counts.wrong++
  return 'wrong'
}

/** Adds up what was counted for several formats. */
export function addCounts(counts: readonly DamageCount[]): DamageCount {
  return {
    texts: counts.reduce((sum, each) => sum + each.texts, 0),
    right: counts.reduce((sum, each) => sum + each.right, 0),
    wrong: counts.reduce((sum, each) => sum + each.wrong, 0),
  }
}
