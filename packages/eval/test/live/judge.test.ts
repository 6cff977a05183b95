import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readVerdict } from '../../src/live/judge.js'
import { bench, createDirectory, readRecords, serve } from './bench.js'
import { textOf } from './scripted-server.js'

describe('the judge', () => {
  it('takes the last verdict', () => {
    expect(readVerdict('Could be VERDICT: right, but no.\nVERDICT: wrong')).toBe('wrong')
    expect(readVerdict('**Verdict:** Right')).toBe('right')
    expect(readVerdict('I like it.')).toBe('unclear')
  })

  it('grades answers of agent tasks separately from the check, and sees neither check nor protocol', async () => {
    const judge = await serve({
      play: ({ messages }) => {
        const isRight = textOf(messages.at(-1)?.content).includes('<answer_to_grade>\nThe bookshop')
        return { text: `Hm. VERDICT: ${isRight ? 'right' : 'wrong'}`, toolCalls: [] }
      },
    })
    const { baseUrl } = await serve()
    const out = createDirectory()
    const target = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--protocols',
      'hermes',
      '--reps',
      '1',
      '--out',
      out,
    ]
    const filter = ['--filter', 'agent/bank', '--filter', 'single/thermometer']
    const flags = ['--judge-model', 'strict', '--judge-base-url', judge.baseUrl]
    const env = {
      TOOLGLOT_API_KEY: 'key-of-the-endpoint',
      TOOLGLOT_JUDGE_API_KEY: 'key-of-the-judge',
    }
    const { exitCode, stdout } = await bench([...target, ...filter, ...flags], { env })
    expect(exitCode).toBe(0)
    const verdicts = readRecords(out).map(({ task, outcome, judge }) => [
      task,
      outcome,
      judge?.verdict,
    ])
    expect(verdicts).toContainEqual(['agent/bank-duplicate', 'pass', 'right'])
    expect(verdicts).toContainEqual(['agent/bank-rent', 'pass', 'wrong'])
    expect(verdicts).toContainEqual(['single/thermometer', 'pass', undefined])
    expect(stdout).toMatch(/judge\n/)
    expect(stdout).toContain('50.0 %')
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('by the judge')
    expect(judge.requests).toHaveLength(2)
    for (const { raw, authorization, body } of judge.requests) {
      expect(raw).not.toMatch(/hermes|tool_call/)
      expect(body.model).toBe('strict')
      expect(authorization).toBe('Bearer key-of-the-judge')
    }
  })

  it('that fails does not make the run fail, and never gets the key of another endpoint', async () => {
    const judge = await serve({
      intercept: (_, response) => {
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"no"}}')
        return true
      },
    })
    const { baseUrl } = await serve()
    const out = createDirectory()
    const target = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--protocols',
      'hermes',
      '--reps',
      '1',
      '--out',
      out,
    ]
    const flags = [
      '--filter',
      'agent/bank-rent',
      '--judge-model',
      'x',
      '--judge-base-url',
      judge.baseUrl,
    ]
    await bench([...target, ...flags], { env: { TOOLGLOT_API_KEY: 'key-of-the-endpoint' } })
    expect(readRecords(out)).toMatchObject([{ outcome: 'pass', judge: { verdict: 'failed' } }])
    expect(judge.requests[0]?.authorization).toBeUndefined()
  })
})
