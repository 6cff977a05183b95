import { describe, expect, it } from 'vitest'
import { anthropicDialect, countTokensDialect } from '../../src/dialects/anthropic.js'
import { HttpError } from '../../src/http/http-error.js'
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
  name: 'get_weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } } },
}
const body = {
  model: 'm',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [weather],
}
const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 } }
const eager = { tools: [{ ...weather, eager_input_streaming: true }] }

const events = (parts: readonly StreamPart[], extra: object = {}, error?: HttpError) =>
  play(anthropicDialect, { ...body, ...extra }, [begin, ...parts], error).map(({ event, data }) => {
    expect(data).toMatchObject({ type: event })
    return data
  })
/** Without the start, which is always the same. */
const rest = (parts: readonly StreamPart[], extra: object = {}, error?: HttpError) =>
  events(parts, extra, error).slice(2)
const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, value: object) => ({
  type: 'content_block_delta',
  index,
  delta: value,
})
const stop = (index: number) => ({ type: 'content_block_stop', index })
const usage = {
  input_tokens: 8,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 2,
}
const over = (stop_reason: string) => [
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const use = (id: string, input: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'get_weather',
  input,
})

describe('the stream of a message', () => {
  it('begins with the message and ends with why it is over', () => {
    expect(events([text('Hel'), text('lo'), finish()])).toEqual([
      {
        type: 'message_start',
        message: {
          ...{
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
          },
          stop_sequence: null,
          usage: {
            input_tokens: 0,
            output_tokens: 0,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
          },
        },
      },
      { type: 'ping' },
      start(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'Hel' }),
      delta(0, { type: 'text_delta', text: 'lo' }),
      stop(0),
      ...over('end_turn'),
    ])
  })

  it('writes reasoning, a text and two calls as blocks that follow one another', () => {
    const parts = [
      reasoning('Hm.'),
      text('I look.'),
      ...callInPieces('a', 'get_weather', ['{"city":', '"Rome"}']),
      ...callInPieces('b', 'get_weather', ['{}']),
      finish('tool-calls'),
    ]
    expect(rest(parts, thinking)).toEqual([
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm.' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'I look.' }),
      stop(1),
      start(2, use('a')),
      delta(2, { type: 'input_json_delta', partial_json: '{"city":"Rome"}' }),
      stop(2),
      start(3, use('b')),
      delta(3, { type: 'input_json_delta', partial_json: '{}' }),
      stop(3),
      ...over('tool_use'),
    ])
  })

  it('hides reasoning from a client that did not ask for it', () => {
    expect(rest([reasoning('Hm.'), finish()])).toEqual(over('end_turn'))
    expect(rest([reasoning('Hm.'), finish()], { thinking: { type: 'disabled' } })).toEqual(
      over('end_turn'),
    )
  })

  it('shows a cut call as text', () => {
    const raw = '[A call of get_weather that is cut off or cannot be read: {"city":"Ro]'
    expect(
      rest([text('So:'), ...callInPieces('a', 'get_weather', ['{"city":"Ro']), finish('length')]),
    ).toEqual([
      start(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'So:' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: raw }),
      stop(1),
      ...over('max_tokens'),
    ])
  })

  it('does not say tool_use where no call could be read', () => {
    expect(rest([call('a', 'get_weather', '[1]'), finish('tool-calls')]).slice(-2)).toEqual(
      over('end_turn'),
    )
  })

  it('breaks off with an error, and without the call that was being written', () => {
    const parts = [text('So'), inputStart('a', 'get_weather'), inputDelta('a', '{"city":"Ro')]
    expect(rest(parts, {}, gone)).toEqual([
      start(0, { type: 'text', text: '' }),
      delta(0, { type: 'text_delta', text: 'So' }),
      { type: 'error', error: { type: 'api_error', message: 'The upstream is gone.' } },
    ])
  })

  it('lets only the first call through where calls may not be parallel', () => {
    const parts = [
      call('a', 'get_weather', '{}'),
      call('b', 'get_weather', '{}'),
      finish('tool-calls'),
    ]
    const choice = { tool_choice: { type: 'any', disable_parallel_tool_use: true } }
    expect(rest(parts, choice).filter(data => JSON.stringify(data).includes('tool_use"'))).toEqual([
      start(0, use('a')),
      over('tool_use')[0],
    ])
  })

  it('reports a refusal, and a stop sequence that the server names', () => {
    expect(rest([finish('content-filter')])).toEqual(over('refusal'))
    expect(rest([finish('stop_sequence')])).toEqual(over('stop_sequence'))
  })
})

describe('a tool with eager_input_streaming', () => {
  it('gets its arguments as they come, and what comes between waits', () => {
    const parts = [
      inputStart('a', 'get_weather'),
      inputDelta('a', '{"city":'),
      text('later'),
      inputStart('b', 'get_weather'),
      inputDelta('a', '"Rome"}'),
      inputDelta('b', '{}'),
      call('a', 'get_weather', '{"city":"Rome"}'),
      call('b', 'get_weather', '{}'),
      finish('tool-calls'),
    ]
    expect(rest(parts, eager)).toEqual([
      start(0, use('a')),
      delta(0, { type: 'input_json_delta', partial_json: '{"city":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"Rome"}' }),
      stop(0),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'later' }),
      stop(1),
      start(2, use('b')),
      delta(2, { type: 'input_json_delta', partial_json: '{}' }),
      stop(2),
      ...over('tool_use'),
    ])
  })

  it.each([
    ['is cut', [...callInPieces('a', 'get_weather', ['{"city":"Ro']), finish('length')]],
    ['never ends', [inputStart('a', 'get_weather'), inputDelta('a', '{"city":"Ro'), finish()]],
  ])('gets an error instead of the end of its block when the call %s', (_, parts) => {
    expect(rest(parts, eager)).toEqual([
      start(0, use('a')),
      delta(0, { type: 'input_json_delta', partial_json: '{"city":"Ro' }),
      {
        type: 'error',
        error: {
          type: 'api_error',
          message: 'A call of the model was cut off, or its input is not JSON.',
        },
      },
    ])
  })
})

it('a whole message has its blocks, with parsed input', () => {
  const content = [
    { type: 'reasoning' as const, text: 'Hm.' },
    { type: 'text' as const, text: 'I look.' },
    call('a', 'get_weather', '{"city":"Rome"}'),
    call('b', 'get_weather', '{"city'),
  ]
  expect(playWhole(anthropicDialect, { ...body, ...thinking }, content, 'tool-calls')).toEqual({
    ...{
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      stop_reason: 'tool_use',
      stop_sequence: null,
    },
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'I look.' },
      use('a', { city: 'Rome' }),
      { type: 'text', text: '[A call of get_weather that is cut off or cannot be read: {"city]' },
    ],
    usage,
  })
})

describe('a request for a message', () => {
  const read = (extra: object) => anthropicDialect.read({ ...body, ...extra })

  it('becomes a prompt with results as messages of their own', () => {
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'I look.' },
          use('a', { city: 'Rome' }),
          use('b'),
          use('c'),
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'sunny' },
          {
            type: 'tool_result',
            tool_use_id: 'b',
            content: [{ type: 'text', text: 'no' }],
            is_error: true,
          },
          {
            type: 'tool_result',
            tool_use_id: 'c',
            content: [
              { type: 'text', text: 'a map' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'BBBB' } },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
      },
    ]
    const result = (toolCallId: string, output: object) => ({
      ...{ type: 'tool-result', toolCallId, toolName: 'get_weather' },
      output,
    })
    const toolCall = (toolCallId: string, input = {}) => ({
      ...{ type: 'tool-call', toolCallId, toolName: 'get_weather', input },
    })
    expect(
      read({
        system: [
          { type: 'text', text: 'Be' },
          { type: 'text', text: 'brief.' },
        ],
        messages,
      }).params.prompt,
    ).toEqual([
      { role: 'system', content: 'Be\nbrief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'file', mediaType: 'image/png', data: 'AAAA' },
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: new URL('https://example.com/a.pdf'),
          },
          { type: 'text', text: 'plain' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'I look.' },
          toolCall('a', { city: 'Rome' }),
          toolCall('b'),
          toolCall('c'),
        ],
      },
      {
        role: 'tool',
        content: [
          result('a', { type: 'text', value: 'sunny' }),
          result('b', { type: 'error-text', value: 'no' }),
          result('c', {
            type: 'content',
            value: [
              { type: 'text', text: 'a map' },
              { type: 'file-data', mediaType: 'image/png', data: 'BBBB' },
            ],
          }),
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ])
  })

  it('keeps its settings, and hands on what a server may know', () => {
    const { params, extra } = read({
      ...{
        temperature: 1,
        top_p: 0.5,
        top_k: 3,
        stop_sequences: ['END'],
        metadata: { user_id: 'u' },
        service_tier: 'auto',
      },
      tool_choice: { type: 'tool', name: 'get_weather' },
    })
    expect(params).toMatchObject({
      ...{ maxOutputTokens: 100, temperature: 1, topP: 0.5, stopSequences: ['END'] },
      toolChoice: { type: 'tool', toolName: 'get_weather' },
    })
    expect(extra).toEqual({ top_k: 3, user: 'u' })
    expect(read({ tool_choice: { type: 'none' } }).params.toolChoice).toEqual({ type: 'none' })
    expect(read({ tool_choice: { type: 'any' } }).params.toolChoice).toEqual({ type: 'required' })
    const format = { type: 'json_schema', schema: { type: 'object' } }
    expect(read({ output_config: { format } }).params.responseFormat).toEqual({
      type: 'json',
      schema: { type: 'object' },
    })
  })

  const saying = (content: unknown, role = 'user') => ({ ...body, messages: [{ role, content }] })
  it.each([
    ['body', null as unknown],
    ['model', { ...body, model: undefined }],
    ['max_tokens', { ...body, max_tokens: undefined }],
    ['max_tokens', { ...body, max_tokens: 'many' }],
    ['messages', { ...body, messages: undefined }],
    ['messages', { ...body, messages: [] }],
    ['messages[0].role', saying('x', 'tool')],
    ['messages[0].content', saying(null)],
    ['messages[0].content', saying(5)],
    ['messages[0].content[0]', saying(['x'])],
    ['messages[0].content[0].type', saying([{ type: 'video' }])],
    ['messages[0].content[0].source', saying([{ type: 'image' }])],
    [
      'messages[0].content[0].source.type',
      saying([{ type: 'image', source: { type: 'file', file_id: 'f' } }]),
    ],
    [
      'messages[0].content[0].source.url',
      saying([{ type: 'image', source: { type: 'url', url: 'nowhere' } }]),
    ],
    ['messages[0].content[0].tool_use_id', saying([{ type: 'tool_result' }])],
    ['messages[0].content[0].name', saying([{ type: 'tool_use', id: 'a' }], 'assistant')],
    ['messages[0].content[0].id', saying([{ type: 'server_tool_use' }], 'assistant')],
    ['system[0].text', { ...body, system: [{ type: 'text' }] }],
    ['tools[0].type', { ...body, tools: [{ ...weather, type: 'costum' }] }],
    ['tools[0].input_schema', { ...body, tools: [{ name: 'x' }] }],
    ['tool_choice.type', { ...body, tool_choice: { type: 'some' } }],
    ['tool_choice.name', { ...body, tool_choice: { type: 'tool', name: 'nope' } }],
    ['stop_sequences[1]', { ...body, stop_sequences: ['a', 5] }],
    ['messages', saying([])],
  ])('is refused with the path %s, in the shape of this API', (path, request) => {
    const { status, param, body: told } = refusal(anthropicDialect, request)
    expect({ status, param }).toEqual({ status: 400, param: path })
    expect(told).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(path) },
    })
  })
})

it('errors have the names of this API', () => {
  expect(anthropicDialect.error(new HttpError(413, 'x'))).toMatchObject({
    error: { type: 'request_too_large' },
  })
  expect(anthropicDialect.error(new HttpError(503, 'x'))).toMatchObject({
    error: { type: 'overloaded_error' },
  })
  expect(anthropicDialect.error(new HttpError(401, 'x'))).toMatchObject({
    error: { type: 'authentication_error' },
  })
})

it('an unknown thread is an error, so that the client sends everything again', () => {
  expect(anthropicDialect.read({ ...body, thread: { type: 'create' } }).extra).toEqual({})
  const thread = { type: 'continue', previous_message_id: 'msg_1' }
  expect(refusal(anthropicDialect, { ...body, thread })).toMatchObject({
    status: 404,
    body: { error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } } },
  })
})

it('a request to count tokens needs no max_tokens', () => {
  const { max_tokens: _, ...others } = body
  expect(countTokensDialect.read(others).model).toBe(body.model)
  expect(refusal(countTokensDialect, { ...others, messages: [] })).toMatchObject({
    status: 400,
    param: 'messages',
  })
})
