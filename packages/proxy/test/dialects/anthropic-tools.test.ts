import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anthropicDialect } from '../../src/dialects/anthropic.js'
import { call, playWhole, refusal } from './play.js'

const weather = { name: 'get_weather', input_schema: { type: 'object', properties: {} } }
const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }
const read = (extra: object, options = {}) => anthropicDialect.read({ ...body, ...extra }, options)
const schema = z.looseObject({
  name: z.string(),
  inputSchema: z.looseObject({
    properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })),
  }),
})
const shown = (tool: object) => schema.parse(read({ tools: [tool] }).params.tools?.[0])

describe('a tool of Anthropic that the client runs', () => {
  it.each([
    ['bash_20241022', 'bash', ['command', 'restart'], undefined],
    ['bash_20250124', 'bash', ['command', 'restart'], undefined],
    ['text_editor_20241022', 'str_replace_editor', ['command', 'path'], 'undo_edit'],
    ['text_editor_20250124', 'str_replace_editor', ['command', 'path'], 'undo_edit'],
    ['text_editor_20250429', 'str_replace_based_edit_tool', ['command', 'insert_text'], 'insert'],
    ['text_editor_20250728', 'str_replace_based_edit_tool', ['command', 'insert_text'], 'insert'],
    ['memory_20250818', 'memory', ['command', 'old_path', 'new_path'], 'rename'],
    ['computer_20241022', 'computer', ['action', 'coordinate'], 'screenshot'],
    ['computer_20250124', 'computer', ['action', 'scroll_direction'], 'triple_click'],
    ['computer_20251124', 'computer', ['action', 'region'], 'zoom'],
  ])('%s is shown as %s, with %j', (type, name, fields, command) => {
    const tool = { type, name, display_width_px: 1024, display_height_px: 768 }
    const seen = shown(tool)
    const { properties } = seen.inputSchema
    expect(seen.name).toBe(name)
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(fields))
    const { command: commands, action } = properties
    if (command !== undefined) expect((commands ?? action)?.enum).toContain(command)
    // Without a name it is the one of its type.
    expect(shown({ ...tool, name: undefined }).name).toBe(name)
    const calls = [call('a', name, '{"command":"x"}')]
    expect(playWhole(anthropicDialect, { ...body, tools: [tool] }, calls)).toMatchObject({
      content: [{ type: 'tool_use', id: 'a', name, input: { command: 'x' } }],
    })
  })

  it('has only what its version can do', () => {
    const editor = shown({ type: 'text_editor_20250728' }).inputSchema.properties
    expect(editor.command?.enum).not.toContain('undo_edit')
    expect(shown({ type: 'text_editor_20250124' }).inputSchema.properties).not.toHaveProperty(
      'insert_text',
    )
    expect(shown({ type: 'computer_20241022' }).inputSchema.properties.action?.enum).not.toContain(
      'scroll',
    )
  })
})

describe('a tool that only the server of Anthropic can run', () => {
  it.each([
    { type: 'web_search_20250305', name: 'web_search' },
    { type: 'web_fetch_20260309', name: 'web_fetch' },
    { type: 'code_execution_20250825', name: 'code_execution' },
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
    { type: 'tool_search_tool_bm25', name: 'tool_search_tool_bm25' },
    { type: 'mcp_toolset', mcp_server_name: 'x' },
    { type: 'advisor_20260301', name: 'advisor' },
  ])('is left out or refused: $type', tool => {
    const tools = [tool, weather]
    const { params, warnings } = read({ tools })
    expect(params.tools?.map(({ name }) => name)).toEqual(['get_weather'])
    expect(warnings).toEqual([`left out tools that the proxy cannot offer: ${tool.type}`])
    expect(() => read({ tools }, { serverTools: 'refuse' })).toThrow(
      expect.objectContaining({ status: 400, param: 'tools[0].type' }),
    )
  })

  it('may be an MCP server in a field of its own', () => {
    const { warnings } = read({ mcp_servers: [{ type: 'url', url: 'https://x', name: 'x' }] })
    expect(warnings).toEqual(['left out tools that the proxy cannot offer: mcp_servers'])
  })

  it('cannot be chosen', () => {
    const search = { type: 'web_search_20250305', name: 'web_search' }
    const choose = (tools: object[], tool_choice: object) =>
      refusal(anthropicDialect, { ...body, tools, tool_choice })
    expect(choose([search, weather], { type: 'tool', name: 'web_search' })).toMatchObject({
      status: 400,
      param: 'tool_choice.name',
      body: { error: { message: expect.stringContaining('only the server of its vendor') } },
    })
    expect(choose([search], { type: 'any' })).toMatchObject({ status: 400, param: 'tool_choice' })
  })
})

describe('the conversation of a message', () => {
  const conversation = (content: unknown, role = 'assistant') => {
    const messages = [...body.messages, { role, content }]
    const { params, warnings } = read({ messages })
    return { prompt: params.prompt.slice(1), warnings }
  }
  const say = (text: string) => ({ type: 'text', text })
  const used = (toolName: string, input: unknown) => ({
    ...{ type: 'tool-call', toolCallId: 'a', toolName, input },
  })
  const result = (toolName: string, value: string, type = 'text') => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName, output: { type, value } }],
  })

  it.each<[string, object[], object[]]>([
    [
      'a search of the server, without what only Anthropic can read',
      [
        { type: 'server_tool_use', id: 'a', name: 'web_search', input: { query: 'q' } },
        {
          ...{ type: 'web_search_tool_result', tool_use_id: 'a' },
          content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'A' }],
        },
      ],
      [
        { role: 'assistant', content: [say('I look.'), used('web_search', { query: 'q' })] },
        result('web_search', '[{"type":"web_search_result","url":"u","title":"t"}]'),
      ],
    ],
    [
      'a tool of an MCP server',
      [
        { type: 'mcp_tool_use', id: 'a', name: 'read', server_name: 'notes', input: {} },
        {
          type: 'mcp_tool_result',
          tool_use_id: 'a',
          is_error: true,
          content: [say('no'), say('x')],
        },
      ],
      [
        { role: 'assistant', content: [say('I look.'), used('notes__read', {})] },
        result('notes__read', 'no\nx', 'error-text'),
      ],
    ],
  ])('has %s', (_, blocks, prompt) => {
    expect(conversation([say('I look.'), ...blocks, say('So.')])).toEqual({
      prompt: [...prompt, { role: 'assistant', content: [say('So.')] }],
      warnings: [],
    })
  })

  it('has the summary of what was compacted', () => {
    expect(conversation([{ type: 'compaction', content: 'They said hi.' }])).toEqual({
      prompt: [{ role: 'assistant', content: [say('They said hi.')] }],
      warnings: [],
    })
  })

  it('has the names of tools that were found', () => {
    const content = [{ type: 'tool_reference', tool_name: 'get_weather' }]
    const { prompt } = conversation([{ type: 'tool_result', tool_use_id: 'a', content }], 'user')
    expect(prompt).toEqual([result('unknown', 'The tool get_weather can be called now.')])
  })

  it.each(['container_upload', 'compaction', 'mcp_tool_listing', 'a_block_of_tomorrow'])(
    'is read without a block %s',
    type => {
      expect(conversation([{ type }, say('So.')])).toEqual({
        prompt: [{ role: 'assistant', content: [say('So.')] }],
        warnings: [`left out parts of the conversation that the model cannot read: ${type}`],
      })
    },
  )
})
