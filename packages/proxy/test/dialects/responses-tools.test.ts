import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { responsesDialect } from '../../src/dialects/responses.js'
import type { StreamPart } from '../../src/model-types.js'
import {
  begin,
  call,
  callInPieces,
  finish,
  gone,
  inputDelta,
  inputStart,
  play,
  playWhole,
  refusal,
  text,
} from './play.js'

const parameters = { type: 'object', properties: { title: { type: 'string' } } }
const readNote = { type: 'function', name: 'read_note', description: 'Reads a note.', parameters }
const notes = { type: 'namespace', name: 'mcp__notes', description: 'Notes.', tools: [readNote] }
const patchTool = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch' },
}
const sqlInside = { type: 'custom', name: 'run', description: 'Runs SQL.' }
const exec = { type: 'function', name: 'exec_command', parameters }
const search = {
  type: 'tool_search',
  execution: 'client',
  description: 'Finds tools.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
}
const tools = [
  exec,
  notes,
  { type: 'namespace', name: 'db', tools: [sqlInside] },
  patchTool,
  search,
  { type: 'local_shell' },
  { type: 'shell' },
  { type: 'web_search', external_web_access: true },
]
const body = { model: 'm', input: 'Hi', tools }
const read = (extra: object, options = {}) => responsesDialect.read({ ...body, ...extra }, options)

describe('the tools of a response, as the model sees them', () => {
  it('are functions with one name each; those of a server are left out', () => {
    const { params, warnings } = read({})
    expect(params.tools?.map(({ name }) => name)).toEqual([
      'exec_command',
      'mcp__notes__read_note',
      'db__run',
      'apply_patch',
      'tool_search',
      'local_shell',
      'shell',
    ])
    expect(warnings).toEqual(['left out tools that the proxy cannot offer: web_search'])
  })

  it('have the schema and the description of the client, or known ones', () => {
    const shown = read({}).params.tools ?? []
    expect(shown[1]).toEqual({
      type: 'function',
      name: 'mcp__notes__read_note',
      description: 'Reads a note.\n\nAbout all tools of mcp__notes: Notes.',
      inputSchema: parameters,
    })
    expect(shown[3]).toMatchObject({
      description: expect.stringMatching(
        /^Edits files\.[\s\S]*lark grammar:\n\nstart: begin_patch$/,
      ),
      inputSchema: { required: ['input'] },
    })
    expect(shown[4]).toMatchObject({
      description: 'Finds tools.',
      inputSchema: search.parameters,
    })
    expect(shown[5]).toMatchObject({ inputSchema: { required: ['command'] } })
  })

  it('may be in the namespace functions, which is the top level', () => {
    const top = { type: 'namespace', name: 'functions', description: 'x', tools: [exec, patchTool] }
    const { params } = read({ tools: [top] })
    expect(params.tools?.map(({ name }) => name)).toEqual(['exec_command', 'apply_patch'])
    expect(params.tools?.[0]).not.toHaveProperty('description')
  })

  it('may come with the conversation: in additional_tools, or as those that were found', () => {
    const input = [
      { type: 'additional_tools', role: 'developer', tools: [exec, { type: 'mcp' }] },
      { role: 'user', content: 'Hi' },
      {
        type: 'tool_search_call',
        call_id: 's1',
        execution: 'client',
        arguments: { query: 'note' },
      },
      { type: 'tool_search_output', call_id: 's1', execution: 'client', tools: [notes] },
    ]
    const { params, warnings } = read({ input, tools: undefined })
    expect(params.tools?.map(({ name }) => name)).toEqual(['exec_command', 'mcp__notes__read_note'])
    expect(warnings).toEqual(['left out tools that the proxy cannot offer: mcp'])
    expect(params.prompt.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ toolName: 'tool_search', input: { query: 'note' } }] },
      {
        role: 'tool',
        content: [{ output: { value: 'These tools can be called now: mcp__notes__read_note' } }],
      },
    ])
  })

  it.each([
    'web_search',
    'web_search_preview_2025_03_11',
    'file_search',
    'code_interpreter',
    'image_generation',
    'mcp',
    'computer_use_preview',
    'programmatic_tool_calling',
    'a_tool_of_tomorrow',
  ])('are left out or refused if only the server of a vendor can run them: %s', type => {
    const given = { tools: [exec, { type }] }
    expect(read(given).params.tools).toHaveLength(1)
    expect(read(given).warnings).toEqual([`left out tools that the proxy cannot offer: ${type}`])
    expect(() => read(given, { serverTools: 'refuse' })).toThrow(
      expect.objectContaining({ status: 400, param: 'tools[1].type' }),
    )
  })

  it('are left out of a namespace, too', () => {
    const inside = [{ type: 'web_search' }, { type: 'function', name: 'read_note' }]
    const given = [{ type: 'namespace', name: 'mcp__notes', tools: inside }]
    const { params, warnings } = read({ tools: given })
    expect(params.tools?.map(({ name }) => name)).toEqual(['mcp__notes__read_note'])
    expect(warnings).toEqual(['left out tools that the proxy cannot offer: web_search'])
  })

  it('are those of a server if the server runs them', () => {
    const given = [
      { type: 'tool_search', execution: 'server', parameters: null },
      { type: 'tool_search', description: 'x', parameters },
      { type: 'shell', environment: { type: 'container_auto' } },
      exec,
    ]
    const { params, warnings } = read({ tools: given })
    expect(params.tools).toHaveLength(1)
    expect(warnings).toEqual(['left out tools that the proxy cannot offer: tool_search, shell'])
  })

  it('are warned of in a text that fits into a header, whatever the client sends', () => {
    const many = Array.from({ length: 500 }, (_, i) => ({
      type: `t${i}\n\u{1f600}${'x'.repeat(500)}`,
    }))
    const [warning = '', ...others] = read({ tools: many }).warnings ?? []
    expect(others).toEqual([])
    expect(warning).toMatch(/^[\x20-\x7e]{1,2000}$/)
    expect(warning).toContain('480 more')
  })
})

describe('a tool choice', () => {
  it.each<[object, string]>([
    [{ type: 'function', name: 'read_note', namespace: 'mcp__notes' }, 'mcp__notes__read_note'],
    [{ type: 'function', name: 'exec_command', namespace: 'functions' }, 'exec_command'],
    [{ type: 'custom', name: 'apply_patch' }, 'apply_patch'],
    [{ type: 'local_shell' }, 'local_shell'],
  ])('of %j is %s', (tool_choice, toolName) => {
    expect(read({ tool_choice }).params.toolChoice).toEqual({ type: 'tool', toolName })
  })

  it('may allow tools of all kinds; those that were left out are not among them', () => {
    const allowed = [
      { type: 'custom', name: 'apply_patch' },
      { type: 'function', name: 'read_note', namespace: 'mcp__notes' },
      { type: 'web_search' },
    ]
    const tool_choice = { type: 'allowed_tools', mode: 'auto', tools: allowed }
    expect(read({ tool_choice }).params.tools?.map(({ name }) => name)).toEqual([
      'mcp__notes__read_note',
      'apply_patch',
    ])
  })

  it.each<[string, object]>([
    ['tool_choice.type', { tool_choice: { type: 'web_search' } }],
    ['tool_choice.type', { tool_choice: { type: 'file_search' } }],
    ['tool_choice.name', { tool_choice: { type: 'function', name: 'read_note' } }],
    ['tool_choice.name', { tool_choice: { type: 'custom', name: 'exec_command' } }],
    ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    [
      'tool_choice',
      {
        tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] },
      },
    ],
    [
      'tools[0].tools[0].type',
      { tools: [{ ...notes, tools: [{ ...readNote, type: 'fuction' }] }] },
    ],
    ['tools[0].tools[0].type', { tools: [{ ...notes, tools: [notes] }] }],
    ['tools[0].tools', { tools: [{ type: 'namespace', name: 'x' }] }],
  ])('or a tool that cannot be is refused with the path %s', (param, extra) => {
    expect(refusal(responsesDialect, { ...body, ...extra })).toMatchObject({ status: 400, param })
  })
})

const outputOf = (value: unknown) =>
  z.object({ output: z.array(z.looseObject({ type: z.string() })) }).parse(value).output
const wholeItems = (parts: ReturnType<typeof call>[], reason = 'tool-calls') =>
  outputOf(playWhole(responsesDialect, body, parts, reason))
const streamed = (parts: readonly StreamPart[], error?: typeof gone) =>
  play(responsesDialect, body, [begin, ...parts], error)

const patch = '*** Begin Patch\n+"é" <b>\\n</b>\n*** End Patch\n'
const patchJson = JSON.stringify({ input: patch })

describe('a call', () => {
  it.each<[string, string, object]>([
    [
      'exec_command',
      '{"title":"x"}',
      { type: 'function_call', name: 'exec_command', arguments: '{"title":"x"}' },
    ],
    [
      'mcp__notes__read_note',
      '{}',
      { type: 'function_call', name: 'read_note', namespace: 'mcp__notes', arguments: '{}' },
    ],
    ['apply_patch', patchJson, { type: 'custom_tool_call', name: 'apply_patch', input: patch }],
    [
      'db__run',
      '{"input":"select 1"}',
      { type: 'custom_tool_call', name: 'run', namespace: 'db', input: 'select 1' },
    ],
    [
      'tool_search',
      '{"query":"x"}',
      { type: 'tool_search_call', execution: 'client', arguments: { query: 'x' } },
    ],
    [
      'local_shell',
      '{"command":["ls"],"timeout_ms":5}',
      {
        type: 'local_shell_call',
        action: { type: 'exec', command: ['ls'], env: {}, timeout_ms: 5 },
      },
    ],
    [
      'shell',
      '{"commands":["ls"]}',
      {
        type: 'shell_call',
        environment: { type: 'local' },
        action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
      },
    ],
    ['no_such_tool', '{}', { type: 'function_call', name: 'no_such_tool', arguments: '{}' }],
  ])('of %s is the item that the client expects, whole and streamed', (name, json, item) => {
    const want = { id: expect.any(String), call_id: 'c', status: 'completed', ...item }
    expect(wholeItems([call('c', name, json)])).toEqual([want])
    const events = streamed([...callInPieces('c', name, [...json]), finish('tool-calls')])
    const done = events.filter(({ event }) => event === 'response.output_item.done')
    expect(done).toMatchObject([{ data: { output_index: 0, item: want } }])
    expect(events.at(-1)).toMatchObject({
      event: 'response.completed',
      data: { response: { output: [want] } },
    })
  })

  it('of a custom tool is streamed as its text', () => {
    const parts = [...callInPieces('c', 'apply_patch', ['{"input":"a\\', 'nb', '"}']), finish()]
    const events = streamed(parts).slice(2)
    const place = { item_id: 'ctc_1', output_index: 0 }
    const item = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c', name: 'apply_patch' }
    expect(events.map(({ data }) => data)).toMatchObject([
      { type: 'response.output_item.added', item: { ...item, status: 'in_progress', input: '' } },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: 'a' },
      { type: 'response.custom_tool_call_input.delta', ...place, delta: '\nb' },
      { type: 'response.custom_tool_call_input.done', ...place, input: 'a\nb' },
      { type: 'response.output_item.done', item: { ...item, status: 'completed', input: 'a\nb' } },
      { type: 'response.completed' },
    ])
  })

  it.each<[string, string]>([
    ['apply_patch', '{"input":"*** Begin Pa'],
    ['apply_patch', '{"input":5}'],
    ['apply_patch', '{}'],
    ['local_shell', '{"command":["rm","-r'],
    ['local_shell', '{"command":"rm -r /"}'],
    ['shell', '{"commands":'],
    ['tool_search', '{"query"'],
  ])('of %s with %s is a text, never an item that is done', (name, json) => {
    const shown = `[A call of ${name} that is cut off or cannot be read: ${json}]`
    const message = { type: 'message', content: [{ text: shown }] }
    expect(wholeItems([call('c', name, json)], 'length')).toMatchObject([message])
    for (const reason of ['length', 'stop']) {
      const events = streamed([...callInPieces('c', name, [...json]), finish(reason)])
      const done = events.filter(({ event }) => event?.endsWith('.done'))
      expect(done.map(({ event }) => event)).toEqual([
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
      ])
      expect(
        outputOf(z.object({ response: z.unknown() }).parse(events.at(-1)?.data).response),
      ).toMatchObject([message])
    }
  })

  it('of a custom tool never looks complete when the stream breaks', () => {
    const parts = [inputStart('c', 'apply_patch'), inputDelta('c', '{"input":"*** Begin Pa')]
    const names = streamed([text('So:'), ...parts], gone).map(({ event }) => event)
    expect(names).toContain('response.custom_tool_call_input.delta')
    expect(names.filter(name => name?.includes('custom_tool_call_input.done'))).toEqual([])
    expect(names.at(-1)).toBe('response.failed')
    const unfinished = streamed([...parts, finish('length')])
    expect(unfinished.at(-1)).toMatchObject({
      event: 'response.incomplete',
      data: { response: { output: [{ type: 'message', status: 'incomplete' }] } },
    })
  })

  it('is the only one if the client wants one, of whatever kind', () => {
    const one = { ...body, parallel_tool_calls: false }
    const parts = [
      call('a', 'local_shell', '{"command":["ls"]}'),
      call('b', 'apply_patch', patchJson),
      call('c', 'shell', '{}'),
    ]
    const items = outputOf(playWhole(responsesDialect, one, parts, 'tool-calls'))
    expect(items.map(({ type }) => type)).toEqual(['local_shell_call'])
  })
})
