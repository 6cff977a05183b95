import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { benchProtocols } from '../../src/bench-protocols.js'
import { checkBfclCalls } from '../../src/bfcl/check-bfcl.js'
import { loadBfclTasks } from '../../src/bfcl/load-bfcl-tasks.js'
import { normaliseText } from '../../src/bfcl/match-values.js'
import { toJsonSchema } from '../../src/bfcl/to-json-schema.js'
import { bench, createDirectory, readRecords, serve } from '../live/bench.js'
import { ask, brew, plant, smallSet, writeBfclFiles } from './bfcl-files.js'

const load = (files: Parameters<typeof writeBfclFiles>[0], limit?: number, seed = 1) =>
  loadBfclTasks(writeBfclFiles(files), { limit, seed })

describe('the files of the leaderboard', () => {
  it('become tasks by category; what is not supported is named', () => {
    const { tasks, notes } = load(smallSet)
    expect(tasks.map(({ id, category, kind }) => [id, category, kind])).toEqual([
      ['bfcl/irrelevance_0', 'irrelevance', 'bfcl'],
      ['bfcl/live_multiple_0-0-0', 'live_multiple', 'bfcl'],
      ['bfcl/live_relevance_0', 'live_relevance', 'bfcl'],
      ['bfcl/parallel_0', 'parallel', 'bfcl'],
      ['bfcl/simple_python_0', 'simple_python', 'bfcl'],
      ['bfcl/simple_python_1', 'simple_python', 'bfcl'],
    ])
    expect(notes).toEqual(['Not used: BFCL_v4_multi_turn_base.json, BFCL_v4_simple_java.json.'])
    expect(tasks[1]?.messages).toEqual([
      { role: 'system', content: 'You are a gardener.' },
      { role: 'user', content: 'Plant two rows.' },
    ])
  })

  it('are passed by the calls in their answers', () => {
    for (const task of load(smallSet).tasks) {
      const { steps } = task.solution
      expect(task.open().check({ calls: steps.flat(), text: '' }), task.id).toEqual([])
    }
  })

  it('are taken in the newer version, whatever its name for simple questions', () => {
    const old = { id: 'simple_0', question: ask('Old?'), function: brew }
    const { tasks, notes } = load({
      ...smallSet,
      'BFCL_v3_simple.json': [old],
      'BFCL_v3_parallel.json': '',
    })
    expect(tasks.map(({ id }) => id)).not.toContain('bfcl/simple_0')
    expect(notes[0]).toContain('BFCL_v3_simple.json')
    const alone = load({
      'BFCL_v3_simple.json': [old],
      'possible_answer/BFCL_v3_simple.json': [
        { id: 'simple_0', ground_truth: [{ 'tea.brew': {} }] },
      ],
    })
    expect(alone.tasks.map(({ id }) => id)).toEqual(['bfcl/simple_0'])
  })

  it('are sampled by the seed, so many a category', () => {
    const questions = Array.from({ length: 30 }, (_, i) => ({
      id: `irrelevance_${i}`,
      question: ask(`${i}?`),
      function: [brew],
    }))
    const files = {
      'BFCL_v4_irrelevance.json': questions,
      'BFCL_v4_live_irrelevance.json': questions.slice(0, 3),
    }
    const ids = (seed: number) => load(files, 5, seed).tasks.map(({ id }) => id)
    expect(ids(1)).toHaveLength(5 + 3)
    expect(ids(1)).toEqual(ids(1))
    expect(ids(1)).not.toEqual(ids(2))
  })

  it.each([
    [{ 'README.md': '' }, 'contains no known files'],
    [{ 'BFCL_v4_parallel.json': smallSet['BFCL_v4_parallel.json'] }, 'the answers are missing'],
    [
      { 'BFCL_v4_irrelevance.json': '{"id":"a"}' },
      'BFCL_v4_irrelevance.json:1 does not have the expected form',
    ],
    [{ 'BFCL_v4_irrelevance.json': '\n{"id":' }, 'is not JSON'],
    [
      {
        'BFCL_v4_parallel.json': smallSet['BFCL_v4_parallel.json'],
        'possible_answer/BFCL_v4_parallel.json': '',
      },
      'has no answer for parallel_0',
    ],
  ])('are refused with a message where they are wrong: %j', (files, message) => {
    expect(() => load(files)).toThrow(message)
  })
})

describe('schemas of the leaderboard', () => {
  it('become JSON Schema', () => {
    expect(
      toJsonSchema({
        type: 'dict',
        required: ['a'],
        properties: {
          a: { type: 'float', description: 'A float.' },
          b: {
            type: 'tuple',
            items: { type: 'dict', properties: { type: { type: 'any' } } },
            optional: true,
          },
          c: { type: 'String', enum: ['dict', 'float'], required: true },
          d: { description: 'No type.' },
          e: { type: 'HashMap', additionalProperties: { type: 'long' } },
          f: { type: ['integer', 'null'], default: null },
        },
      }),
    ).toEqual({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'number', description: 'A float.' },
        b: { type: 'array', items: { type: 'object', properties: { type: { type: 'string' } } } },
        c: { type: 'string', enum: ['dict', 'float'] },
        d: { type: 'string', description: 'No type.' },
        e: { type: 'object', additionalProperties: { type: 'integer' } },
        f: { type: ['integer', 'null'], default: null },
      },
    })
  })
})

const truth = { 'tea.brew': { sort: ['Earl Grey', "granny's"], minutes: [4], cups: ['', 2] } }
const checkOne = (args: unknown, name = 'tea_brew') =>
  checkBfclCalls([{ name, args }], [truth], [brew])

describe('the comparison with the answers', () => {
  it('treats names with dots and with underscores as the same', () => {
    expect(checkOne({ sort: 'Earl Grey', minutes: 4 })).toEqual([])
    expect(checkOne({ sort: 'Earl Grey', minutes: 4 }, 'tea.brew')).toEqual([])
    expect(checkOne({ sort: 'Earl Grey', minutes: 4 }, 'brew')).toEqual([
      'brew was called instead of tea_brew',
    ])
  })

  it('normalises strings', () => {
    expect(normaliseText("April 1, 2024 - a/b_c*^'x'")).toBe('april12024abc"x"')
    for (const sort of ['earl grey', 'EARL_GREY', 'Earl-Grey.', 'granny"s']) {
      expect(checkOne({ sort, minutes: 4 }), sort).toEqual([])
    }
    expect(checkOne({ sort: 'Earl Gray', minutes: 4 })[0]).toContain(
      'tea.brew: sort is "Earl Gray"',
    )
  })

  it('checks types, and accepts whole numbers as floats', () => {
    expect(checkOne({ sort: 'Earl Grey', minutes: 4.0, cups: 2 })).toEqual([])
    expect(checkOne({ sort: 'Earl Grey', minutes: '4' })[0]).toContain('expected type float')
    expect(checkOne({ sort: 'Earl Grey', minutes: 4, cups: 2.5 })[0]).toContain(
      'expected an integer',
    )
    expect(checkOne({ sort: 5, minutes: 4 })[0]).toContain('expected type string')
    expect(checkOne({ sort: 'Earl Grey', minutes: 4, cups: true })[0]).toContain(
      'expected type integer',
    )
  })

  it('wants required parameters, no others, and optional ones only where they may not be left out', () => {
    expect(checkOne({ sort: 'Earl Grey' })[0]).toContain('required parameter minutes is missing')
    expect(checkOne({ sort: 'Earl Grey', minutes: 4, sugar: 1 })[0]).toContain(
      'unexpected parameter sugar',
    )
    const strict = { 'tea.brew': { sort: ['x'], minutes: [4], cups: [2] } }
    const call = { name: 'tea_brew', args: { sort: 'x', minutes: 4 } }
    expect(checkBfclCalls([call], [strict], [brew])[0]).toContain('parameter cups is missing')
  })

  it('accepts a value of the answer even where its type is not that of the schema', () => {
    const variable = { 'tea.brew': { sort: ['x'], minutes: ['brewing_time'] } }
    const check = (minutes: unknown) =>
      checkBfclCalls([{ name: 'tea_brew', args: { sort: 'x', minutes } }], [variable], [brew])
    expect(check('brewing_time')).toEqual([])
    expect(check('Brewing time')).not.toEqual([])
    expect(check(4)).not.toEqual([])
  })

  const bedTruth = smallSet['possible_answer/BFCL_v4_live_multiple.json'][0].ground_truth.map(
    each => ({
      plant_bed: {
        ...Object.fromEntries(
          Object.entries(each.plant_bed).map(([key, value]) => [key, [...value]]),
        ),
      },
    }),
  )
  const checkBed = (args: object) =>
    checkBfclCalls([{ name: 'plant_bed', args }], bedTruth, [brew, plant])
  const rows = [{ crop: 'Beans', count: 8 }, { crop: 'pea' }]

  it('goes into objects and lists of objects, each key with its alternatives', () => {
    expect(checkBed({ rows })).toEqual([])
    expect(
      checkBed({ rows: [rows[0], { crop: 'pea', count: 4 }], soil: { kind: 'Loam' } }),
    ).toEqual([])
    expect(checkBed({ rows, soil: { kind: 'loam', ph: 6.5 } })).toEqual([])
    for (const wrong of [
      { rows: [...rows].reverse() },
      { rows: [rows[0]] },
      { rows: [{ crop: 'beans' }, { crop: 'pea' }] },
      { rows: [{ crop: 'beans', count: 8, more: 1 }, { crop: 'pea' }] },
      { rows, soil: { ph: 6.5 } },
      { rows, soil: { kind: 'loam', ph: 7 } },
      { rows, soil: 'loam' },
      { rows: rows[0] },
    ]) {
      expect(checkBed(wrong), JSON.stringify(wrong)).not.toEqual([])
    }
  })

  it('compares lists in order, with their strings normalised', () => {
    expect(
      checkBed({
        rows,
        corner: [1, 2.5],
        tags: ['Early', 'south-side'],
        note: 'Water daily.',
        covered: true,
      }),
    ).toEqual([])
    expect(checkBed({ rows, corner: [2.5, 1] })).not.toEqual([])
    expect(checkBed({ rows, tags: ['early'] })).not.toEqual([])
    expect(checkBed({ rows, covered: 'true' })).not.toEqual([])
  })

  it('takes parallel calls in any order, each answer once', () => {
    const truths = smallSet['possible_answer/BFCL_v4_parallel.json'][0].ground_truth.map(each => ({
      'tea.brew': Object.fromEntries(
        Object.entries(each['tea.brew']).map(([key, value]) => [key, [...value]]),
      ),
    }))
    const mint = { name: 'tea_brew', args: { sort: 'mint', minutes: 4 } }
    const black = { name: 'tea_brew', args: { sort: 'black', minutes: 3 } }
    expect(checkBfclCalls([black, mint], truths, [brew])).toEqual([])
    expect(checkBfclCalls([mint, mint], truths, [brew])).not.toEqual([])
    expect(checkBfclCalls([mint], truths, [brew])).toEqual(['1 calls instead of 2'])
    expect(checkBfclCalls([mint, black, black], truths, [brew])).toEqual(['3 calls instead of 2'])
  })

  it('wants no call where none fits, and some call where any does', () => {
    const { tasks } = load(smallSet)
    const check = (id: string, calls: { name: string; args: unknown }[]) =>
      tasks
        .find(task => task.id === id)
        ?.open()
        .check({ calls, text: '' })
    expect(check('bfcl/irrelevance_0', [])).toEqual([])
    expect(check('bfcl/irrelevance_0', [{ name: 'tea_brew', args: {} }])).not.toEqual([])
    expect(check('bfcl/live_relevance_0', [])).toEqual(['no tool was called'])
    expect(check('bfcl/live_relevance_0', [{ name: 'tea_brew', args: {} }])).toEqual([])
  })
})

describe('the benchmark with files of the leaderboard', () => {
  it('runs them in every protocol, with the schemas in the request', async () => {
    const directory = writeBfclFiles(smallSet)
    const { tasks } = loadBfclTasks(directory, { seed: 1 })
    const { baseUrl, requests } = await serve({ tasks })
    const out = createDirectory()
    const protocols = ['native', ...benchProtocols()]
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--protocols',
      protocols.join(','),
      '--reps',
      '1',
      '--out',
      out,
    ]
    const { exitCode, stderr, stdout } = await bench([
      ...args,
      '--bfcl',
      directory,
      '--kind',
      'bfcl',
    ])
    const failed = readRecords(out).filter(({ outcome }) => outcome !== 'pass')
    expect(
      failed.map(({ task, protocol, reasons, exchanges }) => [
        task,
        protocol,
        reasons,
        exchanges[0]?.answer.text,
      ]),
    ).toEqual([])
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('Not used: ')
    expect(stdout).toMatch(/^wire +6\/6/m)
    for (const { raw } of requests) {
      expect(raw).toContain('tea_brew')
      expect(raw).toContain('Brews tea.')
      expect(raw).not.toMatch(/\\?"type\\?": ?\\?"(dict|float|tuple|any)/)
    }
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('simple_python_0')
  })

  it('leaves out what a forced call cannot pass', async () => {
    const directory = writeBfclFiles(smallSet)
    const { baseUrl } = await serve({
      intercept: (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end('{}')
        return true
      },
    })
    const out = createDirectory()
    const args = [
      '--base-url',
      baseUrl,
      '--model',
      'perfect',
      '--protocols',
      'native',
      '--reps',
      '1',
      '--out',
      out,
    ]
    const { stderr } = await bench([
      ...args,
      '--bfcl',
      directory,
      '--kind',
      'bfcl',
      '--tool-choice',
      'required',
    ])
    expect(stderr).toContain('2 tasks are left out')
    expect(readRecords(out).map(({ category }) => category)).not.toContain('irrelevance')
  })
})
