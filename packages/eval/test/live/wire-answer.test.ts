import { describe, expect, it } from 'vitest'
import { readWireAnswer } from '../../src/live/wire-answer.js'

const events = (...chunks: unknown[]) =>
  `${chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
const delta = (value: unknown, finish: string | null = null) => ({
  choices: [{ delta: value, finish_reason: finish }],
})

describe('what the endpoint has written', () => {
  it('is read from one piece of JSON', () => {
    const body = {
      choices: [
        {
          message: {
            content: 'raw <tool_call>',
            reasoning_content: 'hm',
            tool_calls: [{ id: '1', function: { name: 'f', arguments: '{"a":' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 3 },
    }
    expect(readWireAnswer(JSON.stringify(body), 'application/json')).toEqual({
      text: 'raw <tool_call>',
      reasoning: 'hm',
      toolCalls: [{ name: 'f', arguments: '{"a":' }],
      finishReason: 'tool_calls',
      inputTokens: 12,
      outputTokens: 3,
      error: undefined,
    })
  })

  it('is put together from a stream', () => {
    const body = events(
      delta({ content: 'a' }),
      delta({ content: 'b' }),
      delta({ tool_calls: [{ index: 1, function: { name: 'g', arguments: '{' } }] }),
      delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 1, function: { arguments: '}' } }] }),
      delta({}, 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } },
    )
    expect(readWireAnswer(body, 'text/event-stream; charset=utf-8')).toMatchObject({
      text: 'ab',
      toolCalls: [
        { name: 'g', arguments: '{}' },
        { name: 'f', arguments: '' },
      ],
      finishReason: 'tool_calls',
      inputTokens: 5,
      outputTokens: 7,
    })
  })

  it('has no tokens where none were reported, and never zero', () => {
    const body = JSON.stringify({
      choices: [{ message: { content: 'x' } }],
      usage: { prompt_tokens: null },
    })
    const answer = readWireAnswer(body, 'application/json')
    expect(answer.inputTokens).toBeUndefined()
    expect(answer.outputTokens).toBeUndefined()
  })

  it('keeps a body that cannot be understood, and the message in it', () => {
    expect(readWireAnswer('<html>gateway</html>', 'text/html')).toMatchObject({
      text: '',
      body: '<html>gateway</html>',
    })
    expect(readWireAnswer('{"error":{"message":"no"}}', 'application/json')).toMatchObject({
      error: 'no',
    })
    expect(
      readWireAnswer(events(delta({ content: 'a' }), { error: 'dead' }), 'text/event-stream'),
    ).toMatchObject({
      text: 'a',
      error: '"dead"',
    })
  })
})
