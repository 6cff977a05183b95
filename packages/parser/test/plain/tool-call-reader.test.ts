import {
  createToolCallReader,
  createToolCallStream,
  getProtocol,
  listProtocols,
  parseToolCalls,
  type ToolCallEvent,
  type ToolCallStreamOptions,
} from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { allSplits, chunksOf, describeChunks } from '../support/chunks.js'
import { countIds, merge, readChunks, tools } from './read.js'

const calls = [
  { toolCallId: '', toolName: 'tide', input: { port: 'Saint-Malo', days: 2, marks: ['a', 'b'] } },
  { toolCallId: '', toolName: 'find', input: { text: 'line 1\nline 2' } },
]
const inputs = calls.map(call => call.input)

/** An answer with two calls, as the model of a protocol writes it. */
function writeAnswer(name: string): string {
  const protocol = getProtocol(name)
  const written = protocol.formatToolCalls?.(calls) ?? ''
  return `I will look.\n${written}`
}

describe.each(['auto', ...listProtocols()])('calls of %s', name => {
  const answer = writeAnswer(name)

  it('are read whole', () => {
    const { calls: found, problems } = parseToolCalls(answer, { tools, protocol: name })
    expect(problems).toEqual([])
    expect(found.map(call => [call.toolName, JSON.parse(call.input)])).toEqual(
      calls.map(call => [call.toolName, call.input]),
    )
    expect(found.map(call => call.problem)).toEqual([undefined, undefined])
    expect(new Set(found.map(call => call.toolCallId)).size).toBe(2)
  })

  it('give the same events at every split', () => {
    const whole = merge(readChunks([answer], { protocol: name }))
    expect(whole.filter(event => event.type === 'call-end')).toHaveLength(2)
    for (const chunks of allSplits(answer)) {
      const events = readChunks(chunks, { protocol: name })
      expect(merge(events), describeChunks(chunks)).toEqual(whole)
    }
  })
})

const hermes = '<tool_call>\n{"name": "tide", "arguments": {"port": "Brest"}}\n</tool_call>'

/** Answers with everything besides calls: reasoning, repairs, problems. */
const oddAnswers = {
  reasoning: `<think>The port is known.</think>\nSo.\n${hermes}\n<think>Enough?</think>`,
  'a repaired call': '<tool_call>{"name": "tide", "arguments": {\'port\': "Brest",}}</tool_call>',
  'a doubtful call':
    '<tool_call>{"name": "tide", "arguments": {"port": "Brest", "marks": "a;b,c"}, "days": 3}</tool_call>',
  'a malformed call': '<tool_call>{"name": "tide", "arguments": {"port": }}</tool_call> and on',
  'a call without a name': 'So: <tool_call>{"arguments": {"port": "Brest"}}</tool_call>',
  'an open call': `${hermes}<tool_call>{"name": "tide", "arguments": {"port": "Br`,
  'a call of no tool': '<tool_call>{"name": "moon", "arguments": {}}</tool_call>',
  'prose about marks': 'The <tool_call> tag opens a call. \u{1f30a}',
}

describe('the events of an answer', () => {
  it.each(Object.entries(oddAnswers))('are the same at every split: %s', (_, answer) => {
    for (const isCut of [false, true]) {
      const whole = merge(readChunks([answer], { protocol: 'hermes' }, isCut))
      for (const chunks of allSplits(answer)) {
        const events = readChunks(chunks, { protocol: 'hermes' }, isCut)
        expect(merge(events), describeChunks(chunks)).toEqual(whole)
      }
    }
  })

  it('come as soon as their text has come, and have the id of their call', () => {
    const options = { tools, protocol: 'hermes', reasoning: false, generateId: countIds() }
    const reader = createToolCallReader(options)
    expect(reader.feed('Hello <')).toEqual([{ type: 'text', text: 'Hello ' }])
    expect(merge(reader.feed('tool_call>{"name": "tide", "arguments": {"port": "Br'))).toEqual([
      { type: 'call-start', toolCallId: 'call_1', toolName: 'tide' },
      { type: 'call-delta', toolCallId: 'call_1', delta: '{"port":"Br' },
    ])
    expect(merge(reader.feed('est"}}'))).toEqual([
      { type: 'call-delta', toolCallId: 'call_1', delta: 'est"}' },
    ])
    const raw = '<tool_call>{"name": "tide", "arguments": {"port": "Brest"}}</tool_call>'
    const call = {
      toolCallId: 'call_1',
      toolName: 'tide',
      input: '{"port":"Brest"}',
      repairs: [],
      raw,
      offset: 6,
    }
    expect([...reader.feed('</tool_call>'), ...reader.end()]).toEqual([{ type: 'call-end', call }])
    expect(reader.end()).toEqual([])
  })

  it('have deltas that are the input, for every call', () => {
    const events = readChunks(chunksOf(writeAnswer('morph_xml'), 3), { protocol: 'morph_xml' })
    const deltas = new Map<string, string>()
    const found: Record<string, string> = {}
    for (const event of events) {
      if (event.type === 'call-start') deltas.set(event.toolCallId, '')
      if (event.type === 'call-delta')
        deltas.set(event.toolCallId, deltas.get(event.toolCallId) + event.delta)
      if (event.type === 'call-end') found[event.call.toolCallId] = event.call.input
    }
    expect(Object.fromEntries(deltas)).toEqual(found)
    expect(Object.values(found).map(input => JSON.parse(input))).toEqual(inputs)
  })
})

describe('a call that is not written to the letter', () => {
  const read = (answer: string, more: object = {}) =>
    parseToolCalls(answer, { tools, protocol: 'hermes', generateId: countIds(), ...more })

  it('is repaired, and has the repairs', () => {
    const { calls: found, problems } = read(oddAnswers['a repaired call'])
    expect(found[0]).toMatchObject({ input: '{"port":"Brest"}' })
    expect(found[0]?.repairs.map(repair => repair.code)).toEqual(['single-quotes', 'extra-comma'])
    expect(found[0]).not.toHaveProperty('problem')
    expect(problems).toEqual([])
  })

  it('has a problem if it is repaired and nothing may be', () => {
    const { calls: found } = read(oddAnswers['a repaired call'], { tolerance: 'exact' })
    expect(found[0]?.problem?.code).toBe('doubtful-call')
  })

  it('has a problem if it is in doubt, unless all that can be read may run', () => {
    const answer = oddAnswers['a doubtful call']
    const { calls: found, problems } = read(answer)
    expect(found[0]?.problem?.code).toBe('doubtful-call')
    expect(() => JSON.parse(found[0]?.input ?? '')).toThrow(SyntaxError)
    expect(problems).toEqual([
      {
        ...found[0]?.problem,
        toolName: 'tide',
        toolCallId: 'call_1',
        raw: answer,
        offset: 0,
      },
    ])
    expect(read(answer, { tolerance: 'eager' }).calls[0]).not.toHaveProperty('problem')
  })

  it('has a problem if it cannot be read, and the text after it is text', () => {
    const { calls: found, problems, text } = read(oddAnswers['a malformed call'])
    expect(found[0]?.problem?.code).toBe('malformed-arguments')
    expect(problems.map(problem => problem.code)).toEqual(['malformed-arguments'])
    expect(text).toBe(' and on')
  })

  it('is text and a problem if it names no tool', () => {
    const answer = oddAnswers['a call without a name']
    const { calls: found, problems, text } = read(answer)
    expect(found).toEqual([])
    expect(text).toBe(answer)
    expect(problems).toEqual([
      { code: 'suspected-call', message: expect.any(String), raw: expect.any(String), offset: 4 },
    ])
  })

  it('is incomplete if the text ends inside its arguments', () => {
    const { calls: found } = read(oddAnswers['an open call'])
    expect(found.map(call => call.problem?.code)).toEqual([undefined, 'cut-call'])
  })

  it('is incomplete without its last bracket only if a limit stopped the model', () => {
    const answer = '<tool_call>{"name": "tide", "arguments": {"port": "Brest"'
    expect(read(answer).calls[0]).toMatchObject({ input: '{"port":"Brest"}' })
    expect(read(answer).calls[0]).not.toHaveProperty('problem')
    expect(read(answer, { isCut: true }).calls[0]?.problem?.code).toBe('cut-call')
  })

  it('is a call also of a tool that does not exist', () => {
    expect(read(oddAnswers['a call of no tool']).calls[0]?.toolName).toBe('moon')
  })
})

describe('reasoning', () => {
  const answer = oddAnswers.reasoning
  const read = (more: object, text = answer) =>
    parseToolCalls(text, { tools, protocol: 'hermes', ...more })

  it('is told apart from text, and a blank line separates what text is between', () => {
    expect(read({})).toMatchObject({
      reasoning: 'The port is known.\n\nEnough?',
      text: 'So.\n',
      calls: [{ toolName: 'tide' }],
    })
  })

  it('is text if that is asked for', () => {
    const { text, reasoning } = read({ reasoning: false })
    expect(reasoning).toBe('')
    expect(text).toContain('<think>The port is known.</think>')
  })

  it('may begin in the prompt', () => {
    const { text, reasoning } = read({ startWithReasoning: true }, 'Hm. A port.</think>Brest.')
    expect({ text, reasoning }).toEqual({ text: 'Brest.', reasoning: 'Hm. A port.' })
  })

  it('contains no call, unless that is asked for', () => {
    const thought = `<think>Perhaps ${hermes} or not.</think>No.`
    expect(read({}, thought).calls).toEqual([])
    expect(read({ callsInReasoning: true }, thought).calls).toHaveLength(1)
  })

  it('has the marks of the format', () => {
    const text = '<seed:think>A port.</seed:think>Brest.'
    expect(read({ protocol: 'seed_oss' }, text)).toMatchObject({
      text: 'Brest.',
      reasoning: 'A port.',
    })
  })
})

describe('the protocol', () => {
  const answer = writeAnswer('qwen3_coder')
  const count = (options: object) => parseToolCalls(answer, { tools, ...options }).calls.length

  it('is a name, a protocol, a function that returns one, or chosen by the id of the model', () => {
    expect(count({ protocol: 'qwen3_coder' })).toBe(2)
    expect(count({ protocol: getProtocol('qwen3_coder') })).toBe(2)
    expect(count({ protocol: () => getProtocol('qwen3_coder') })).toBe(2)
    expect(count({})).toBe(2)
    expect(count({ protocol: 'auto', modelId: 'Qwen/Qwen3-Coder-30B' })).toBe(2)
    expect(count({ protocol: 'react' })).toBe(0)
  })

  it.each<[given: object, message: string]>([
    [{ protocol: 'hermse' }, 'There is no protocol named "hermse". Did you mean hermes?'],
    [
      { protocol: { formatTools: () => '', parseGeneratedText: () => [] } },
      'parseToolCalls takes the name of a protocol, or a protocol of defineProtocol.',
    ],
    [{ model: 'x' }, 'parseToolCalls has no option "model". Did you mean modelId?'],
    [{ tolerance: 'none' }, 'tolerance is "none"; it must be "exact" or "safe" or "eager".'],
    [{ tools: [{}] }, 'tools[0] has no name'],
  ])('or the tools or an option that is wrong is refused: %j', (given, message) => {
    expect(() => parseToolCalls('', { tools, ...given })).toThrow(message)
  })
})

describe('a reader', () => {
  it('refuses what is not text, and text after the end', () => {
    const reader = createToolCallReader({ tools })
    const feed = (piece: unknown) => Reflect.apply(reader.feed, reader, [piece])
    expect(() => feed(null)).toThrow('createToolCallReader reads text.')
    expect(() => feed(new Uint8Array([60]))).toThrow('new TextDecoderStream()')
    reader.end()
    expect(() => reader.feed('more')).toThrow('the answer has ended')
  })
})

async function collect(stream: ReadableStream<ToolCallEvent>): Promise<ToolCallEvent[]> {
  const events: ToolCallEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

/** Runs chunks through a stream, one at a time. */
async function stream(
  chunks: readonly string[],
  options: Omit<ToolCallStreamOptions, 'tools'>,
): Promise<ToolCallEvent[]> {
  const source = new ReadableStream<string>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const transform = createToolCallStream({ tools, generateId: countIds(), ...options })
  return collect(source.pipeThrough(transform))
}

describe('a stream', () => {
  it.each(['hermes', 'morph_xml', 'gpt_oss_harmony', 'line', 'auto'])(
    'emits the events of a reader: %s',
    async protocol => {
      const chunks = chunksOf(writeAnswer(protocol), 4)
      expect(await stream(chunks, { protocol })).toEqual(readChunks(chunks, { protocol }))
    },
  )

  it('asks at the end whether a limit stopped the model', async () => {
    let isCut = false
    const answer = '<tool_call>{"name": "tide", "arguments": {"port": "Brest"'
    const transform = createToolCallStream({ tools, protocol: 'hermes', isCut: () => isCut })
    const writer = transform.writable.getWriter()
    const all = collect(transform.readable)
    await writer.write(answer)
    isCut = true
    await writer.close()
    const ends = (await all).filter(event => event.type === 'call-end')
    expect(ends.map(event => event.call.problem?.code)).toEqual(['cut-call'])
  })

  it('reads no further than its events are read', async () => {
    let pulled = 0
    const source = new ReadableStream<string>(
      {
        pull(controller) {
          pulled++
          controller.enqueue(`piece ${pulled} `)
        },
      },
      { highWaterMark: 0 },
    )
    const reader = source
      .pipeThrough(createToolCallStream({ tools, protocol: 'hermes', reasoning: false }))
      .getReader()
    await new Promise(resolve => setTimeout(resolve, 20))
    const ahead = pulled
    expect(ahead).toBeLessThanOrEqual(1)
    for (let i = 1; i <= 5; i++) await reader.read()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(pulled).toBeLessThanOrEqual(5 + ahead)
    await reader.cancel('enough')
    expect(pulled).toBeLessThanOrEqual(6)
  })

  it('passes an error of the server on', async () => {
    const source = new ReadableStream<string>({
      start(controller) {
        controller.enqueue('Hello <tool_')
        controller.error(new Error('connection lost'))
      },
    })
    const events = source.pipeThrough(createToolCallStream({ tools }))
    await expect(collect(events)).rejects.toThrow('connection lost')
  })

  it('fails at bytes, with what to do', async () => {
    const transform = createToolCallStream({ tools })
    const writable: WritableStream<unknown> = Reflect.get(transform, 'writable')
    const all = collect(transform.readable)
    const failed = expect(all).rejects.toThrow('new TextDecoderStream()')
    await expect(writable.getWriter().write(new Uint8Array([60]))).rejects.toThrow(TypeError)
    await failed
  })
})
