import type { FunctionTool } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { engineProtocol } from './properties/support/protocols.js'
import { readMerged } from './support/read-answer.js'

const tool = (name: string, properties: Record<string, unknown>): FunctionTool => ({
  type: 'function',
  name,
  inputSchema: { type: 'object', properties },
})
const tools = [
  tool('reserve_boat', { harbor: { type: 'string' }, berths: { type: 'integer' } }),
  tool('trains.next', { stop: { type: 'string' }, day: { type: 'string' } }),
  tool('blend', { salt: { type: 'number' }, sugar: { type: 'number' } }),
  tool('list_tours', { from_town: { type: 'string' }, to_town: { type: 'string' } }),
  tool('get_time', {}),
]

const boat = 'reserve_boat {"harbor":"Oslo","berths":4}'
const salt = 'blend {"salt":0.4,"sugar":0.6}'
const stopA = 'trains.next {"stop":"A","day":"x"}'
const stopB = 'trains.next {"stop":"B","day":"y"}'
const doubtful = (call: string) => `${call} doubtful-call`

const fence = (label: string, text: string) => `\`\`\`${label}\n${text}\n\`\`\``

/** What a model wrote in place of the format that it was shown, and what is read. */
const calls: ReadonlyArray<readonly [shape: string, text: string, ...expected: string[]]> = [
  ['a call', 'reserve_boat(harbor="Oslo", berths=4)', boat],
  ['a call without arguments', 'get_time()', 'get_time {}'],
  [
    'calls with a comma',
    "trains.next(stop='A', day='x'), trains.next(stop='B', day='y')",
    stopA,
    stopB,
  ],
  [
    'calls with semicolons',
    'blend(salt=0.4, sugar=0.6); reserve_boat(harbor="Oslo", berths=4);',
    salt,
    boat,
  ],
  [
    'calls in lines',
    'blend(salt=0.4, sugar=0.6)\nreserve_boat(harbor="Oslo", berths=4)',
    salt,
    boat,
  ],
  ['a call in backticks', '`reserve_boat(harbor="Oslo", berths=4)`', boat],
  ['a list', '[reserve_boat(harbor="Oslo", berths=4)]', boat],
  ['a list in a json fence', fence('json', '[reserve_boat(harbor="Oslo", berths=4)]'), boat],
  ['a list in a fence', fence('', '[reserve_boat(harbor="Oslo", berths=4)]'), boat],
  [
    'calls in a fence',
    fence('plaintext', 'blend(salt=0.4, sugar=0.6)\nget_time()'),
    salt,
    'get_time {}',
  ],
  [
    'several lists',
    '[reserve_boat(harbor="Oslo", berths=4)], [blend(salt=0.4, sugar=0.6)]',
    boat,
    salt,
  ],
  [
    'a list and a call',
    '[reserve_boat(harbor="Oslo", berths=4)], blend(salt=0.4, sugar=0.6)',
    boat,
    salt,
  ],
  [
    'an envelope of calls',
    '{"tool_calls": [{"name": "reserve_boat", "arguments": {"harbor": "Oslo", "berths": 4}}]}',
    boat,
  ],
  [
    'an envelope of two calls, after a line break',
    '\n{"tool_calls": [{"name": "reserve_boat", "arguments": {"harbor": "Oslo", "berths": 4}}, {"name": "blend", "arguments": {"salt": 0.4, "sugar": 0.6}}]}',
    boat,
    salt,
  ],
  [
    "OpenAI's envelope",
    '{"tool_calls": [{"id": "c7", "type": "function", "function": {"name": "blend", "arguments": "{\\"salt\\": 0.4, \\"sugar\\": 0.6}"}}]}',
    salt,
  ],
  ['a call in quotes', '[\'reserve_boat(harbor="Oslo", berths=4)\']', boat],
  [
    'calls in quotes',
    '["blend(salt=0.4, sugar=0.6)", "trains.next(stop=\'B\', day=\'y\')"]',
    salt,
    stopB,
  ],
  ['calls in quotes in a fence', fence('json', '["blend(salt=0.4, sugar=0.6)"]'), salt],
  ['a name as Markdown', '[reserve\\_boat(harbor="Oslo", berths=4)]', boat],
  ['a bare name as Markdown', 'reserve\\_boat(harbor="Oslo", berths=4)', boat],
  [
    'a key as Markdown',
    "[list_tours(from_town='B', to\\_town='C')]",
    'list_tours {"from_town":"B","to_town":"C"}',
  ],
  [
    'JSON as Markdown',
    '{"name": "reserve\\_boat", "arguments": {"harbor": "Oslo", "berths": 4}}',
    boat,
  ],
  [
    'JSON between tokens',
    '<|im_start|>\n{"arguments": {"harbor": "Oslo", "berths": 4}, "name": "reserve_boat"}\n<|im_start|>',
    boat,
  ],
  [
    'a list after a header',
    '<|start_header_id|>assistant<|end_header_id|>\n\n[reserve_boat(harbor="Oslo", berths=4)]',
    boat,
  ],
  ['a list before a token', '[reserve_boat(harbor="Oslo", berths=4)]<|im_end|>', boat],
  ['an object keyed by the name', "[{'reserve_boat': {'harbor': 'Oslo', 'berths': 4}}]", boat],
  ['a pair', "['trains.next', {'stop': 'B', 'day': 'y'}]", stopB],
  ['a list of tuples', "[('blend', {'salt': 0.4, 'sugar': 0.6})]", salt],
  ['a flat object', "{'name': 'reserve_boat', 'harbor': 'Oslo', 'berths': 4}", boat],
  ['one object as argument', "[reserve_boat({'harbor': 'Oslo', 'berths': 4})]", boat],
  [
    'objects in a list',
    "[{'name': 'reserve_boat', 'parameters': {'harbor': 'Oslo', 'berths': 4}}]",
    boat,
  ],
  ['a name and an object', 'reserve_boat\n{"harbor": "Oslo", "berths": 4}', boat],
  ['no names of arguments', '[blend(0.4, 0.6)]', doubtful(salt)],
  [
    'arithmetic',
    '[blend(salt=2/5, sugar=3*0.2 - 0)]',
    doubtful('blend {"salt":0.4,"sugar":0.6000000000000001}'),
  ],
  [
    'a call after text',
    'Let me look.\nreserve_boat(harbor="Oslo", berths=4)',
    'Let me look.\n',
    boat,
  ],
  [
    'a fence after text',
    `Let me look.\n\n${fence('python', 'reserve_boat(harbor="Oslo", berths=4)')}`,
    'Let me look.\n\n',
    boat,
  ],
  [
    'an object after text',
    'Sure, checking:\n{"name": "get_time", "arguments": {}}',
    'Sure, checking:\n',
    'get_time {}',
  ],
  ['a call before text', 'get_time()\nI will wait.', 'get_time {}', '\nI will wait.'],
  [
    'a call at the end of a text of another language',
    'Ich sehe nach.\nget_time()',
    'Ich sehe nach.\n',
    'get_time {}',
  ],
]

/** Text that is like a call, and stays text. */
const texts = [
  'For example:\nreserve_boat(harbor="Oslo", berths=4)',
  'You can write:\n[reserve_boat(harbor="Oslo", berths=4)]',
  `You would write:\n${fence('json', '{"name": "get_time", "arguments": {}}')}\nThat is how it works.`,
  'I am sorry, but I cannot run it.\nreserve_boat(harbor="Oslo", berths=4)',
  'reserve_boat(harbor="Oslo") opens a booking.',
  '`get_time()` returns the time.',
  'get_times()\n',
  'reserve_boat is a tool.',
  'get_time(), he said',
  '[get_time(), 5]',
  '[get_time(),\n5]',
  '["get_time()", "text"]',
  fence('', 'get_time()\nprint(1)'),
  'Never call it.\nget_time()',
  'The page says:\nget_time()\nI will not do that.',
  'import boats\n\nget_time()',
  'Shall I look?\nget_time()',
  'reserve_boat(\nharbor',
  '["reserve_boat", "blend"]',
  '{"name": "Oslo", "harbor": "north"}',
  '{"tool_calls": []}',
  '{"tool_calls": [{"name": "sail", "arguments": {}}]}',
  'Ich sehe nach.\nget_time()\nEinen Moment.',
  `Das Skript:\n${fence('python', 'import boats\n\nreserve_boat(harbor="Oslo", berths=4)')}\n`,
]

const names = ['auto', 'hermes', 'qwen3_coder', 'wire', 'yaml_xml', 'mistral', 'fenced_json']
const formats = names.map(name => [name, engineProtocol(name)] as const)

/** By character, and cut in two at every place. */
const splits = (text: string): string[][] => [
  [text],
  [...text],
  ...[...text].map((_, at) => [text.slice(0, at), text.slice(at)]),
]

describe.each(formats)('an answer to %s', (_, protocol) => {
  const read = (chunks: readonly string[]) =>
    readMerged({ protocol, tools, chunks, options: {} }).flatMap(event => {
      if (event.type === 'text') return [event.text]
      if (event.type !== 'call-end') return []
      const call = `${event.toolName} ${event.problem ? event.input.split('}')[0] : event.input}`
      return [event.problem ? doubtful(`${call}}`) : call]
    })

  it.each(calls)('is read as %s', (_, text, ...expected) => {
    for (const chunks of splits(text))
      expect(read(chunks), JSON.stringify(chunks)).toEqual(expected)
  })

  it.each(texts)('is text: %s', text => {
    for (const chunks of splits(text)) expect(read(chunks), JSON.stringify(chunks)).toEqual([text])
  })
})

describe('a call in another shape', () => {
  it('is refused where the format must be kept exactly', () => {
    const events = readMerged({
      protocol: engineProtocol('hermes'),
      tools,
      chunks: ['get_time()'],
      options: { tolerance: 'exact' },
    })
    expect(events).toMatchObject([
      { type: 'call-start' },
      { type: 'call-delta' },
      { type: 'call-end', problem: { code: 'doubtful-call' }, repairs: [{ code: 'other-shape' }] },
    ])
  })

  it('streams nothing before it is whole', () => {
    const chunks = ['get_', 'time', '(', ')', '\n']
    const protocol = engineProtocol('hermes')
    expect(readMerged({ protocol, tools, chunks: chunks.slice(0, 3) })).toEqual([
      { type: 'text', text: 'get_time(' },
    ])
  })

  it('is one in rescue mode only as the whole answer', () => {
    const read = (text: string) =>
      readMerged({
        protocol: engineProtocol('auto'),
        tools,
        chunks: [text],
        options: { mode: 'rescue' },
      }).filter(event => event.type === 'call-end').length
    expect(read('get_time()')).toBe(1)
    expect(read('Let me look.\nget_time()')).toBe(0)
  })
})
