import { describe, expect, it } from 'vitest'
import { createCallRecorder } from '../../src/engine/call-recorder.js'
import { CUT, type EngineEvent, malformed, type Problem } from '../../src/engine/events.js'
import type { Tolerance } from '../../src/engine/repairs.js'
import { Token } from '../../src/engine/values/tokens.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { disorderOf } from '../support/read-answer.js'

const tools = createToolShapes([{ type: 'function', name: 'f', inputSchema: {} }])

/** Starts a recorder whose events are collected. */
function start(shapes = tools, tolerance?: Tolerance) {
  const events: EngineEvent[] = []
  const recorder = createCallRecorder({
    tools: shapes,
    maxHeldChars: 100,
    tolerance,
    emit: event => events.push(event),
  })
  return { events, recorder }
}

const bad = malformed('expected a value')

// biome-ignore format: a table
describe('the input of a call', () => {
  it.each<[string, Problem | undefined, string]>([
    // raw text       problem     input
    ['{"a": 1}',      undefined,  '{"a": 1}'],
    // A call that must not run has an input that is not JSON (decision 16).
    ['',              CUT,        '{'],
    [' \n',           CUT,        ' \n{'],
    ['{"a": 1}',      CUT,        '{"a": 1} (malformed)'],
    ['{"a": ',        CUT,        '{"a": '],
    ['[]',            bad,        '[] (malformed)'],
    ['{"a" 1}',       bad,        '{"a" 1}'],
  ])('%j with the problem %o: %j', (rawText, problem, input) => {
    const { events, recorder } = start()
    recorder.begin('f')
    recorder.flush(rawText)
    expect(recorder.end(problem, () => '<call>', 5)).toBe(true)
    recorder.emitEnded()
    // One event ends the call, and carries its problem (decision 2).
    const end = { type: 'call-end', toolName: 'f', input, raw: '<call>', offset: 5, problem, repairs: [] }
    expect(events.at(-1)).toEqual(end)
    expect(disorderOf(events)).toEqual([])
  })

  it('has the problem of its writer, if the reader found none', () => {
    const { events, recorder } = start()
    recorder.begin('f').fail('expected a value', '{x}')
    recorder.end(undefined, () => '', 0)
    recorder.emitEnded()
    expect(events.at(-1)).toMatchObject({ input: '{x}', problem: bad })
  })
})

describe('the events of a call', () => {
  it('come as the arguments are written', () => {
    const { events, recorder } = start()
    const { put } = recorder.begin('f')
    put(Token.beginObject, '')
    recorder.flush()
    recorder.flush()
    put(Token.key, 'a')
    put(Token.literal, '1')
    put(Token.endObject, '')
    recorder.end(undefined, () => '', 0)
    recorder.emitEnded()
    expect(events.map(event => (event.type === 'call-delta' ? event.delta : event.type))).toEqual([
      'call-start',
      '{',
      '"a":1}',
      'call-end',
    ])
    expect(disorderOf(events)).toEqual([])
  })

  it('end when the next call begins, or with the markup after the call', () => {
    const { events, recorder } = start()
    recorder.begin('f').put(Token.literal, 'null')
    recorder.end(undefined, () => '<call>', 0)
    expect(recorder.endedRaw()).toBe('<call>')
    recorder.begin('g').put(Token.literal, 'null')
    recorder.end(undefined, () => ',', 6)
    recorder.emitEnded(',</call>')
    recorder.emitEnded()
    const ends = events.flatMap(event => (event.type === 'call-end' ? [event.raw] : []))
    expect(ends).toEqual(['<call>', ',</call>'])
    expect(disorderOf(events)).toEqual([])
  })

  it.each<[Tolerance, string]>([
    // tolerance  input of the call
    ['exact', '{}<call>{}'],
    ['safe', '{}'],
  ])('refuse a call for what is recorded after its end: %s', (tolerance, input) => {
    const { events, recorder } = start(tools, tolerance)
    const { put } = recorder.begin('f')
    put(Token.beginObject, '')
    put(Token.endObject, '')
    recorder.end(undefined, () => '<call>{}', 0)
    // `<call>{}| So.`
    recorder.note('missing-close', 8)
    recorder.emitEnded()
    const problem = tolerance === 'exact' ? { code: 'doubtful-call' } : undefined
    expect(events.at(-1)).toMatchObject({ input, ...(problem && { problem }) })
    expect(events.at(-1)).toMatchObject({ repairs: [{ code: 'missing-close' }] })
    expect(disorderOf(events)).toEqual([])
  })

  it('do not end a call that was not begun', () => {
    const { events, recorder } = start()
    expect(recorder.end(undefined, () => '', 0)).toBe(false)
    recorder.emitEnded()
    expect(events).toEqual([])
  })
})

// biome-ignore format: a table
it.each([
  // written   forced       name of the call
  ['f',        undefined,   'f'],
  ['nope',     undefined,   'nope'],
  ['nope',     'f',         'f'],
])('a call of %s where %s is forced: %s', (written, forcedToolName, toolName) => {
  const { events, recorder } = start({ ...tools, forcedToolName })
  recorder.begin(written)
  expect(events).toEqual([{ type: 'call-start', toolName }])
  expect(recorder.toolName()).toBe(toolName)
})
