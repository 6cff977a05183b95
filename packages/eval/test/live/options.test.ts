import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { withoutDescriptions } from '../../src/live/ablate-tools.js'
import { catalogue } from '../../src/live/tasks/catalogue.js'
import { bench } from './bench.js'

const target = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'm']

describe('the options', () => {
  it.each([
    [[], '--base-url is missing'],
    [['--base-url', 'http://127.0.0.1:9/v1'], '--model is missing'],
    [
      [...target, '--protocols', 'hermes,telepathy'],
      'unknown protocol "telepathy". Choose from: native, hermes',
    ],
    [[...target, '--protocols', ','], '--protocols is empty'],
    [[...target, '--models', 'a,b'], '--model and --models cannot be used together'],
    [['--base-url', 'http://127.0.0.1:9/v1', '--models', ' , '], '--models is empty'],
    [
      [...target, '--cases', 'single/thermometr'],
      'unknown task "single/thermometr". The closest one is single/thermometer;',
    ],
    [
      [...target, '--cases', 'single/thermometer,bank-rnt'],
      'unknown task "bank-rnt". The closest one is agent/bank-rent;',
    ],
    [[...target, '--cases', 'thermometer'], 'The closest one is single/thermometer;'],
    [[...target, '--cases', 'single/thermometer', '--kind', 'agent'], 'No task matches'],
    [
      [...target, '--ablation', 'manual'],
      'one of: syntax=json, no-manual, placement=first, placement=last',
    ],
    [
      [...target, '--ablation', 'no-manual', '--protocols', 'native,hermes'],
      'none of wire, compact_json, line',
    ],
    [
      [...target, '--ablation', 'syntax=json', '--protocols', 'hermes,compact_json'],
      'needs the protocol wire or line',
    ],
    [
      [...target, '--ablation', 'placement=last', '--protocols', 'native'],
      '--protocols contains only native',
    ],
    [
      [...target, '--ablation', 'placement=first', '--placement', 'first'],
      'changes nothing: the rows without it',
    ],
    [
      [...target, '--ablation', 'placement=first', '--ablation', 'placement=last'],
      'changes nothing',
    ],
    [
      [...target, '--resume', 'x.jsonl', '--out', 'y'],
      '--resume and --out cannot be used together',
    ],
    [
      [...target, '--resume', '/no/such/results.jsonl'],
      'the file /no/such/results.jsonl does not exist',
    ],
    [[...target, '--reps', '0'], '--reps is "0"; expected a whole number of at least 1'],
    [[...target, '--reps', '1.5'], '--reps is "1.5"'],
    [[...target, '--temperature', 'warm'], '--temperature is "warm"'],
    [[...target, '--timeout', '0'], '--timeout is "0"'],
    [[...target, '--concurrency', '-1'], '--concurrency'],
    [[...target, '--placement', 'middle'], 'expected one of: first, last'],
    [[...target, '--tool-choice', 'none'], 'expected one of: auto, required'],
    [[...target, '--kind', 'double'], 'expected one of: single, agent, bfcl'],
    [[...target, '--kind', 'bfcl'], '--kind bfcl needs --bfcl'],
    [[...target, '--bfcl-limit', '3'], '--bfcl-limit needs --bfcl'],
    [
      [...target, '--bfcl', '/no/such/directory'],
      'the directory /no/such/directory does not exist',
    ],
    [[...target, '--system', 'x', '--no-system'], 'cannot be used together'],
    [[...target, '--distractors', '1000'], 'from 0 to'],
    [[...target, '--judge-base-url', 'http://x/v1'], 'needs --judge-model'],
    [[...target, '--filter', 'nothing like this'], 'No task matches'],
    [[...target, '--speed'], "Unknown option '--speed'"],
    [[...target, 'hermes'], 'hermes'],
    [['--base-url', 'localhost', '--model', 'm'], 'expected a URL like http://localhost:8080/v1'],
    [
      ['--base-url', 'http://me:secret@host/v1', '--model', 'm'],
      'must not contain a user, a password',
    ],
    [['--base-url', 'http://host/v1?key=1', '--model', 'm'], 'must not contain a user, a password'],
  ])('are refused where they are wrong: %j', async (argv, message) => {
    const { exitCode, stdout, stderr } = await bench(argv)
    expect(stderr).toContain(message)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('are explained by --help, with the protocols that there are', async () => {
    const { exitCode, stdout } = await bench(['--help'])
    expect(exitCode).toBe(0)
    for (const name of listProtocols()) expect(stdout).toContain(name)
    expect(stdout).not.toMatch(/\{\w+\}/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(160)
  })

  it('list the tasks without an endpoint', async () => {
    const all = await bench(['--list'])
    expect(all.exitCode).toBe(0)
    for (const { id } of catalogue) expect(all.stdout).toContain(id)
    const some = await bench(['--list', '--kind', 'agent', '--filter', 'bank'])
    expect(some.stdout).toBe('agent/bank-rent       bank\nagent/bank-duplicate  bank\n2 tasks\n')
  })
})

describe('schemas without descriptions', () => {
  it('keep properties that are called so, and data that looks like schemas', () => {
    const schema = {
      type: 'object',
      description: 'gone',
      properties: {
        description: { type: 'string', description: 'gone' },
        list: {
          type: 'array',
          items: { anyOf: [{ type: 'string', description: 'gone' }, { enum: ['description'] }] },
        },
        properties: { type: 'object', properties: { a: { description: 'gone' } } },
      },
      required: ['description'],
      default: { description: 'stays' },
    }
    expect(withoutDescriptions(schema)).toEqual({
      type: 'object',
      properties: {
        description: { type: 'string' },
        list: { type: 'array', items: { anyOf: [{ type: 'string' }, { enum: ['description'] }] } },
        properties: { type: 'object', properties: { a: {} } },
      },
      required: ['description'],
      default: { description: 'stays' },
    })
  })
})
