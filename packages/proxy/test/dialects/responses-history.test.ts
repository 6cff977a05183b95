import { describe, expect, it } from 'vitest'
import { responsesDialect } from '../../src/dialects/responses.js'
import { refusal } from './play.js'

const user = { role: 'user', content: 'Hi' }
const tools = [{ type: 'custom', name: 'apply_patch' }, { type: 'local_shell' }]
const read = (items: readonly object[]) => {
  const { params, warnings } = responsesDialect.read({ model: 'm', tools, input: [user, ...items] })
  return { prompt: params.prompt.slice(1), warnings }
}

/** A call and its result, as the model sees them. */
const ran = (toolName: string, input: unknown, value: string, type = 'text') => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName, input }] },
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c', toolName, output: { type, value } }],
  },
]

describe('the conversation of a response', () => {
  it.each<[string, object[], object[]]>([
    [
      'a function of a namespace',
      [
        {
          ...{ type: 'function_call', id: 'fc_1', call_id: 'c', name: 'read_note' },
          ...{ namespace: 'mcp__notes', arguments: '{"title":"x"}' },
        },
        {
          ...{ type: 'function_call_output', id: 'fco_1', call_id: 'c' },
          output: [
            { type: 'input_text', text: '7 lemons' },
            { type: 'encrypted_content', encrypted_content: 'AAAA' },
          ],
        },
      ],
      ran('mcp__notes__read_note', { title: 'x' }, '7 lemons'),
    ],
    [
      'a function at the top level, with an empty namespace',
      [
        { type: 'function_call', call_id: 'c', name: 'f', namespace: '', arguments: '' },
        { type: 'function_call_output', call_id: 'c', output: 'ok' },
      ],
      ran('f', {}, 'ok'),
    ],
    [
      'a custom tool',
      [
        {
          type: 'custom_tool_call',
          id: 'ctc_1',
          call_id: 'c',
          name: 'apply_patch',
          input: 'a\n"b"',
        },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'Done' },
      ],
      ran('apply_patch', { input: 'a\n"b"' }, 'Done'),
    ],
    [
      'a custom tool of a namespace',
      [
        { type: 'custom_tool_call', call_id: 'c', name: 'run', namespace: 'db', input: '' },
        {
          type: 'custom_tool_call_output',
          call_id: 'c',
          output: [{ type: 'input_text', text: '1' }],
        },
      ],
      ran('db__run', { input: '' }, '1'),
    ],
    [
      'the local shell',
      [
        {
          ...{ type: 'local_shell_call', id: 'x', call_id: 'c', status: 'completed' },
          action: { type: 'exec', command: ['ls'], env: {}, timeout_ms: null },
        },
        { type: 'local_shell_call_output', id: 'c', output: 'a.txt' },
      ],
      ran('local_shell', { command: ['ls'], env: {} }, 'a.txt'),
    ],
    [
      'the shell',
      [
        { type: 'shell_call', call_id: 'c', action: { commands: ['ls', 'x'], timeout_ms: null } },
        {
          ...{ type: 'shell_call_output', call_id: 'c' },
          output: [
            { stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } },
            { stdout: '', stderr: 'no x', outcome: { type: 'timeout' } },
          ],
        },
      ],
      ran('shell', { commands: ['ls', 'x'] }, 'a.txt\nexit code 0\n\nno x\ntimeout'),
    ],
    [
      'a patch that failed',
      [
        {
          ...{ type: 'apply_patch_call', call_id: 'c', status: 'completed' },
          operation: { type: 'delete_file', path: 'a' },
        },
        { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'no file' },
      ],
      // The client has no tool of this type now, and a custom one of the same name.
      ran('apply_patch', { type: 'delete_file', path: 'a' }, 'no file', 'error-text'),
    ],
    [
      'a tool of an MCP server that the vendor called',
      [
        {
          ...{ type: 'mcp_call', id: 'c', server_label: 'notes', name: 'read' },
          ...{ arguments: '{}', output: 'text', error: null },
        },
      ],
      ran('notes__read', {}, 'text'),
    ],
    [
      'such a tool that failed',
      [
        {
          type: 'mcp_call',
          id: 'c',
          server_label: 'n',
          name: 'r',
          arguments: '',
          error: { code: 1 },
        },
      ],
      ran('n__r', {}, '{"code":1}', 'error-text'),
    ],
    [
      'code that the vendor ran',
      [
        {
          ...{ type: 'code_interpreter_call', id: 'c', code: 'print(1)' },
          outputs: [
            { type: 'logs', logs: '1' },
            { type: 'image', url: 'x' },
          ],
        },
      ],
      ran('code_interpreter', { code: 'print(1)' }, '1'),
    ],
    [
      'files that the vendor found',
      [
        {
          ...{ type: 'file_search_call', id: 'c', queries: ['q'] },
          results: [{ filename: 'a', text: 't', score: 1 }],
        },
      ],
      ran('file_search', { queries: ['q'] }, '[{"filename":"a","text":"t"}]'),
    ],
    [
      'a message of another agent',
      [
        {
          type: 'agent_message',
          author: '/root/a',
          content: [{ type: 'input_text', text: 'Hm.' }],
        },
      ],
      [{ role: 'user', content: [{ type: 'text', text: 'Message of /root/a:\nHm.' }] }],
    ],
  ])('has %s', (_, items, prompt) => {
    expect(read(items)).toEqual({ prompt, warnings: [] })
  })

  it.each<[Readonly<Record<string, unknown>>]>([
    [
      {
        ...{ type: 'web_search_call', id: 'x', status: 'completed' },
        ...{ action: { type: 'search' } },
      },
    ],
    [{ type: 'file_search_call', id: 'x', queries: ['q'], results: null }],
    [{ type: 'image_generation_call', id: 'x', result: 'AAAA' }],
    [{ type: 'compaction', encrypted_content: 'AAAA' }],
    [{ type: 'compaction_summary', encrypted_content: 'AAAA' }],
    [{ type: 'context_compaction', encrypted_content: 'AAAA' }],
    [{ type: 'compaction_trigger' }],
    [{ type: 'computer_call', call_id: 'x', action: { type: 'screenshot' } }],
    [{ type: 'computer_call_output', call_id: 'x', output: { type: 'computer_screenshot' } }],
    [{ type: 'mcp_list_tools', id: 'x', server_label: 'n', tools: [] }],
    [{ type: 'mcp_approval_request', id: 'x' }],
    [{ type: 'agent_message', author: 'a', content: [{ type: 'encrypted_content' }] }],
    [{ type: 'an_item_of_tomorrow' }],
  ])('is read without %j', item => {
    const { type } = item
    expect(read([item, { role: 'assistant', content: 'So.' }])).toEqual({
      prompt: [{ role: 'assistant', content: [{ type: 'text', text: 'So.' }] }],
      warnings: [`left out parts of the conversation that the model cannot read: ${type}`],
    })
  })

  it('has no call of a search that the server of the vendor made', () => {
    const items = [
      { type: 'tool_search_call', execution: 'server', call_id: null, arguments: {} },
      { type: 'tool_search_output', execution: 'server', call_id: null, tools: [] },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'AAAA' },
    ]
    expect(read([...items, { role: 'user', content: 'Hi' }])).toEqual({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
      warnings: [],
    })
  })

  it.each([
    ['compaction', [{ type: 'compaction', encrypted_content: 'AAAA' }], {}],
    ['compaction', [{ type: 'compaction' }, { type: 'compaction' }], { instructions: 'Be kind.' }],
    ['compaction, reasoning', [{ type: 'compaction' }, { type: 'reasoning', summary: [] }], {}],
  ])('is refused if it contains only %s', (types, input, more) => {
    const { body, ...refused } = refusal(responsesDialect, { model: 'm', input, ...more })
    expect(refused).toEqual({ status: 400, param: 'input' })
    expect(body).toMatchObject({
      error: {
        message: `input: contains nothing that the model can read, only ${types}; send a message too.`,
      },
    })
  })

  it.each<[string, object]>([
    ['input[0].name', { type: 'custom_tool_call', call_id: 'c', input: 'x' }],
    ['input[0].input', { type: 'custom_tool_call', call_id: 'c', name: 'x' }],
    ['input[0].call_id', { type: 'custom_tool_call', name: 'x', input: 'x' }],
    ['input[0].output', { type: 'custom_tool_call_output', call_id: 'c' }],
    ['input[0].action', { type: 'local_shell_call', call_id: 'c' }],
    ['input[0].namespace', { type: 'function_call', call_id: 'c', name: 'f', namespace: 5 }],
  ])('is refused with the path %s', (param, item) => {
    expect(refusal(responsesDialect, { model: 'm', input: [item] })).toMatchObject({
      status: 400,
      param,
    })
  })
})
