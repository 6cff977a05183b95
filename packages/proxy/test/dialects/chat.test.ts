import { describe, expect, it } from 'vitest'
import { chatDialect } from '../../src/dialects/chat.js'
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

const fn = { name: 'get_weather', parameters: { type: 'object', properties: {} } }
const body = {
  model: 'm',
  messages: [{ role: 'user', content: 'Hi' }],
  tools: [{ type: 'function', function: fn }],
}
const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: 'm' }
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...base,
  choices: [{ index: 0, delta, finish_reason }],
})
const data = (parts: readonly StreamPart[], extra: object = {}, error?: typeof gone) =>
  play(chatDialect, { ...body, ...extra }, [begin, ...parts], error).map(event => event.data)
const piece = (index: number, args: string) =>
  chunk({ tool_calls: [{ index, function: { arguments: args } }] })
const head = (index: number, id: string, name: string, first: object = {}) =>
  chunk({
    ...first,
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  })

describe('the stream of a completion', () => {
  it('writes reasoning, a text and two calls', () => {
    const parts = [
      reasoning('Hm.'),
      text('I look.'),
      ...callInPieces('a', 'get_weather', ['{"city":', '"Rome"}']),
      ...callInPieces('b', 'get_time', ['{}']),
      finish('tool-calls'),
    ]
    expect(data(parts)).toEqual([
      chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
      chunk({ content: 'I look.' }),
      head(0, 'a', 'get_weather'),
      piece(0, '{"city":'),
      piece(0, '"Rome"}'),
      head(1, 'b', 'get_time'),
      piece(1, '{}'),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ])
  })

  it('leaves the arguments of a cut call as they are, and says length', () => {
    expect(data([...callInPieces('a', 'get_weather', ['{"city":"Ro']), finish('length')])).toEqual([
      head(0, 'a', 'get_weather', { role: 'assistant' }),
      piece(0, '{"city":"Ro'),
      chunk({}, 'length'),
      '[DONE]',
    ])
  })

  it('breaks off with an error, without a reason to finish and without [DONE]', () => {
    expect(
      data([inputStart('a', 'get_weather'), inputDelta('a', '{"city":"Ro')], {}, gone),
    ).toEqual([
      head(0, 'a', 'get_weather', { role: 'assistant' }),
      piece(0, '{"city":"Ro'),
      {
        error: {
          message: 'The upstream is gone.',
          type: 'api_error',
          param: null,
          code: 'upstream_unreachable',
        },
      },
    ])
  })

  it('ends with the usage where that is asked for', () => {
    const events = data([text('x'), finish()], { stream_options: { include_usage: true } })
    const usage = {
      ...{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      ...{
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    }
    expect(events.slice(-3)).toEqual([
      { ...chunk({}, 'stop'), usage: null },
      { ...base, choices: [], usage },
      '[DONE]',
    ])
  })

  it('brings one function_call to a client of old', () => {
    const parts = [
      ...callInPieces('a', 'get_weather', ['{}']),
      ...callInPieces('b', 'get_weather', ['{}']),
      finish('tool-calls'),
    ]
    expect(data(parts, { tools: undefined, functions: [fn] })).toEqual([
      chunk({ role: 'assistant', function_call: { name: 'get_weather', arguments: '' } }),
      chunk({ function_call: { arguments: '{}' } }),
      chunk({}, 'function_call'),
      '[DONE]',
    ])
  })
})

it('a whole completion keeps arguments that cannot be read as the text that they are', () => {
  expect(
    playWhole(chatDialect, body, [call('a', 'get_weather', '{"city"')], 'length'),
  ).toMatchObject({
    choices: [
      {
        message: {
          content: null,
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city"' } },
          ],
        },
        finish_reason: 'length',
      },
    ],
  })
})

describe('a request for a completion', () => {
  const saying = (message: object) => ({ ...body, messages: [message] })
  it.each([
    ['body', 'x' as unknown],
    ['model', { messages: [] }],
    ['messages', { model: 'm' }],
    ['messages', { model: 'm', messages: [] }],
    ['messages[0].role', saying({})],
    ['messages[0].role', saying({ role: 'robot' })],
    ['messages[0].content', saying({ role: 'user' })],
    ['messages[0].content', saying({ role: 'user', content: 5 })],
    ['messages[0].content[0].type', saying({ role: 'user', content: [{ type: 'video' }] })],
    [
      'messages[0].content[0].image_url.url',
      saying({ role: 'user', content: [{ type: 'image_url', image_url: {} }] }),
    ],
    [
      'messages[0].tool_calls[0].function',
      saying({ role: 'assistant', tool_calls: [{ id: 'a' }] }),
    ],
    ['messages[0].tool_call_id', saying({ role: 'tool', content: 'x' })],
    ['tools[0].type', { ...body, tools: [{ type: 'fuction', function: fn }] }],
    ['tools[0].function.name', { ...body, tools: [{ type: 'function', function: {} }] }],
    [
      'tool_choice.function.name',
      { ...body, tool_choice: { type: 'function', function: { name: 'nope' } } },
    ],
    ['stop[0]', { ...body, stop: [5] }],
    ['n', { ...body, n: 2 }],
    ['stream', { ...body, stream: 'yes' }],
  ])('is refused with the path %s', (path, request) => {
    const { status, param } = refusal(chatDialect, request)
    expect({ status, param }).toEqual({ status: 400, param: path })
  })
})

it.each([
  ['data:image/png;charset=x;base64,AAAA', 'image/png', 'AAAA'],
  ['data:image/svg+xml,<svg/>', 'image/*', new URL('data:image/svg+xml,<svg/>')],
  ['data:image/svg+xml;utf8,%3Csvg/%3E', 'image/*', new URL('data:image/svg+xml;utf8,%3Csvg/%3E')],
])('an image in a data URL is base64 only if the URL says so: %s', (url, mediaType, data) => {
  const content = [{ type: 'image_url', image_url: { url } }]
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const { params } = chatDialect.read({ model: 'm', messages: [{ role: 'user', content }], tools })
  expect(params.prompt).toEqual([{ role: 'user', content: [{ type: 'file', mediaType, data }] }])
})
