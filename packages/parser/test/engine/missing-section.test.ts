import { describe, expect, it } from 'vitest'
import { engineProtocol, toolOf } from '../properties/support/protocols.js'
import { chunksOf } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'

const tools = [toolOf('f', { type: 'object', properties: { city: { type: 'string' } } })]

const qwen = '<function=f>\n<parameter=city>\nRome\n</parameter>\n</function>'
const minimax = '<invoke name="f"><parameter name="city">Rome</parameter></invoke>'
const kimi =
  '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|>'
const json = '{"name": "f", "arguments": {"city": "Rome"}}'

/** A call in each format, and the marks of the section around it. */
const sections = {
  qwen3_coder: [qwen, '<tool_call>', '</tool_call>'],
  minimax_m2: [minimax, '<minimax:tool_call>', '</minimax:tool_call>'],
  anthropic_xml: [minimax, '<function_calls>', '</function_calls>'],
  kimi_k2: [kimi, '<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
} as const

type Sectioned = keyof typeof sections
const isSectioned = (name: string): name is Sectioned => Object.hasOwn(sections, name)

/** Writes `[`, `C` and `]` as the open mark of a section, a call and the close mark. */
function written(name: string, form: string): string {
  if (!isSectioned(name)) return form.replaceAll('J', json)
  const [call, open, close] = sections[name]
  const marks: Readonly<Record<string, string>> = { '[': open, C: call, ']': close }
  return form.replaceAll(/[[C\]]/g, sign => marks[sign] ?? sign)
}

/** What is recorded of each call, and what becomes of it under `exact`. */
function read(name: string, text: string, isCut: boolean) {
  const protocol = engineProtocol(name)
  const readAs = (chunks: string[], tolerance: 'exact' | 'safe') =>
    readEvents({ protocol, tools, chunks, isCut, options: { tolerance } }).flatMap(event =>
      event.type === 'call-end' ? [event] : [],
    )
  const calls = readAs([text], 'safe')
  expect(readAs(chunksOf(text, 1), 'safe')).toEqual(calls)
  for (const { problem, input } of calls) {
    expect([problem, JSON.parse(input)]).toEqual([undefined, { city: 'Rome' }])
  }
  const refused = readAs([text], 'exact').map(call => call.problem?.code === 'doubtful-call')
  expect(refused).toEqual(calls.map(call => call.repairs.length > 0))
  return calls.map(call => call.repairs.map(({ code }) => code).join(' ') || '-').join(', ')
}

describe('the section around calls', () => {
  // biome-ignore format: a table
  it.each([
    // format            text            recorded of each call           truncated
    ['qwen3_coder',      '[C]',          '-',                            '-'],
    ['qwen3_coder',      '[C]\n[C]',     '-, -',                         '-, -'],
    ['qwen3_coder',      'C',            'missing-open',                 'missing-open'],
    ['qwen3_coder',      'C]',           'missing-open',                 'missing-open'],
    ['qwen3_coder',      'C\nC',         'missing-open, missing-open',   'missing-open, missing-open'],
    ['qwen3_coder',      '[C',           'missing-close',                '-'],
    ['qwen3_coder',      '[C So.',       'missing-close',                'missing-close'],
    ['qwen3_coder',      '[C\n[C]',      'missing-close, -',             'missing-close, -'],
    ['anthropic_xml',    '[C',           'missing-close',                '-'],
    ['anthropic_xml',    '[CC]',         '-, -',                         '-, -'],
    ['anthropic_xml',    'CC',           'missing-open, missing-open',   'missing-open, missing-open'],
    // Servers strip special tokens at the end of a text.
    ['minimax_m2',       '[C',           '-',                            '-'],
    ['minimax_m2',       '[C So.',       'missing-close',                'missing-close'],
    ['kimi_k2',          '[CC]',         '-, -',                         '-, -'],
    ['kimi_k2',          '[C',           '-',                            '-'],
    ['kimi_k2',          '[C So.',       'missing-close',                'missing-close'],
    ['kimi_k2',          'C',            'missing-open',                 'missing-open'],
    ['kimi_k2',          'CC]',          'missing-open, missing-open',   'missing-open, missing-open'],
    // The marks around lists and objects.
    ['jamba',            '<tool_calls>[J]</tool_calls>', '-',            '-'],
    ['jamba',            '<tool_calls>[J</tool_calls>',  'missing-bracket', 'missing-bracket'],
    ['jamba',            '[J]',          'missing-open',                 'missing-open'],
    ['mistral_v3',       '[TOOL_CALLS] [J]', '-',                        '-'],
    ['mistral_v3',       '[J]',          'missing-open',                 'missing-open'],
    ['mistral',          'f{"city": "Rome"}', 'missing-open',            'missing-open'],
    // The prompt of this format ends with `>>>`.
    ['functionary_v3_2', 'f\n{"city": "Rome"}', '-',                     '-'],
    ['functionary_v3_2', 'f\n{"city": "Rome"}\nf\n{"city": "Rome"}', '-, missing-open', '-, missing-open'],
    ['json_array',       '[J]',          '-',                            '-'],
    ['json_array',       '[J',           'missing-bracket',              '-'],
    // A format that writes bare calls is among those that `auto` reads.
    ['auto',             'J',            '-',                            '-'],
    ['auto',             qwen,           'missing-open',                 'missing-open'],
  ])('%s: %s: %s', (name, form, recorded, recordedIfCut) => {
    const text = written(name, form)
    expect(read(name, text, false)).toBe(recorded)
    expect(read(name, text, true)).toBe(recordedIfCut)
  })
})
