import { getProtocol, listProtocols, type ToolCallProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { defaultPrices } from '../../src/tokens/break-even.js'
import type { Catalogue } from '../../src/tokens/catalogue/case.js'
import { object, text, tool } from '../../src/tokens/catalogue/schema.js'
import { createContestants } from '../../src/tokens/contestant.js'
import { findLoss } from '../../src/tokens/round-trip.js'
import { runTokens } from '../../src/tokens/run-tokens.js'

const tools = [tool('say', 'Says something.', object({ text: text() }))]
const calls = [{ toolName: 'say', args: { text: 'hello' } }]
const hermes = (json: string) => `<tool_call>${json}</tool_call>`
const check = (written: string, protocol: ToolCallProtocol | string = 'hermes') =>
  findLoss({ protocol, tools, text: written, calls })

describe('the round trip', () => {
  it.each(listProtocols())('brings a call of %s back', async name => {
    const protocol = getProtocol(name)
    const toolCall = { toolCallId: '1', toolName: 'say', input: { text: 'hello' } }
    const written =
      protocol.formatToolCalls?.([toolCall], { tools }) ??
      protocol.formatToolCall(toolCall, { tools })
    expect(await check(written, name)).toBeUndefined()
  })

  it('finds a call that is gone, another one, and one too many', async () => {
    const call = hermes('{"name":"say","arguments":{"text":"hello"}}')
    expect(await check('hello')).toBe('generate: 0 calls instead of 1')
    expect(await check(call + call)).toBe('generate: 2 calls instead of 1')
    const shout = { toolName: 'shout', args: { text: 'hello' } }
    expect(await findLoss({ protocol: 'hermes', tools, text: call, calls: [shout] })).toBe(
      'generate: call 1 is of say, not of shout',
    )
  })

  it('finds other arguments and text that is left over', async () => {
    expect(await check(hermes('{"name":"say","arguments":{"text":"hello "}}'))).toBe(
      'generate: the arguments of say have changed',
    )
    expect(await check(`so: ${hermes('{"name":"say","arguments":{"text":"hello"}}')}`)).toBe(
      'generate: text is left over: "so:"',
    )
  })

  it('looks at the stream too', async () => {
    const protocol: ToolCallProtocol = {
      formatTools: () => '',
      formatToolCall: () => '',
      formatToolResponse: () => '',
      parseGeneratedText: () => [
        { type: 'tool-call', toolCallId: '1', toolName: 'say', input: '{"text":"hello"}' },
      ],
      createStreamParser: () => new TransformStream(),
    }
    expect(await check('say hello', protocol)).toBe('stream: 0 calls instead of 1')
  })
})

describe('the count', () => {
  const catalogue: Catalogue = {
    tools,
    cases: [
      { name: 'one', group: 'a', calls },
      { name: 'two', group: 'b', calls: [...calls, ...calls] },
    ],
  }

  it('has no total for a protocol that loses a case', async () => {
    const all = await createContestants(tools)
    const lossy = all.map(each =>
      each.name === 'hermes'
        ? {
            ...each,
            findLoss: async ({ name }: { name: string }) =>
              name === 'two' ? 'it is gone' : undefined,
          }
        : each,
    )
    const { contestants } = await runTokens(catalogue, defaultPrices, lossy)
    expect(contestants.find(({ name }) => name === 'hermes')).toMatchObject({
      losses: { two: 'it is gone' },
      tokens: null,
    })
    expect(
      contestants.find(({ name }) => name === 'morph_xml')?.tokens?.llama3.calls,
    ).toBeGreaterThan(0)
  })

  it('goes on where a protocol throws', async () => {
    const [first, ...natives] = (await createContestants(tools)).filter(({ isNative }) => isNative)
    const broken = {
      name: 'broken',
      isNative: false,
      findLoss: () => Promise.reject(new Error('no such case')),
    }
    if (!first) throw new Error('no baseline')
    const { contestants } = await runTokens(catalogue, defaultPrices, [
      first,
      ...natives,
      { ...first, ...broken },
    ])
    expect(contestants.at(-1)).toMatchObject({
      losses: { one: 'it throws: no such case' },
      tokens: null,
    })
  })

  it('compares each protocol with each baseline', async () => {
    const { contestants } = await runTokens(catalogue, defaultPrices)
    const native = contestants.find(({ name }) => name === 'bare_json')?.tokens?.o200k_base
    const own = contestants.find(({ name }) => name === 'hermes')?.tokens?.o200k_base
    if (!native || !own) throw new Error('not listed')
    // say {" text ":" hello "} ; two of them share the token of `"}` and the line break.
    expect(native.cases).toEqual({ one: 6, two: 12 })
    expect(native.groups).toEqual({ a: 6, b: 12 })
    expect(own.versus.bare_json).toMatchObject({
      callsPercent: Number((100 * (own.calls / 18 - 1)).toFixed(1)),
      extraManual: own.manual - native.manual,
      savedPerCall: (18 - own.calls) / 2,
    })
    expect(native.versus).toEqual({})
  })

  it('counts no ids in shapes of APIs, and says what they would add', async () => {
    const { contestants } = await runTokens(catalogue, defaultPrices)
    const countsOf = (name: string) =>
      contestants.find(each => each.name === name)?.tokens?.o200k_base
    // An id has 24 random characters, which are at least 9 tokens.
    for (const name of ['openai_json', 'anthropic_json']) {
      expect(countsOf(name)?.ids, name).toBeGreaterThan(9 * 3)
    }
    expect(countsOf('bare_json')?.ids).toBe(0)
    expect(countsOf('hermes')?.ids).toBe(0)
  })
})
