import { describe, expect, it } from 'vitest'
import { type Contestant, createContestants } from '../src/speed/contestants.js'
import { createCode, createProse } from '../src/speed/corpus.js'
import { createSeries, median } from '../src/speed/measure.js'
import { cpuMs } from '../src/speed/part-source.js'
import { renderTable } from '../src/speed/render-table.js'
import { runSpeed } from '../src/speed/run-speed.js'
import { traceDeltas } from '../src/speed/trace-deltas.js'
import {
  createArgumentWorkload,
  createCallsWorkload,
  createTextWorkload,
  type Plan,
} from '../src/speed/workloads.js'

const tinyPlan: Plan = {
  textChars: 2000,
  callCount: 5,
  smallChars: 200,
  mediumChars: 400,
  largeChars: 1600,
  streamedChars: 400,
  minChars: 1,
  warmUpRuns: 1,
  repetitions: 2,
  capMs: 20_000,
  slowMs: 20_000,
}
const own = createContestants().filter(contestant => !contestant.isPeer)

describe('the speed benchmark', () => {
  it('measures every protocol, verifies the results and renders a table', async () => {
    const result = await runSpeed(createContestants(), tinyPlan)
    for (const {
      isPeer,
      text,
      calls,
      smallArgument,
      mediumArgument,
      largeArgument,
      growth,
    } of result.contestants) {
      for (const cost of [text, calls, smallArgument, mediumArgument, largeArgument]) {
        expect(cost.ratio).toSatisfy(Number.isFinite)
        expect(cost.repetitions).toBe(2)
        if (!isPeer) expect(cost.problem).toBeUndefined()
      }
      expect(growth).toSatisfy(Number.isFinite)
    }
    const table = renderTable(result)
    for (const { name } of [...result.contestants, ...result.idle]) expect(table).toContain(name)
    expect(table).toContain(process.version)
    expect(table).not.toContain('NaN')
  })

  it.each(own)('finds the first delta of $name within two chunks', async contestant => {
    const trace = await traceDeltas(contestant, 400)
    expect(trace.firstDeltaChunks).toBeLessThanOrEqual(2)
    expect(trace.firstAt).toBeLessThan(0.5)
  })

  it('says what is wrong with a wrong result', () => {
    const { check } = createTextWorkload(100)
    expect(check({ text: createProse(99), calls: [] })).toContain('text differs at 99')
    const call = { toolName: 'write_file', input: '{}', streamedInput: '{}' }
    expect(createArgumentWorkload(10).check({ text: '', calls: [call] })).toContain('path')
    expect(createArgumentWorkload(10).check({ text: '', calls: [] })).toContain(
      '0 calls instead of 1',
    )
    expect(createCallsWorkload(2).check({ text: '', calls: [] })).toContain('0 calls instead of 2')
  })

  it('stops a run at the time cap and does not repeat it', async () => {
    const slow: Contestant['open'] = async source =>
      source.pipeThrough(
        new TransformStream({
          transform: (part, controller) => {
            const end = cpuMs() + 0.1
            while (cpuMs() < end);
            controller.enqueue(part)
          },
        }),
      )
    const series = createSeries(slow, createCode(12_000), () => undefined, {
      ...tinyPlan,
      capMs: 100,
      slowMs: 100,
    })
    await series.step()
    await series.step()
    expect(series.cost()).toMatchObject({ isCapped: true, repetitions: 1 })
  })

  it('takes the median', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(median([])).toBeNaN()
  })
})
