import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { keyOf } from '../../src/live/record.js'
import { createStopHandler } from '../../src/live/stop-on-signal.js'
import { bench, createDirectory, readLines, readRecords, serve } from './bench.js'

const three = [
  '--filter',
  'single/thermometer',
  '--filter',
  'single/irrelevant-poem',
  '--reps',
  '1',
]

describe('an endpoint that fails now and then', () => {
  it.each([[[]], [['--stream']]])(
    'is asked again, and the results do not suffer %j',
    async flags => {
      const { baseUrl, requests } = await serve()
      const out = createDirectory()
      const args = [
        '--base-url',
        baseUrl,
        '--model',
        'flaky',
        '--protocols',
        'native,wire',
        '--reps',
        '1',
        '--out',
        out,
      ]
      const { exitCode } = await bench([...args, '--kind', 'agent', ...flags])
      const records = readRecords(out)
      expect(exitCode).toBe(0)
      expect(records.filter(({ outcome }) => outcome !== 'pass')).toEqual([])
      const tries = records.flatMap(({ exchanges }) => exchanges.map(each => each.tries))
      expect(Math.max(...tries)).toBeGreaterThan(1)
      expect(tries.reduce((sum, each) => sum + each, 0)).toBe(requests.length)
    },
  )

  it('makes runs that are not the fault of the model, which are tried again the next time', async () => {
    let isDown = true
    const { baseUrl } = await serve({
      intercept: ({ body }, response) => {
        if (!isDown || body.tools) return false
        response.writeHead(503).end('{}')
        return true
      },
    })
    const out = createDirectory()
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--retries',
      '1',
      '--out',
      out,
      ...three,
    ]
    const first = await bench(args)
    expect(first.exitCode).toBe(1)
    expect(first.stdout).toMatch(/^hermes +0\/0/m)
    expect(first.stdout).toContain('3 runs could not be made')
    expect(first.stderr).toContain('HTTP 503')
    isDown = false
    const second = await bench(args)
    expect(second.exitCode).toBe(0)
    expect(second.stderr).toContain('3 of 6 runs exist already')
    expect(second.stdout).toMatch(/^hermes +3\/3/m)
  })

  it('counts a request that is refused as a result', async () => {
    const { baseUrl } = await serve({
      intercept: ({ body }, response) => {
        if (!body.tools) return false
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end('{"error":{"message":"tools? no"}}')
        return true
      },
    })
    const out = createDirectory()
    const { exitCode } = await bench([
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--out',
      out,
      ...three,
    ])
    expect(exitCode).toBe(0)
    const native = readRecords(out).filter(({ protocol }) => protocol === 'native')
    expect(native[0]).toMatchObject({
      outcome: 'fail',
      reasons: ['the endpoint answered HTTP 400: tools? no'],
    })
  })

  it('makes a run again whose stream breaks off', async () => {
    const { baseUrl, requests } = await serve({
      intercept: (_, response, count) => {
        if (count > 2) return false
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('data: {"choices":[{"index":0,"delta":{"content":"half of "}}]}\n\n', () =>
          response.destroy(),
        )
        return true
      },
    })
    const out = createDirectory()
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--stream',
      '--protocols',
      'hermes',
      '--out',
      out,
    ]
    expect((await bench([...args, '--reps', '1', '--filter', 'single/thermometer'])).exitCode).toBe(
      0,
    )
    expect(requests.length).toBe(4)
    const [record] = readRecords(out)
    expect(record).toMatchObject({ outcome: 'pass', exchanges: [{ tries: 1 }] })
  })

  it('is given up on when nothing works', async () => {
    const { baseUrl, requests } = await serve({
      intercept: (_, response) => {
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"error":{"message":"no such model"}}')
        return true
      },
    })
    const out = createDirectory()
    const { exitCode, stderr } = await bench([
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--out',
      out,
    ])
    expect(exitCode).toBe(1)
    expect(stderr).toContain('gave up after 8 runs')
    expect(stderr).toContain('no such model')
    expect(requests).toHaveLength(8)
  })

  it('is named where it cannot be reached', async () => {
    const { baseUrl, close } = await serve()
    await close().catch(() => {})
    const out = createDirectory()
    const { exitCode, stderr } = await bench([
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--out',
      out,
    ])
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`The endpoint ${baseUrl} cannot be reached: connect ECONNREFUSED`)
    // The right address is not refused then because of the wrong one.
    const { baseUrl: right } = await serve()
    expect(
      (await bench(['--base-url', right, '--model', 'perfect', '--out', out, ...three])).exitCode,
    ).toBe(0)
  })

  it('may be changed as long as nothing was run on it', async () => {
    const out = createDirectory()
    writeFileSync(join(out, 'results.jsonl'), '{"type":"config","config":{"model":"other"}}\n')
    const { baseUrl } = await serve()
    expect(
      (await bench(['--base-url', baseUrl, '--model', 'perfect', '--out', out, ...three])).exitCode,
    ).toBe(0)
    expect(readLines(out)[0]).toContain('"maxSteps":16')
    expect(readLines(out)).toHaveLength(1 + 6)
  })

  it('fails a run that takes too long, and does not try it again', async () => {
    const { baseUrl } = await serve({ slowMs: 2000 })
    const out = createDirectory()
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'slow',
      '--protocols',
      'hermes',
      '--out',
      out,
      '--timeout',
      '0.1',
    ]
    await bench([...args, '--filter', 'single/thermometer', '--reps', '1'])
    for (const record of readRecords(out)) {
      expect(record).toMatchObject({ outcome: 'fail', reasons: ['took longer than 0.1 seconds'] })
    }
    expect(
      (await bench([...args, '--filter', 'single/thermometer', '--reps', '1'])).stderr,
    ).toContain('2 of 2 runs')
  })
})

describe('concurrency', () => {
  it.each([1, 3])('is never more than %d', async limit => {
    const { baseUrl, mostAtOnce } = await serve({ slowMs: 15 })
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'slow',
      '--out',
      createDirectory(),
      '--reps',
      '1',
    ]
    await bench([...args, '--filter', 'enum', '--concurrency', String(limit)])
    expect(mostAtOnce()).toBe(limit)
  })
})

describe('results that are there already', () => {
  const start = async () => {
    const server = await serve()
    const out = createDirectory()
    const args = ['--base-url', server.baseUrl, '--model', 'perfect', '--out', out, ...three]
    expect((await bench(args)).exitCode).toBe(0)
    return { ...server, out, args, file: join(out, 'results.jsonl') }
  }

  it('are not made again, and more repetitions and protocols are added to them', async () => {
    const { args, requests, out } = await start()
    const before = requests.length
    const again = await bench(args)
    expect(requests.length).toBe(before)
    expect(again.stdout).toMatch(/^hermes +3\/3/m)
    await bench([...args.slice(0, -2), '--reps', '2', '--protocols', 'native,hermes,wire'])
    const records = readRecords(out)
    expect(records).toHaveLength(3 * 3 * 2)
    expect(new Set(records.map(keyOf)).size).toBe(records.length)
  })

  it('are refused with other settings, which are named', async () => {
    const { args, requests } = await start()
    const before = requests.length
    const { exitCode, stderr } = await bench([
      ...args,
      '--temperature',
      '1',
      '--no-tool-descriptions',
    ])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('temperature: 0 there, 1 now')
    expect(stderr).toContain('hasToolDescriptions: true there, false now')
    expect(requests.length).toBe(before)
  })

  it('survive a last line that was cut off', async () => {
    const { args, file, requests, out } = await start()
    const whole = readFileSync(file, 'utf8')
    const lines = whole.trimEnd().split('\n')
    writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 40)}`)
    const before = requests.length
    const { exitCode, stderr } = await bench(args)
    expect(exitCode).toBe(0)
    expect(stderr).toContain('was cut off')
    expect(requests.length).toBe(before + 1)
    expect(readRecords(out)).toHaveLength(lines.length - 1)
  })

  it('survive lines that cannot be read, a cut first line, and an empty file', async () => {
    const { args, file, requests, out } = await start()
    const before = requests.length
    appendFileSync(file, '{"type":"run","task":1}\nnonsense\n')
    const { stderr } = await bench(args)
    expect(stderr).toContain('2 lines that cannot be read')
    expect(requests.length).toBe(before)
    for (const text of ['{"type":"conf', '']) {
      writeFileSync(file, text)
      expect((await bench(args)).exitCode).toBe(0)
      expect(readRecords(out)).toHaveLength(6)
    }
    writeFileSync(file, 'my notes\n')
    expect(await bench(args)).toMatchObject({ exitCode: 2 })
    expect(readFileSync(file, 'utf8')).toBe('my notes\n')
  })

  it('are made again where the task has changed since', async () => {
    const { args, file, requests } = await start()
    const [header, first = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(
      file,
      `${[header, first.replace(/"fingerprint":"\w+"/, '"fingerprint":"old"'), ...rest].join('\n')}\n`,
    )
    const before = requests.length
    await bench(args)
    expect(requests.length).toBe(before + 1)
  })
})

describe('Ctrl-C', () => {
  it('keeps what was done, writes the report, and the next start goes on', async () => {
    const { baseUrl } = await serve({ slowMs: 40 })
    const out = createDirectory()
    const controller = new AbortController()
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'slow',
      '--protocols',
      'hermes',
      '--reps',
      '1',
      '--out',
      out,
    ]
    const filter = ['--kind', 'single', '--concurrency', '2']
    const pending = bench([...args, ...filter], { signal: controller.signal })
    while (!existsSync(join(out, 'results.jsonl')) || readLines(out).length < 4) await sleep(5)
    controller.abort()
    const { exitCode, stdout } = await pending
    expect(exitCode).toBe(130)
    const done = readRecords(out)
    expect(done.length).toBeGreaterThanOrEqual(3)
    expect(done.every(({ outcome }) => outcome === 'pass')).toBe(true)
    expect(stdout).toMatch(/Stopped with \d+ of 32 runs/)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('Stopped before the end')
    const next = await bench([...args, ...filter])
    expect(next).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`${done.length} of 32 runs`),
    })
    expect(readRecords(out)).toHaveLength(32)
  })

  it('stops at first, and leaves when it is pressed again, not when npm hands the same one on', () => {
    const events: string[] = []
    let now = 1000
    const handle = createStopHandler({
      now: () => now,
      onStop: () => events.push('stop'),
      onLeave: () => events.push('leave'),
    })
    handle()
    now += 5
    handle()
    expect(events).toEqual(['stop'])
    now += 1000
    handle()
    expect(events).toEqual(['stop', 'leave'])
  })

  const cli = fileURLToPath(new URL('../../dist/bench-live.js', import.meta.url))
  it.skipIf(!existsSync(cli))(
    'ends the built program with 130 and a report, even if the signal comes twice',
    async () => {
      const { baseUrl } = await serve({ slowMs: 300 })
      const out = createDirectory()
      const args = [
        '--base-url',
        baseUrl,
        '--model',
        'slow',
        '--protocols',
        'hermes',
        '--reps',
        '1',
        '--out',
        out,
      ]
      const child = spawn(process.execPath, [cli, ...args, '--kind', 'single'])
      while (!existsSync(join(out, 'results.jsonl')) || readLines(out).length < 2) await sleep(20)
      child.kill('SIGINT')
      child.kill('SIGINT')
      expect(await once(child, 'exit')).toEqual([130, null])
      expect(readRecords(out).length).toBeGreaterThan(0)
      expect(existsSync(join(out, 'report.html'))).toBe(true)
    },
  )
})
