import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { protocolNames } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalogue } from '../../src/live/tasks/catalogue.js'
import { bench, createDirectory, readRecords, serve } from './bench.js'

const everything = ['native', ...protocolNames()]
const failures = (out: string) =>
  readRecords(out).flatMap(({ outcome, task, protocol, reasons, exchanges }) =>
    outcome === 'pass' ? [] : [{ task, protocol, reasons, raw: exchanges.map(({ answer }) => answer.text) }],
  )

describe('a benchmark on an endpoint', () => {
  it.each([[[]], [['--stream']]])('passes every task with a perfect model, in every protocol %j', async flags => {
    const { baseUrl } = await serve()
    const out = createDirectory()
    const args = ['--base-url', baseUrl, '--model', 'perfect', '--protocols', everything.join(','), '--reps', '1']
    const { exitCode, stdout, stderr } = await bench([...args, '--concurrency', '4', '--out', out, ...flags])
    expect(failures(out)).toEqual([])
    expect(exitCode, stderr).toBe(0)
    expect(readRecords(out)).toHaveLength(everything.length * catalogue.length)
    for (const name of everything)
      expect(stdout).toMatch(new RegExp(`^${name} +${catalogue.length}/${catalogue.length} +100\\.0 %`, 'm'))
    for (const record of readRecords(out)) {
      expect(record.inputTokens).toBeGreaterThan(0)
      expect(record.outputTokens).toBeGreaterThan(0)
      expect(record.exchanges).toHaveLength(record.steps)
      for (const { requestBytes } of record.exchanges) expect(requestBytes).toBeGreaterThan(100)
    }
  })
  it.each(
    protocolNames().flatMap(protocol =>
      (['sloppy', 'unclosed', 'chatty'] as const).map(manner => ({ protocol, manner })),
    ),
  )('sees how $protocol copes with a $manner model', async ({ protocol, manner }) => {
    const { baseUrl } = await serve()
    const out = createDirectory()
    await bench([
      '--base-url',
      baseUrl,
      '--model',
      manner,
      '--protocols',
      protocol,
      '--reps',
      '1',
      '--concurrency',
      '4',
      '--out',
      out,
    ])
    expect(failures(out)).toEqual([])
  })
})
