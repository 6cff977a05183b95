import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anthropicDialect } from '../../src/dialects/anthropic.js'
import { chatDialect } from '../../src/dialects/chat.js'
import { readCustomInput } from '../../src/dialects/custom-input.js'
import type { Dialect } from '../../src/dialects/dialect.js'
import { responsesDialect } from '../../src/dialects/responses.js'
import { HttpError } from '../../src/http/http-error.js'
import { isRecord } from '../../src/is-record.js'
import type { StreamPart } from '../../src/model-types.js'
import { propertyRuns } from '../support/property-runs.js'
import {
  begin,
  call,
  finish,
  gone,
  inputDelta,
  inputStart,
  type PlayedEvent,
  play,
  reasoning,
  text,
} from './play.js'

const schema = { type: 'object', properties: {} }
const image = 'data:image/png;base64,AAAA'
const requests: readonly {
  readonly name: string
  readonly dialect: Dialect
  readonly body: unknown
}[] = [
  {
    name: 'chat',
    dialect: chatDialect,
    body: {
      model: 'm',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'x' }] },
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: image } },
            { type: 'file', file: { file_data: image } },
          ],
        },
        {
          role: 'assistant',
          content: 'x',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
            { id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'f', description: 'x', parameters: schema, strict: true },
        },
        { type: 'custom', custom: { name: 'g', format: { type: 'grammar', grammar: {} } } },
        { type: 'web_search' },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
      ...{
        stream: true,
        stream_options: { include_usage: true },
        stop: ['a'],
        temperature: 1,
        max_tokens: 5,
      },
    },
  },
  {
    name: 'responses',
    dialect: responsesDialect,
    body: {
      model: 'm',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: image },
            { type: 'input_file', file_data: image },
          ],
        },
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'x' }],
          content: [{ type: 'reasoning_text', text: 'x' }],
        },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'x' }] },
        { type: 'custom_tool_call', call_id: 'b', name: 'g', namespace: 'n', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'b', output: 'x' },
        { type: 'additional_tools', tools: [{ type: 'function', name: 'h', parameters: schema }] },
        { type: 'tool_search_call', call_id: 'c', arguments: { query: 'x' } },
        { type: 'tool_search_output', call_id: 'c', tools: [{ type: 'custom', name: 'i' }] },
        { type: 'shell_call', call_id: 'd', action: { commands: ['x'] } },
        {
          ...{ type: 'shell_call_output', call_id: 'd' },
          output: [{ stdout: 'x', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        },
        { type: 'mcp_call', id: 'e', name: 'x', server_label: 'y', arguments: '{}', error: {} },
        { type: 'code_interpreter_call', id: 'f', code: 'x', outputs: [{ logs: 'x' }] },
        { type: 'file_search_call', id: 'g', queries: ['x'], results: [{ text: 'x' }] },
        { type: 'agent_message', author: 'x', content: [{ type: 'input_text', text: 'x' }] },
      ],
      instructions: 'x',
      tools: [
        { type: 'function', name: 'f', parameters: schema },
        {
          ...{ type: 'namespace', name: 'n', description: 'x' },
          tools: [{ type: 'custom', name: 'g', format: { type: 'grammar', definition: 'x' } }],
        },
        { type: 'tool_search', execution: 'client', parameters: schema },
        { type: 'shell', environment: { type: 'local' } },
        { type: 'mcp', server_label: 'x' },
      ],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'f' }],
      },
      text: { format: { type: 'json_schema', name: 'n', schema } },
      ...{
        reasoning: { effort: 'low' },
        metadata: { a: 'b' },
        store: true,
        stream: true,
        max_output_tokens: 5,
      },
    },
  },
  {
    name: 'messages',
    dialect: anthropicDialect,
    body: {
      ...{ model: 'm', max_tokens: 5, system: [{ type: 'text', text: 'x' }] },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'x' },
            { type: 'server_tool_use', id: 'b', name: 'web_search', input: {} },
            { type: 'web_search_tool_result', tool_use_id: 'b', content: [{ title: 'x' }] },
            { type: 'compaction', content: 'x' },
            { type: 'tool_use', id: 'a', name: 'f', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'a',
              content: [
                { type: 'text', text: 'x' },
                { type: 'tool_reference', tool_name: 'f' },
              ],
              is_error: true,
            },
          ],
        },
      ],
      tools: [
        { name: 'f', input_schema: schema, eager_input_streaming: true },
        { type: 'bash_20250124', name: 'bash' },
        { type: 'computer_20250124', name: 'computer', display_width_px: 5 },
        { type: 'web_search_20250305', name: 'web_search' },
      ],
      tool_choice: { type: 'tool', name: 'f', disable_parallel_tool_use: true },
      ...{
        thinking: { type: 'enabled' },
        metadata: { user_id: 'u' },
        stop_sequences: ['a'],
        thread: { type: 'create' },
      },
    },
  },
]

/** The value with something else at a place in it; the numbers choose the place. */
function changed(value: unknown, [first = 0, ...rest]: readonly number[], other: unknown): unknown {
  if (rest.length === 0) return other
  if (Array.isArray(value) && value.length)
    return value.map((item, i) => (i === first % value.length ? changed(item, rest, other) : item))
  if (!isRecord(value)) return other
  const keys = Object.keys(value)
  const key = keys[first % keys.length]
  return key === undefined ? other : { ...value, [key]: changed(value[key], rest, other) }
}

const place = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 })

describe.each(requests)('a request in $name', ({ dialect, body }) => {
  it('is read, or refused with the path of a field; it never breaks anything', () => {
    expect(dialect.read(body).model).toBe('m')
    fc.assert(
      fc.property(place, fc.jsonValue(), (path, other) => {
        try {
          dialect.read(changed(body, path, other))
        } catch (error) {
          expect(error).toBeInstanceOf(HttpError)
          expect(error).toMatchObject({ status: 400, param: expect.stringMatching(/./) })
        }
      }),
      propertyRuns(2000),
    )
  })
})

// Parts in any order, even one that no server should send.
const id = fc.constantFrom('a', 'b', 'c')
const piece = fc.constantFrom('', '{', '}', '{}', 'x')
const anyPart: fc.Arbitrary<StreamPart> = fc.oneof(
  piece.map(text),
  piece.map(reasoning),
  id.map(each => inputStart(each, 'f')),
  fc.tuple(id, piece).map(([each, delta]) => inputDelta(each, delta)),
  fc.tuple(id, piece).map(([each, input]) => call(each, 'f', input)),
)
const customName = fc.constantFrom('g', 'local_shell')
const customPiece = fc.constantFrom(
  '{"input":"',
  'ab',
  '"}',
  '{"input":"x"}',
  '{}',
  '{"command":"ls"}',
)
const customPart: fc.Arbitrary<StreamPart> = fc.oneof(
  piece.map(text),
  fc.tuple(id, customName).map(([each, name]) => inputStart(each, name)),
  fc.tuple(id, customPiece).map(([each, delta]) => inputDelta(each, delta)),
  fc.tuple(id, customName, customPiece).map(([each, name, input]) => call(each, name, input)),
)
const anyStream = fc.array(anyPart, { maxLength: 12 })
const reason = fc.constantFrom('stop', 'length', 'tool-calls')

const fieldOf = ({ data }: PlayedEvent, key: string): unknown =>
  isRecord(data) ? data[key] : undefined

describe('whatever parts come', () => {
  it('the blocks of a message follow one another, and no call that stops is broken', () => {
    fc.assert(
      fc.property(anyStream, reason, fc.boolean(), fc.boolean(), (parts, why, isCut, isEager) => {
        const tools = [{ name: 'f', input_schema: schema, eager_input_streaming: isEager }]
        const body = {
          model: 'm',
          max_tokens: 5,
          messages: [{ role: 'user', content: 'x' }],
          tools,
          thinking: { type: 'enabled' },
        }
        const events = play(
          anthropicDialect,
          body,
          [begin, ...parts, ...(isCut ? [] : [finish(why)])],
          isCut ? gone : undefined,
        )
        let open: { readonly index: unknown; readonly isCall: boolean } | undefined
        let json = ''
        let blocks = 0
        for (const each of events) {
          const index = fieldOf(each, 'index')
          if (each.event === 'content_block_start') {
            expect(open).toBeUndefined()
            expect(index).toBe(blocks++)
            open = { index, isCall: JSON.stringify(each.data).includes('"tool_use"') }
            json = ''
          } else if (each.event === 'content_block_delta') {
            expect(index).toBe(open?.index)
            const delta = fieldOf(each, 'delta')
            if (isRecord(delta) && typeof delta.partial_json === 'string')
              json += delta.partial_json
          } else if (each.event === 'content_block_stop') {
            expect(index).toBe(open?.index)
            if (open?.isCall) expect(isRecord(JSON.parse(json || '{}'))).toBe(true)
            open = undefined
          } else if (each.event === 'message_delta') expect(open).toBeUndefined()
        }
        const last = events.at(-1)?.event
        expect(['message_stop', 'error']).toContain(last)
        if (isCut) expect(last).toBe('error')
      }),
      propertyRuns(1000),
    )
  })

  it('a response counts its events, opens each item once, and completes no call that is broken', () => {
    fc.assert(
      fc.property(anyStream, reason, fc.boolean(), (parts, why, isCut) => {
        const body = {
          model: 'm',
          input: 'x',
          tools: [{ type: 'function', name: 'f', parameters: schema }],
        }
        const events = play(
          responsesDialect,
          body,
          [begin, ...parts, ...(isCut ? [] : [finish(why)])],
          isCut ? gone : undefined,
        )
        expect(events.map(each => fieldOf(each, 'sequence_number'))).toEqual(
          events.map((_, i) => i),
        )
        const added = events.filter(({ event }) => event === 'response.output_item.added')
        const done = events.filter(({ event }) => event === 'response.output_item.done')
        expect(added.map(each => fieldOf(each, 'output_index'))).toEqual(added.map((_, i) => i))
        if (!isCut) expect(done).toHaveLength(added.length)
        for (const each of done) {
          const item = fieldOf(each, 'item')
          if (!isRecord(item) || item.type !== 'function_call' || item.status !== 'completed')
            continue
          expect(isRecord(JSON.parse(String(item.arguments)))).toBe(true)
        }
        const last = isCut
          ? 'response.failed'
          : why === 'length'
            ? 'response.incomplete'
            : 'response.completed'
        expect(events.at(-1)?.event).toBe(last)
      }),
      propertyRuns(1000),
    )
  })

  it('a custom call reaches the client only with the text of a call that was complete', () => {
    const customTools = [{ type: 'custom', name: 'g' }, { type: 'local_shell' }]
    const response = { model: 'm', input: 'x', tools: customTools }
    const chat = {
      ...{ model: 'm', messages: [{ role: 'user', content: 'x' }] },
      tools: [{ type: 'custom', custom: { name: 'g' } }],
    }
    fc.assert(
      fc.property(
        fc.array(customPart, { maxLength: 12 }),
        reason,
        fc.boolean(),
        (parts, why, isCut) => {
          const all = [begin, ...parts, ...(isCut ? [] : [finish(why)])]
          const complete = parts.flatMap(part =>
            part.type === 'tool-call' ? [readCustomInput(part.input)] : [],
          )
          const error = isCut ? gone : undefined
          const done = play(responsesDialect, response, all, error).flatMap(each =>
            each.event === 'response.output_item.done' ? [fieldOf(each, 'item')] : [],
          )
          for (const item of done) {
            if (isRecord(item) && item.type === 'custom_tool_call')
              expect(complete).toContain(item.input)
            if (isRecord(item)) expect(item.type).not.toBe('local_shell_call')
          }
          const chunks = JSON.stringify(play(chatDialect, chat, all, error))
          for (const [, input] of chunks.matchAll(/"custom":\{"name":"g","input":"([^"]*)"/g))
            expect(complete).toContain(input)
        },
      ),
      propertyRuns(1000),
    )
  })
})
