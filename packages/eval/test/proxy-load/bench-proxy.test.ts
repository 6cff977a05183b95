import { describe, expect, it } from 'vitest'
import { benchProxy } from '../../src/proxy-load/bench.js'
import { findProblem } from '../../src/proxy-load/client.js'
import { launchHere } from '../../src/proxy-load/launch.js'
import { createStreamText } from '../../src/proxy-load/stream-text.js'

describe('the load on the proxy', () => {
  it('brings every stream whole to who asked for it, through both subjects', async () => {
    const plan = { concurrency: 20, seconds: 0.2, tokens: 40, paceMs: 1 }
    const results = await benchProxy(plan, launchHere)
    expect(results.map(({ name }) => name)).toEqual(['pass-through', 'proxy'])
    for (const { errors, streams, calls, tokens, cpuMicrosPerToken } of results) {
      expect(errors).toEqual([])
      expect(streams).toBeGreaterThanOrEqual(plan.concurrency)
      expect(calls).toBeGreaterThan(0)
      expect(tokens).toBeGreaterThan(streams * 30)
      expect(cpuMicrosPerToken).toSatisfy(Number.isFinite)
    }
  })

  const body = (text: string, end = '"stop"') =>
    `data: ${JSON.stringify({ choices: [{ delta: { content: text }, finish_reason: null }] })}\n\n` +
    `data: {"choices":[{"delta":{},"finish_reason":${end}}]}\n\ndata: [DONE]\n\n`
  const options = { tokens: 20, hasCalls: true }

  it('sees a stream that is lost in part, mixed up or another one', () => {
    const { prose } = createStreamText(1, 20)
    expect(findProblem(body(prose), 1, options)).toBeUndefined()
    expect(findProblem(body(prose.replace(' ', '')), 1, options)).toContain('checksum')
    expect(findProblem(body(createStreamText(2, 20).prose), 1, options)).toContain('another stream')
    expect(findProblem(body(prose).replace('data: [DONE]', ''), 1, options)).toContain('no end')
    expect(findProblem(body(prose, '"length"'), 1, options)).toContain('finish')
  })

  it('sees a call that is missing', () => {
    const { prose } = createStreamText(4, 20)
    expect(findProblem(body(prose, '"tool_calls"'), 4, options)).toContain('the calls are []')
  })
})
