import { createToolMiddleware, getProtocol, getProtocolInfo, listProtocols } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { streamParts } from './support/content-model.js'
import {
  openStream,
  runGenerate,
  runStream,
  textAnswer,
  textStream,
  userSays,
} from './support/direct.js'
import { faultsOf, type Outline, outlineOf } from './support/outline.js'
import { streamOf } from './support/scripted-model.js'
import type { AnyPart, Data } from './support/sdk-versions.js'
import { oslo, paris, weatherTool, writeCall } from './support/weather.js'

const nowTool = { type: 'function', name: 'now', inputSchema: { type: 'object', properties: {} } }
const params = {
  prompt: [userSays('How is it?')],
  tools: [weatherTool, nowTool],
  toolChoice: { type: 'auto' },
}
const rescue = createToolMiddleware({ mode: 'rescue' })
const hermesRescue = createToolMiddleware({ mode: 'rescue', protocol: 'hermes' })
const call = writeCall(getProtocol('hermes'), paris)
const osloCall = writeCall(getProtocol('hermes'), oslo)
const text = (said: string) => ({ type: 'text', text: said })
const reasoning = (said: string) => ({ type: 'reasoning', text: said })
const native = (input: unknown, toolName = 'get_weather') => ({
  type: 'tool-call',
  toolCallId: 'n1',
  toolName,
  input: typeof input === 'string' ? input : JSON.stringify(input),
})
const made = (input: unknown, toolName = 'get_weather') => ({
  call: toolName,
  input: typeof input === 'string' ? input : JSON.stringify(input),
})
const stop = (unified: string, raw = unified) => ({ unified, raw })

/** Expects the same of an answer, whole and streamed in several pieces. */
async function expectAnswer(
  content: readonly AnyPart[],
  expected: Outline,
  { reason = 'stop', finish = 'tool-calls', middleware = rescue } = {},
) {
  const answer = { content, finishReason: stop(reason), usage: {}, warnings: [] }
  const whole = await runGenerate(middleware, params, answer)
  expect(outlineOf(whole.content)).toEqual(expected)
  expect(whole.finishReason).toEqual(stop(finish, reason))
  for (const chunkChars of [1, 3, 10_000]) {
    const parts = await runStream(
      middleware,
      params,
      streamParts({ content, chunkChars }, stop(reason)),
    )
    expect(outlineOf(parts)).toEqual(expected)
    expect(faultsOf(parts)).toEqual([])
    expect(parts.at(-1)?.finishReason).toEqual(stop(finish, reason))
  }
}

describe('a request in rescue mode', () => {
  test.for(['auto', 'none', 'required'])('is the same object under toolChoice %s', async type => {
    const history = [
      userSays('Hello'),
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'get_weather', input: paris }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'get_weather', output: {} }],
      },
    ]
    const given = {
      prompt: history,
      tools: [weatherTool],
      toolChoice: { type },
      providerOptions: { a: { b: 1 } },
    }
    const model = { modelId: 'kimi-k2', provider: 'vllm.chat', specificationVersion: 'v3' }
    const kept = createToolMiddleware({ mode: 'rescue', keepSpecialTokens: true })
    for (const each of [rescue, hermesRescue, kept]) {
      expect(await each.transformParams({ type: 'stream', params: given, model })).toBe(given)
    }
  })

  test('knows no other mode', () => {
    const options: Data = { mode: 'hybrid' }
    expect(() => createToolMiddleware(options)).toThrow(
      'mode is "hybrid"; it must be "prompt" or "rescue".',
    )
  })
})

describe('what the provider understood', () => {
  test('passes as the same objects in the same order', async () => {
    const parts: AnyPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: 'r1' },
      { type: 'reasoning-delta', id: 'r1', delta: call },
      { type: 'reasoning-end', id: 'r1' },
      { type: 'text-start', id: 't1' },
      { type: 'text-delta', id: 't1', delta: 'Let me look.' },
      { type: 'text-end', id: 't1' },
      { type: 'tool-input-start', id: 'n1', toolName: 'get_weather' },
      { type: 'tool-input-delta', id: 'n1', delta: '{"city":' },
      { type: 'tool-input-start', id: 'n2', toolName: 'now' },
      { type: 'tool-input-delta', id: 'n1', delta: '"Rome"}' },
      { type: 'tool-input-end', id: 'n2' },
      { type: 'tool-input-end', id: 'n1' },
      { type: 'tool-call', toolCallId: 'n2', toolName: 'now', input: '' },
      { type: 'tool-call', toolCallId: 'n1', toolName: 'get_weather', input: '{"city":"Rome"}' },
      {
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'web_search',
        input: '{}',
        providerExecuted: true,
      },
      { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'p1' },
      { type: 'tool-result', toolCallId: 'p1', toolName: 'web_search', result: 'found' },
      { type: 'source', sourceType: 'url', id: 's1', url: 'https://example.com' },
      { type: 'finish', finishReason: stop('tool-calls'), usage: {} },
    ]
    const out = await runStream(rescue, params, parts)
    expect(out).toHaveLength(parts.length)
    for (const [i, part] of out.entries()) expect(part).toBe(parts[i])
  })

  test('is handed on at once, not at the end', async () => {
    const content = [text(call), native(oslo)]
    const parts = await runStream(rescue, params, streamParts({ content }, stop('tool-calls')))
    const ids = parts.filter(part => part.type === 'tool-call').map(part => part.toolCallId)
    expect(ids[0]).toBe('n1')
    expect(ids).toHaveLength(2)
  })

  test('passes as the same objects in a whole answer', async () => {
    const content = [
      reasoning(call),
      text('Hello.'),
      native(oslo),
      {
        type: 'tool-call',
        toolCallId: 'p1',
        toolName: 'web_search',
        input: '{}',
        providerExecuted: true,
      },
      { type: 'tool-result', toolCallId: 'p1', toolName: 'web_search', result: 'found' },
    ]
    const answer = { content, finishReason: stop('tool-calls'), usage: {}, warnings: [] }
    const result = await runGenerate(rescue, params, answer)
    expect(result.content).toHaveLength(content.length)
    for (const [i, part] of result.content.entries()) expect(part).toBe(content[i])
  })

  test.for(['none'])('is all there is under toolChoice %s', async type => {
    const none = { ...params, toolChoice: { type } }
    const parts = textStream(chunksOf(call, 5))
    const out = await runStream(rescue, none, parts)
    expect(out).toHaveLength(parts.length)
    for (const [i, part] of out.entries()) expect(part).toBe(parts[i])
    const answer = textAnswer(call)
    expect(await runGenerate(rescue, none, answer)).toBe(answer)
  })

  test('is all there is without tools', async () => {
    const answer = textAnswer(call)
    expect(await runGenerate(rescue, { prompt: params.prompt }, answer)).toBe(answer)
  })
})

describe('a call that the provider overlooked', () => {
  const natives = listProtocols().filter(
    name => !getProtocolInfo(name)?.family.startsWith('any model'),
  )

  test.for(natives)('is rescued from text in %s', async name => {
    await expectAnswer([text(writeCall(getProtocol(name), paris))], [made(paris)])
  })

  test.for(natives)('is rescued from reasoning in %s', async name => {
    const written = writeCall(getProtocol(name), paris)
    await expectAnswer([reasoning(written)], [{ reasoning: written }, made(paris)])
  })

  test('leaves the text around it', async () => {
    await expectAnswer([text(`Let me look.\n${call}`)], [{ text: 'Let me look.\n' }, made(paris)])
    await expectAnswer([text(`A ${call} B`)], [{ text: 'A  B' }, made(paris)])
  })

  test('is rescued after a native one', async () => {
    await expectAnswer([text(`A ${call}`), native(oslo)], [{ text: 'A ' }, made(oslo), made(paris)])
  })

  test('keeps a finish reason that is not an ordinary stop', async () => {
    for (const reason of ['length', 'content-filter', 'error', 'other', 'tool-calls']) {
      await expectAnswer([text(call)], [made(paris)], { reason, finish: reason })
    }
  })

  test('is of a declared tool, or text', async () => {
    const unknown = '<tool_call>{"name": "nope", "arguments": {}}</tool_call>'
    await expectAnswer([text(unknown)], [{ text: unknown }], { finish: 'stop' })
    // Who names the format gets what the format says.
    await expectAnswer([text(unknown)], [made('{}', 'nope')], { middleware: hermesRescue })
  })

  test('is reported if it cannot be read, and never runs', async () => {
    const errors: string[] = []
    const middleware = createToolMiddleware({
      mode: 'rescue',
      onError: (_, { code }) => errors.push(code),
    })
    const bad = '<tool_call>{"name": "get_weather", "arguments": {"city": ]]??}}</tool_call>'
    const { content, finishReason } = await runGenerate(middleware, params, textAnswer(bad))
    expect(errors).toEqual(['malformed-arguments'])
    expect(finishReason).toEqual(stop('stop'))
    expect(content.map(part => part.type)).toEqual(['tool-call'])
    expect(() => JSON.parse(String(content[0]?.input))).toThrow()
  })
})

describe('a call that the provider understood as well', () => {
  test('is made once', async () => {
    await expectAnswer([text(`A ${call}`), native(paris)], [{ text: 'A ' }, made(paris)])
    await expectAnswer([native(paris), text(`${call} B`)], [made(paris), { text: ' B' }])
  })

  test('is made once, whatever the order of its keys', async () => {
    const { tags, hourly, days, city } = paris
    const turned = { tags, hourly, days, city }
    await expectAnswer([text(call), native(turned)], [made(turned)])
  })

  test('is made once if no arguments are an empty text', async () => {
    const written = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    await expectAnswer([text(written), native('', 'now')], [made('', 'now')])
  })

  test('is another one if only a digit differs, however long the number', async () => {
    const input = (days: string) => `{"city":"Rome","days":${days}}`
    const write = (days: string) =>
      `<tool_call>{"name": "get_weather", "arguments": ${input(days)}}</tool_call>`
    const [one, other] = ['12345678901234567890', '12345678901234567891']
    await expectAnswer(
      [text(write(other)), native(input(one))],
      [made(input(one)), made(input(other))],
    )
    await expectAnswer([text(write(one)), native(input(one))], [made(input(one))])
  })

  test('is another one if the tool differs', async () => {
    const written = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'
    await expectAnswer([text(written), native('{}')], [made('{}'), made('{}', 'now')])
  })
})

describe('a call in reasoning', () => {
  const said = `I call ${call}`

  test('is made if there is nothing else', async () => {
    await expectAnswer([reasoning(said)], [{ reasoning: said }, made(paris)])
    await expectAnswer(
      [reasoning(said), text(' \n')],
      [{ reasoning: said }, { text: ' \n' }, made(paris)],
    )
    await expectAnswer(
      [reasoning(said), reasoning(osloCall)],
      [{ reasoning: said + osloCall }, made(paris), made(oslo)],
    )
  })

  test('is not a call if there is an answer', async () => {
    await expectAnswer(
      [reasoning(said), text('Hello.')],
      [{ reasoning: said }, { text: 'Hello.' }],
      {
        finish: 'stop',
      },
    )
  })

  test('is not a call if there is a call, native or rescued', async () => {
    const options = { reason: 'tool-calls' }
    await expectAnswer([reasoning(said), native(oslo)], [{ reasoning: said }, made(oslo)], options)
    await expectAnswer([reasoning(said), text(osloCall)], [{ reasoning: said }, made(oslo)])
  })

  test('is not a call if there is a result of a tool of the provider', async () => {
    const result = {
      type: 'tool-result',
      toolCallId: 'p1',
      toolName: 'web_search',
      result: 'found',
    }
    await expectAnswer([reasoning(said), result], [{ reasoning: said }], { finish: 'stop' })
  })

  test('is not a call, and not reported, if anything is wrong with it', async () => {
    const errors: string[] = []
    const onError = (message: string) => errors.push(message)
    const bad = [
      '<tool_call>{"name": "get_weather", "arguments": {"city": ]]??}}</tool_call>',
      '<tool_call>{"name": "nope", "arguments": {}}</tool_call>',
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Par',
    ]
    for (const protocol of ['auto', 'hermes', 'qwen3_coder']) {
      const middleware = createToolMiddleware({ mode: 'rescue', protocol, onError })
      for (const each of bad) {
        const options = { middleware, reason: 'length', finish: 'length' }
        await expectAnswer([reasoning(each)], [{ reasoning: each }], options)
      }
    }
    expect(errors).toEqual([])
  })

  test('does not go on from one reasoning to the next, even of the same id', async () => {
    const [before, after] = [call.slice(0, -30), call.slice(-30)]
    const whole = [reasoning(before), reasoning(after)]
    await expectAnswer(whole, [{ reasoning: call }], { finish: 'stop' })
    const parts = await runStream(rescue, params, [
      ...[before, after].flatMap(delta => [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta },
        { type: 'reasoning-end', id: 'r' },
      ]),
      { type: 'finish', finishReason: stop('stop'), usage: {} },
    ])
    expect(parts.filter(part => part.type === 'tool-call')).toEqual([])
  })

  test('is not looked for if the option is off', async () => {
    const middleware = createToolMiddleware({ mode: 'rescue', callsInReasoning: false })
    await expectAnswer([reasoning(said)], [{ reasoning: said }], { middleware, finish: 'stop' })
  })

  test('is looked for without rescue where the model is known for it', async () => {
    const written = writeCall(getProtocol('kimi_k2'), paris)
    const middleware = createToolMiddleware({ protocol: 'kimi_k2' })
    await expectAnswer([reasoning(written)], [{ reasoning: written }, made(paris)], { middleware })
    await expectAnswer(
      [reasoning(written), text('Hi.')],
      [{ reasoning: written }, { text: 'Hi.' }],
      {
        middleware,
        finish: 'stop',
      },
    )
    const hermes = createToolMiddleware({ protocol: 'hermes' })
    await expectAnswer([reasoning(call)], [{ reasoning: call }], {
      middleware: hermes,
      finish: 'stop',
    })
  })
})

describe('a stream that breaks off in rescue mode', () => {
  const error = { type: 'error', error: new Error('overloaded') }
  const begun = (said: string) => textStream(chunksOf(said, 4)).slice(0, -2)

  test.for([
    call,
    `Look. ${call.slice(0, -20)}`,
    call.slice(0, 20),
    `${call} and ${osloCall.slice(0, -30)}`,
  ])('ends all that it began: %j', async said => {
    for (const rest of [
      [],
      [error],
      [error, { type: 'finish', finishReason: stop('error'), usage: {} }],
    ]) {
      const parts = await runStream(rescue, params, [...begun(said), ...rest])
      expect(faultsOf(parts)).toEqual([])
      expect(parts.filter(part => part.type === 'error')).toEqual(rest.slice(0, 1))
    }
  })

  test.for([reasoning(call), text(call), text(call.slice(0, -20)), native(oslo)])(
    'ends what it began before the stream fails: %j',
    async part => {
      const given = streamParts({ content: [part] }, stop('stop')).slice(0, -1)
      const failing = streamOf(given, new Error('connection lost'))
      const out: AnyPart[] = []
      const read = async () => {
        for await (const each of await openStream(rescue, params, failing)) out.push(each)
      }
      await expect(read()).rejects.toThrow('connection lost')
      expect(faultsOf(out)).toEqual([])
      expect(out.filter(each => each.type === 'tool-call')).toHaveLength(1)
    },
  )

  test('does not make a whole call of one that was cut', async () => {
    const parts = await runStream(rescue, params, [...begun(`A ${call.slice(0, -20)}`), error])
    const calls = parts.filter(part => part.type === 'tool-call')
    expect(calls).toHaveLength(1)
    expect(() => JSON.parse(String(calls[0]?.input))).toThrow()
  })
})
