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
  reasoning,
  refusal,
  text,
} from './play.js'

const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: {} },
}
const body = { model: 'm', input: 'Hi', tools: [weather], metadata: { a: 'b' } }

/**
 * The events without the response that some of them carry, which is the same but for its status and
 * output.
 */
const brief = (
  parts: readonly StreamPart[],
  options: { readonly error?: typeof gone; readonly extra?: object } = {},
) =>
  play(responsesDialect, { ...body, ...options.extra }, parts, options.error).map(
    ({ event, data }, i) => {
      const { type, sequence_number, response, ...rest } = z
        .looseObject({
          type: z.string(),
          sequence_number: z.number(),
          response: z.looseObject({ status: z.string() }).optional(),
        })
        .parse(data)
      expect(event).toBe(type)
      expect(sequence_number).toBe(i)
      return [
        type.replace('response.', ''),
        ...(response ? [response.status] : []),
        ...(Object.keys(rest).length ? [rest] : []),
      ]
    },
  )
const names = (parts: readonly StreamPart[], options = {}) =>
  brief(parts, options).map(([name]) => name)

describe('the stream of a response', () => {
  it('brings a text in the order in which the official client expects it', () => {
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const part = { type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }
    const item = { id: 'msg_1', type: 'message', role: 'assistant' }
    expect(brief([begin, text('Hel'), text('lo'), finish()])).toEqual([
      ['created', 'in_progress'],
      ['in_progress', 'in_progress'],
      [
        'output_item.added',
        { output_index: 0, item: { ...item, status: 'in_progress', content: [] } },
      ],
      ['content_part.added', { ...at, part: { ...part, text: '' } }],
      ['output_text.delta', { ...at, delta: 'Hel', logprobs: [] }],
      ['output_text.delta', { ...at, delta: 'lo', logprobs: [] }],
      ['output_text.done', { ...at, text: 'Hello', logprobs: [] }],
      ['content_part.done', { ...at, part }],
      [
        'output_item.done',
        { output_index: 0, item: { ...item, status: 'completed', content: [part] } },
      ],
      ['completed', 'completed'],
    ])
  })

  it('writes reasoning and two calls, each at its index', () => {
    const parts = [
      begin,
      reasoning('Hm.'),
      ...callInPieces('c1', 'get_weather', ['{"city":', '"Rome"}']),
      ...callInPieces('c2', 'get_time', ['{}']),
      finish('tool-calls'),
    ]
    const item = (n: number, name: string) => ({
      id: `fc_${n}`,
      type: 'function_call',
      call_id: `c${n}`,
      name,
    })
    const reasoningItem = { id: 'rs_1', type: 'reasoning', summary: [] }
    const thinking = { item_id: 'rs_1', output_index: 0, content_index: 0 }
    const first = { item_id: 'fc_1', output_index: 1 }
    const second = { item_id: 'fc_2', output_index: 2 }
    const city = '{"city":"Rome"}'
    expect(brief(parts).slice(2)).toEqual([
      [
        'output_item.added',
        { output_index: 0, item: { ...reasoningItem, status: 'in_progress', content: [] } },
      ],
      ['content_part.added', { ...thinking, part: { type: 'reasoning_text', text: '' } }],
      ['reasoning_text.delta', { ...thinking, delta: 'Hm.' }],
      ['reasoning_text.done', { ...thinking, text: 'Hm.' }],
      ['content_part.done', { ...thinking, part: { type: 'reasoning_text', text: 'Hm.' } }],
      [
        'output_item.done',
        {
          output_index: 0,
          item: {
            ...reasoningItem,
            status: 'completed',
            content: [{ type: 'reasoning_text', text: 'Hm.' }],
          },
        },
      ],
      [
        'output_item.added',
        {
          output_index: 1,
          item: { ...item(1, 'get_weather'), status: 'in_progress', arguments: '' },
        },
      ],
      ['function_call_arguments.delta', { ...first, delta: '{"city":' }],
      ['function_call_arguments.delta', { ...first, delta: '"Rome"}' }],
      ['function_call_arguments.done', { ...first, name: 'get_weather', arguments: city }],
      [
        'output_item.done',
        {
          output_index: 1,
          item: { ...item(1, 'get_weather'), status: 'completed', arguments: city },
        },
      ],
      [
        'output_item.added',
        { output_index: 2, item: { ...item(2, 'get_time'), status: 'in_progress', arguments: '' } },
      ],
      ['function_call_arguments.delta', { ...second, delta: '{}' }],
      ['function_call_arguments.done', { ...second, name: 'get_time', arguments: '{}' }],
      [
        'output_item.done',
        { output_index: 2, item: { ...item(2, 'get_time'), status: 'completed', arguments: '{}' } },
      ],
      ['completed', 'completed'],
    ])
  })

  it('separates calls that a server writes at the same time', () => {
    const parts = [
      begin,
      inputStart('a', 'x'),
      inputStart('b', 'y'),
      inputDelta('a', '{}'),
      inputDelta('b', '{"n":1}'),
      call('a', 'x', '{}'),
      call('b', 'y', '{"n":1}'),
      finish('tool-calls'),
    ]
    const last = play(responsesDialect, body, parts).at(-1)
    expect(last?.data).toMatchObject({
      response: {
        output: [
          { call_id: 'a', arguments: '{}', status: 'completed' },
          { call_id: 'b', arguments: '{"n":1}', status: 'completed' },
        ],
      },
    })
  })

  it('ends a text that the limit cut as incomplete', () => {
    const events = brief([begin, text('Hel'), finish('length')])
    expect(events.at(-2)).toMatchObject(['output_item.done', { item: { status: 'incomplete' } }])
    const last = play(responsesDialect, body, [begin, text('Hel'), finish('length')]).at(-1)
    expect(last).toMatchObject({
      event: 'response.incomplete',
      data: {
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      },
    })
  })

  it('never says that the arguments of a cut call are done', () => {
    const parts = [
      begin,
      ...callInPieces('c', 'get_weather', ['{"city":', '"Ro']),
      finish('length'),
    ]
    expect(names(parts).slice(2)).toEqual([
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'output_item.done',
      'incomplete',
    ])
    expect(brief(parts).at(-2)).toMatchObject([
      'output_item.done',
      { item: { status: 'incomplete', arguments: '{"city":"Ro' } },
    ])
  })

  it('reports an error, and that the response failed, without the incomplete call', () => {
    const parts = [
      begin,
      text('So: '),
      inputStart('c', 'get_weather'),
      inputDelta('c', '{"city":"Ro'),
    ]
    const events = play(responsesDialect, body, parts, gone)
    const error = {
      type: 'api_error',
      code: 'upstream_unreachable',
      message: 'The upstream is gone.',
      param: null,
    }
    expect(events.at(-2)).toEqual({
      event: 'error',
      data: {
        type: 'error',
        sequence_number: 10,
        code: error.code,
        message: error.message,
        param: null,
        error,
      },
    })
    expect(events.at(-1)).toMatchObject({
      event: 'response.failed',
      data: {
        response: {
          status: 'failed',
          error: { code: 'server_error' },
          output: [{ type: 'message' }],
        },
      },
    })
    expect(JSON.stringify(events.at(-1))).not.toContain('function_call')
    expect(names([], { error: gone })).toEqual(['created', 'in_progress', 'error', 'failed'])
  })

  it('lets only the first call through where calls may not be parallel', () => {
    const parts = [
      begin,
      ...callInPieces('a', 'x', ['{}']),
      ...callInPieces('b', 'y', ['{}']),
      finish('tool-calls'),
    ]
    expect(
      names(parts, { extra: { parallel_tool_calls: false } }).filter(
        name => name === 'output_item.added',
      ),
    ).toHaveLength(1)
  })
})

it('a whole response has the settings of the request, and everything that came', () => {
  const request = { ...body, store: true, temperature: 0.5, instructions: 'Be brief.' }
  const content = [
    { type: 'reasoning' as const, text: 'Hm.' },
    { type: 'text' as const, text: 'Let me see.' },
    call('c1', 'get_weather', ''),
    call('c2', 'get_weather', '{"city":'),
  ]
  expect(playWhole(responsesDialect, request, content, 'tool-calls')).toEqual({
    ...{
      id: 'resp_1',
      object: 'response',
      created_at: 0,
      status: 'completed',
      error: null,
      incomplete_details: null,
    },
    ...{
      background: false,
      instructions: 'Be brief.',
      max_output_tokens: null,
      metadata: { a: 'b' },
      model: 'm',
    },
    ...{
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: false,
    },
    ...{
      temperature: 0.5,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [weather],
      top_p: null,
    },
    truncation: 'disabled',
    output: [
      {
        id: 'rs_1',
        type: 'reasoning',
        status: 'completed',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'Hm.' }],
      },
      {
        ...{ id: 'msg_1', type: 'message', status: 'completed', role: 'assistant' },
        content: [{ type: 'output_text', text: 'Let me see.', annotations: [], logprobs: [] }],
      },
      {
        id: 'fc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'c1',
        name: 'get_weather',
        arguments: '{}',
      },
      {
        id: 'fc_2',
        type: 'function_call',
        status: 'incomplete',
        call_id: 'c2',
        name: 'get_weather',
        arguments: '{"city":',
      },
    ],
    usage: {
      ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 2 } },
      ...{ output_tokens: 5, output_tokens_details: { reasoning_tokens: 1 }, total_tokens: 15 },
    },
  })
})

describe('a request for a response', () => {
  const read = (extra: object) => responsesDialect.read({ ...body, ...extra })

  it('becomes a prompt in which the items of a turn are one message', () => {
    const input = [
      { role: 'developer', content: 'Be kind.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_file', file_url: 'https://example.com/a.pdf' },
        ],
      },
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      { type: 'function_call', call_id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { type: 'function_call', call_id: 'c2', name: 'get_weather', arguments: '{"city' },
      { type: 'function_call_output', call_id: 'c1', output: 'sunny' },
      {
        type: 'function_call_output',
        call_id: 'c2',
        output: [{ type: 'input_text', text: 'no JSON' }],
      },
    ]
    expect(read({ input, instructions: 'Be brief.' }).params.prompt).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'file', mediaType: 'image/png', data: 'AAAA' },
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: new URL('https://example.com/a.pdf'),
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'I look.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: { city: 'Rome' } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'get_weather', input: '{"city' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'get_weather',
            output: { type: 'text', value: 'sunny' },
          },
          {
            type: 'tool-result',
            toolCallId: 'c2',
            toolName: 'get_weather',
            output: { type: 'text', value: 'no JSON' },
          },
        ],
      },
    ])
  })

  it('keeps its settings, and hands on what it does not know', () => {
    const format = { type: 'json_schema', name: 'n', schema: { type: 'object' } }
    const settings = {
      max_output_tokens: 9,
      temperature: 0,
      top_p: 1,
      text: { format },
      reasoning: { effort: 'low' },
      top_k: 4,
    }
    const { params, extra } = read({
      ...settings,
      tool_choice: { type: 'function', name: 'get_weather' },
    })
    expect(params).toMatchObject({
      ...{
        maxOutputTokens: 9,
        temperature: 0,
        topP: 1,
        toolChoice: { type: 'tool', toolName: 'get_weather' },
      },
      responseFormat: { type: 'json', name: 'n', schema: { type: 'object' } },
    })
    expect(extra).toEqual({ reasoning_effort: 'low', top_k: 4 })
    const allowed = {
      type: 'allowed_tools',
      mode: 'required',
      tools: [{ type: 'function', name: 'get_weather' }],
    }
    const tools = [weather, { ...weather, name: 'other' }]
    const left = read({ tools, tool_choice: allowed }).params
    expect(left.tools?.map(({ name }) => name)).toEqual(['get_weather'])
    expect(left.toolChoice).toEqual({ type: 'required' })
  })

  it.each([
    ['body', [] as unknown],
    ['model', { input: 'x' }],
    ['input', { model: 'm' }],
    ['input', { model: 'm', input: 5 }],
    ['input', { model: 'm', input: [] }],
    ['input[0]', { model: 'm', input: ['x'] }],
    ['input[0].type', { model: 'm', input: [{ type: 'item_reference', id: 'x' }] }],
    ['input[0].role', { model: 'm', input: [{ content: 'x' }] }],
    ['input[0].content', { model: 'm', input: [{ role: 'user' }] }],
    [
      'input[0].content[0].type',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'x' }] }] },
    ],
    [
      'input[0].content[0].file_id',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'f' }] }] },
    ],
    ['input[0].call_id', { model: 'm', input: [{ type: 'function_call', name: 'x' }] }],
    ['input[0].output', { model: 'm', input: [{ type: 'function_call_output', call_id: 'x' }] }],
    ['tools[0].type', { ...body, tools: [{ ...weather, type: 'fuction' }] }],
    ['tools[0].name', { ...body, tools: [{ type: 'function' }] }],
    ['tool_choice.name', { ...body, tool_choice: { type: 'function', name: 'nope' } }],
    ['tool_choice.type', { ...body, tool_choice: { type: 'web_search' } }],
    ['tool_choice.mode', { ...body, tool_choice: { type: 'allowed_tools', mode: 'x', tools: [] } }],
    ['previous_response_id', { ...body, previous_response_id: 'resp_1' }],
    ['conversation', { ...body, conversation: 'c' }],
    ['background', { ...body, background: true }],
    ['text.format.type', { ...body, text: { format: { type: 'grammar' } } }],
    ['temperature', { ...body, temperature: 'hot' }],
  ])('is refused with the path %s', (path, request) => {
    const { status, param, body: told } = refusal(responsesDialect, request)
    expect({ status, param }).toEqual({ status: 400, param: path })
    expect(told).toMatchObject({ error: { type: 'invalid_request_error', param: path } })
  })
})
