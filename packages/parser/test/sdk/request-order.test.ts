import { createToolMiddleware, getProtocol } from '@toolglot/parser'
import { describe, expect, test } from 'vitest'
import { transform, userSays } from './support/direct.js'
import type { Message } from './support/scripted-model.js'
import type { AnyPart } from './support/sdk-versions.js'

const tools = ['read', 'remove'].map(name => ({
  type: 'function' as const,
  name,
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))

const call = (toolCallId: string, toolName = 'read', input: unknown = { path: 'a' }): AnyPart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
})
const result = (toolCallId: string, value: string, toolName = 'read'): AnyPart => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: { type: 'text', value },
})
const picture = (toolCallId: string, text: string): AnyPart => {
  const file = { type: 'media', mediaType: 'image/png', data: 'AAAA' }
  return {
    ...result(toolCallId, ''),
    output: { type: 'content', value: [{ type: 'text', text }, file] },
  }
}
const says = (...content: AnyPart[]): Message => ({ role: 'assistant', content })
const brings = (...content: AnyPart[]): Message => ({ role: 'tool', content })

/**
 * The texts of a conversation as the model gets it, message by message; files are named by their
 * kind.
 */
async function shown(protocol: string, ...prompt: Message[]): Promise<string[]> {
  const made = await transform(createToolMiddleware({ protocol }), { prompt, tools })
  return made.prompt.slice(1).map(({ content }) => {
    return typeof content === 'string'
      ? content
      : content.map(part => part.text ?? `(${part.type})`).join('')
  })
}

describe('results', () => {
  const calls = says(call('a'), call('b', 'remove'))

  test.for([
    'hermes',
    'nemotron_nano_v2',
    'deepseek_v3',
    'kimi_k2',
    'kimi_k3',
    'cohere_command_r7b',
    'mistral_v3',
  ])('of %s are in the order of their calls, in whatever order they come', async protocol => {
    const first = result('a', 'one')
    const second = result('b', 'two', 'remove')
    const expected = await shown(protocol, calls, brings(first, second))
    expect(expected).toHaveLength(2)
    expect(await shown(protocol, calls, brings(second, first))).toEqual(expected)
    expect(await shown(protocol, calls, brings(second), brings(first))).toEqual(expected)
    expect(await shown(protocol, calls, brings(first), brings(second))).toEqual(expected)
  })

  test('of which one contains a file are one section, and the file is after it', async () => {
    const [, text] = await shown(
      'deepseek_v3',
      says(call('a'), call('b')),
      brings(picture('a', 'see'), result('b', 'two')),
    )
    expect(text).toBe(
      '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>see\n[image: image/png]<｜tool▁output▁end｜>\n<｜tool▁output▁begin｜>two<｜tool▁output▁end｜><｜tool▁outputs▁end｜>(file)',
    )
  })

  test('whose call is not in the conversation are after the others', async () => {
    const [, text] = await shown(
      'kimi_k2',
      says(call('a')),
      brings(result('lost', 'two'), result('a', 'one')),
    )
    expect(text).toBe('## Return of functions.read:0\none\n## Return of functions.read:2\ntwo')
    expect(await shown('kimi_k2', brings(result('lost', 'two')))).toEqual([
      '## Return of functions.read:0\ntwo',
    ])
  })

  test('go by the last call of their id, where ids come again', async () => {
    const turns = [says(call('x'), call('y')), brings(result('y', 'two'), result('x', 'one'))]
    const [, first, , second] = await shown('kimi_k2', ...turns, ...turns)
    expect(first).toBe('## Return of functions.read:0\none\n## Return of functions.read:1\ntwo')
    expect(second).toBe('## Return of functions.read:2\none\n## Return of functions.read:3\ntwo')
  })

  test('of a call whose id was that of one that could not be read are those of the new one', async () => {
    const unread = {
      ...call('x'),
      input: {},
      providerOptions: { toolCallMiddleware: { raw: '<raw>', problem: 'bad' } },
    }
    const turns = [
      says(unread),
      brings(result('x', 'invalid')),
      says(call('x')),
      brings(result('x', 'one')),
    ]
    const [first, , again, answer] = await shown('hermes', ...turns)
    expect(first).toBe('<raw>')
    expect(again).toContain('"read"')
    expect(answer).toContain('one')
    expect(answer).not.toContain('could not be read')
  })

  test('without a mark at their end are separated from the next text of the user', async () => {
    const [, text] = await shown(
      'react',
      says(call('a')),
      brings(result('a', 'one')),
      userSays('Stop.'),
    )
    expect(text).toBe('Observation: one\n\nStop.')
  })
})

describe('the places of calls', () => {
  const turns = [
    says(call('a'), call('b')),
    brings(result('b', 'two'), result('a', 'one')),
    says(call('c')),
  ]

  test('count over the conversation in Kimi K2 and for Cohere', async () => {
    const [, , kimi] = await shown('kimi_k2', ...turns)
    expect(kimi).toContain('functions.read:2<')
    const [, , cohere] = await shown('cohere_command_r7b', ...turns)
    expect(cohere).toContain('"tool_call_id": "2"')
  })

  test('begin at one in each message of Kimi K3, and go on after a text', async () => {
    const [, results, last] = await shown('kimi_k3', ...turns)
    expect(results).toMatch(/index="1"<\|sep\|>one[\s\S]*index="2"<\|sep\|>two/)
    expect(last).toContain('index="1"')
    const [split] = await shown(
      'kimi_k3',
      says(call('a'), { type: 'text', text: 'And:' }, call('b')),
    )
    expect(split).toMatch(/index="1"[\s\S]*And:[\s\S]*index="2"/)
  })
})

describe('a call of a tool that is not declared, or with arguments that are not', () => {
  const input = { path: 'a', depth: 3, tags: ['x'], isDeep: true }

  test.for([
    'qwen3_coder',
    'glm_4_5',
    'seed_oss',
    'hunyuan_v3',
    'deepseek_v3_2_dsml',
    'kimi_k3',
    'minimax_m3',
    'muse_glimmer',
  ])('is written in the tags of %s, and reads back', async protocol => {
    for (const name of ['read', 'unknown']) {
      const [text = ''] = await shown(protocol, says(call('a', name, input)))
      expect(text).not.toMatch(/\{"path"/)
      const [read] = getProtocol(protocol).parseGeneratedText({ text, tools })
      expect(read?.type === 'tool-call' && [read.toolName, JSON.parse(read.input)]).toEqual([
        name,
        input,
      ])
    }
  })

  test.for(['qwen3_coder', 'minimax_m2', 'step3', 'minicpm5'])(
    'is JSON in %s where tags could not say it',
    async protocol => {
      const inputs = [
        { path: 'a', depth: protocol === 'qwen3_coder' ? '3' : 3 },
        { input: 3, path: 'a' },
      ]
      for (const each of inputs) {
        const [text = ''] = await shown(protocol, says(call('a', 'read', each)))
        const [read] = getProtocol(protocol).parseGeneratedText({ text, tools })
        expect(read?.type === 'tool-call' && JSON.parse(read.input)).toEqual(each)
      }
    },
  )
})

test.for(['cohere_command_r_plus', 'seed_oss'])(
  '%s shows what nested schemas point to',
  protocol => {
    const inputSchema = {
      type: 'object',
      $defs: { Point: { type: 'object', properties: { x: { type: 'number' } } } },
      properties: { points: { type: 'array', items: { $ref: '#/$defs/Point' } } },
    }
    const text = getProtocol(protocol).formatTools({
      tools: [{ type: 'function', name: 'draw', inputSchema }],
    })
    expect(text).toContain(
      '{"$defs": {"Point": {"type": "object", "properties": {"x": {"type": "number"}}}}}',
    )
  },
)

test.for([
  ['trinity', 'hermes'],
  ['yamlXml', 'yaml_xml'],
  ['jsonMix', 'hermes'],
  ['morphXml', 'morph_xml'],
  ['deepseek_v3_2', 'deepseek_v3_2_dsml'],
  ['gigachat_v3', 'gigachat3'],
  ['Qwen3.5', 'qwen3_5'],
])('the name %s means %s', ([name = '', id = '']) => {
  expect(getProtocol(name)).toBe(getProtocol(id))
})
