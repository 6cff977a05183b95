import { describe, expect, it } from 'vitest'
import { chatDialect } from '../../src/dialects/chat.js'
import type { StreamPart } from '../../src/model-types.js'
import { begin, call, callInPieces, finish, gone, play, playWhole, refusal, text } from './play.js'

const grammar = { type: 'grammar', grammar: { syntax: 'regex', definition: '^select' } }
const sql = { type: 'custom', custom: { name: 'sql', description: 'Runs SQL.', format: grammar } }
const fn = {
  type: 'function',
  function: { name: 'f', parameters: { type: 'object', properties: {} } },
}
const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [fn, sql] }
const read = (extra: object, options = {}) => chatDialect.read({ ...body, ...extra }, options)

describe('a custom tool of a chat', () => {
  it('is a function with one text for the model, which shows the grammar', () => {
    expect(read({}).params.tools?.[1]).toMatchObject({
      name: 'sql',
      description: expect.stringMatching(/^Runs SQL\.[\s\S]*regular expression:\n\n\^select$/),
      inputSchema: { required: ['input'] },
    })
  })

  it('has its calls in the conversation', () => {
    const custom = { name: 'sql', input: 'select "a"\n' }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'custom', custom }] },
      { role: 'tool', tool_call_id: 'c', content: '1' },
    ]
    expect(read({ messages }).params.prompt).toMatchObject([
      { content: [{ toolName: 'sql', input: { input: 'select "a"\n' } }] },
      { content: [{ toolName: 'sql', output: { value: '1' } }] },
    ])
  })

  it('must have a name', () => {
    const tools = [{ type: 'custom', custom: { name: '' } }]
    expect(refusal(chatDialect, { ...body, tools })).toMatchObject({
      status: 400,
      param: 'tools[0].custom.name',
    })
  })

  it('does not take the name of a function that is declared after it', () => {
    const own = { name: 'sql', arguments: '{"x":1}' }
    const messages = [
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: own }] },
    ]
    const given = { ...body, messages, tools: [sql, { ...fn, function: { name: 'sql' } }] }
    expect(chatDialect.read(given).params.prompt).toMatchObject([
      { content: [{ toolName: 'sql_2', input: { x: 1 } }] },
    ])
    const whole = playWhole(chatDialect, given, [call('d', 'sql_2', '{"x":1}')], 'tool-calls')
    expect(whole).toMatchObject({ choices: [{ message: { tool_calls: [{ function: own }] } }] })
    const inPieces = callInPieces('d', 'sql_2', ['{"x":1}'])
    for (const parts of [inPieces, [call('d', 'sql_2', '{"x":1}')]]) {
      const [first] = play(chatDialect, given, [...parts, finish('tool-calls')])
      expect(first?.data).toMatchObject({
        choices: [{ delta: { tool_calls: [{ function: { name: 'sql' } }] } }],
      })
    }
  })

  it('can be forced', () => {
    const tool_choice = { type: 'custom', custom: { name: 'sql' } }
    expect(read({ tool_choice }).params.toolChoice).toEqual({ type: 'tool', toolName: 'sql' })
  })

  it('can be allowed with functions; a tool that was left out is not among them', () => {
    const tools = [fn, sql, { ...fn, function: { name: 'g' } }, { type: 'web_search' }]
    const chosen = [sql, { type: 'function', function: { name: 'g' } }, { type: 'web_search' }]
    const tool_choice = {
      type: 'allowed_tools',
      allowed_tools: { mode: 'required', tools: chosen },
    }
    const { params } = read({ tools, tool_choice })
    expect(params.tools?.map(({ name }) => name)).toEqual(['sql', 'g'])
    expect(params.toolChoice).toEqual({ type: 'required' })
  })

  it('and a function of the same name have a name each', () => {
    const tools = [{ ...fn, function: { name: 'sql' } }, sql]
    const given = { ...body, tools }
    expect(chatDialect.read(given).params.tools?.map(({ name }) => name)).toEqual(['sql', 'sql_2'])
    const calls = [call('a', 'sql', '{}'), call('b', 'sql_2', '{"input":"x"}')]
    expect(playWhole(chatDialect, given, calls, 'tool-calls')).toMatchObject({
      choices: [
        {
          message: {
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'sql', arguments: '{}' } },
              { id: 'b', type: 'custom', custom: { name: 'sql', input: 'x' } },
            ],
          },
        },
      ],
    })
  })
})

describe('a call of a custom tool', () => {
  const input = 'select "é"\n</b>'
  const json = JSON.stringify({ input })
  const stream = (parts: readonly StreamPart[], error?: typeof gone) =>
    play(chatDialect, body, [begin, ...parts], error).map(({ data }) => data)

  it('has its text as input, whole', () => {
    const content = [call('a', 'f', '{}'), call('b', 'sql', json)]
    expect(playWhole(chatDialect, body, content, 'tool-calls')).toMatchObject({
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: null,
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
              { id: 'b', type: 'custom', custom: { name: 'sql', input } },
            ],
          },
        },
      ],
    })
  })

  it('has its text as input, in one piece of a stream', () => {
    const parts = [...callInPieces('b', 'sql', [...json]), finish('tool-calls')]
    expect(stream(parts)).toMatchObject([
      {
        choices: [
          {
            delta: {
              tool_calls: [{ index: 0, id: 'b', type: 'custom', custom: { name: 'sql', input } }],
            },
          },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ])
  })

  it.each([
    ['length', 'length'],
    ['tool-calls', 'stop'],
  ])('that is cut off or cannot be read is a text, and the reason %s is %s', (reason, finished) => {
    const cut = '{"input":"delete fr'
    const content = `[A call of sql that is cut off or cannot be read: ${cut}]`
    expect(playWhole(chatDialect, body, [call('b', 'sql', cut)], reason)).toMatchObject({
      choices: [{ finish_reason: finished, message: { role: 'assistant', content } }],
    })
    const events = stream([...callInPieces('b', 'sql', [...cut]), finish(reason)])
    expect(events).toMatchObject([
      { choices: [{ delta: { content } }] },
      { choices: [{ delta: {}, finish_reason: finished }] },
      '[DONE]',
    ])
    expect(JSON.stringify(events)).not.toContain('tool_calls"')
  })

  it('is not there at all if the stream breaks', () => {
    const parts = callInPieces('b', 'sql', ['{"input":"delete fr']).slice(0, 2)
    const events = JSON.stringify(stream([text('So:'), ...parts], gone))
    expect(events).toContain('The upstream is gone.')
    expect(events).not.toContain('delete')
  })
})

describe('a tool that only a server can run', () => {
  it.each([
    { type: 'web_search' },
    { type: 'builtin_function', function: { name: '$web_search' } },
  ])('is left out or refused: %j', tool => {
    const tools = [tool, fn]
    const { params, warnings } = read({ tools })
    expect(params.tools?.map(({ name }) => name)).toEqual(['f'])
    expect(warnings).toEqual([`left out tools that the proxy cannot offer: ${tool.type}`])
    expect(() => read({ tools }, { serverTools: 'refuse' })).toThrow(
      expect.objectContaining({ status: 400, param: 'tools[0].type' }),
    )
  })

  it.each<[string, object]>([
    [
      'tool_choice.type',
      { tools: [fn, { type: 'web_search' }], tool_choice: { type: 'web_search' } },
    ],
    [
      'tool_choice.allowed_tools.mode',
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'all', tools: [] } } },
    ],
    [
      'tool_choice.allowed_tools.tools',
      { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto' } } },
    ],
    [
      'tool_choice.allowed_tools.tools[0].function.name',
      {
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { tools: [{ type: 'function', function: { name: 'nope' } }] },
        },
      },
    ],
    ['tool_choice', { tools: [{ type: 'web_search' }], tool_choice: 'required' }],
    ['tool_choice.custom.name', { tool_choice: { type: 'custom', custom: { name: 'f' } } }],
    ['tools[0].custom', { tools: [{ type: 'custom' }] }],
    ['tools[0].custom.name', { tools: [{ type: 'custom', custom: {} }] }],
  ])('cannot be chosen, nor one that is not there: %s', (param, extra) => {
    expect(refusal(chatDialect, { ...body, ...extra })).toMatchObject({ status: 400, param })
  })
})
