import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ProxyServer, startProxyServer } from './support/proxy-server.js'
import { type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.js'

// The SDK's messages have no name, and its images no detail. The server gets both all the same.

let upstream: ScriptedUpstream
let proxy: ProxyServer
let verbatim: ProxyServer
beforeAll(async () => {
  upstream = await startScriptedUpstream({ script: () => ({ text: 'Hello.' }) })
  proxy = await startProxyServer(upstream.baseUrl)
  verbatim = await startProxyServer(upstream.baseUrl, { rule: { messages: 'verbatim' } })
})
afterAll(async () => {
  await Promise.all([proxy.close(), verbatim.close(), upstream.close()])
})
beforeEach(() => upstream.forget())

const parameters = { type: 'object', properties: {} }
const tools = [{ type: 'function', function: { name: 'look', parameters } }]
const url = 'https://x.test/a.png'
const image = (detail?: string) => ({
  type: 'image_url',
  image_url: detail === undefined ? { url } : { url, detail },
})
const text = (value: string) => ({ type: 'text', text: value })
const callOf = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: '{}' },
})

async function ask(path: string, body: object, { baseUrl } = proxy) {
  const response = await fetch(`${baseUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'plain', ...body }),
  })
  expect(response.status, await response.text()).toBe(200)
  return upstream.requests.at(-1)?.body?.messages ?? []
}

const askChat = (messages: readonly object[], server = proxy) =>
  ask('chat/completions', { tools, messages }, server)

describe('with tools, a server gets of a chat', () => {
  it.each([
    ['a text', 'Hi', 'Hi'],
    ['several texts', [text('Hi'), text('there')], 'Hi\n\nthere'],
    ['texts and images', [text('Hi'), image('low')], [text('Hi'), image('low')]],
  ])('the name of who wrote %s', async (_, content, wanted) => {
    const [, user] = await askChat([{ role: 'user', name: 'Ann', content }])
    expect(user).toEqual({ role: 'user', name: 'Ann', content: wanted })
  })

  it('the names of system messages and of the assistant', async () => {
    const [system, , assistant] = await askChat([
      { role: 'system', name: 'rules', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', name: 'bot', content: 'Hello' },
      { role: 'user', content: 'And?' },
    ])
    expect(system).toMatchObject({ role: 'system', name: 'rules' })
    expect(assistant).toEqual({ role: 'assistant', name: 'bot', content: 'Hello' })
  })

  it('the name of one who wrote twice', async () => {
    const [, user] = await askChat([
      { role: 'user', name: 'Ann', content: 'Hi' },
      { role: 'user', name: 'Ann', content: 'there' },
    ])
    expect(user).toEqual({ role: 'user', name: 'Ann', content: 'Hi\n\nthere' })
  })

  it.each([
    ['two people', [{ role: 'user', name: 'Ann', content: 'Hi' }]],
    [
      'one and a result',
      [
        { role: 'user', name: 'Ann', content: 'Look.' },
        { role: 'assistant', content: null, tool_calls: [callOf('c1')] },
        { role: 'tool', tool_call_id: 'c1', content: 'Hi' },
      ],
    ],
  ])('no name for what is of %s', async (_, before) => {
    const last = (await askChat([...before, { role: 'user', name: 'Bob', content: 'there' }])).at(
      -1,
    )
    expect(last).toEqual({ role: 'user', content: expect.stringMatching(/Hi[\s\S]*\n\nthere$/) })
  })

  it('the detail of each image, also of one in a result', async () => {
    const messages = await askChat([
      { role: 'user', content: [image('low'), text('or'), image(), image('high')] },
      { role: 'assistant', content: null, tool_calls: [callOf('c1')] },
      { role: 'tool', tool_call_id: 'c1', content: [text('Seen.'), image('low')] },
    ])
    expect(messages[1]?.content).toEqual([image('low'), text('or'), image(), image('high')])
    expect(messages[3]?.content).toEqual([
      { type: 'text', text: expect.stringContaining('Seen.') },
      image('low'),
    ])
  })

  it('names and details with messages: verbatim', async () => {
    const [, user] = await askChat(
      [{ role: 'user', name: 'Ann', content: [text('Hi'), image('low')] }],
      verbatim,
    )
    expect(user).toEqual({ role: 'user', name: 'Ann', content: [text('Hi'), image('low')] })
  })

  it('what the assistant has refused, and the texts of a system message apart', async () => {
    const [system, , assistant] = await askChat([
      { role: 'system', content: [text('Be kind.'), text('Be short.')] },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, refusal: 'I will not.' },
      { role: 'user', content: 'Why?' },
    ])
    expect(system?.content).toMatch(/Be kind\.\nBe short\.$/)
    expect(assistant).toEqual({ role: 'assistant', content: 'I will not.' })
  })

  it('the name of a file', async () => {
    const file = { filename: 'plan.pdf', file_data: 'data:application/pdf;base64,AAAA' }
    const [, user] = await askChat([
      { role: 'user', content: [text('Read.'), { type: 'file', file }] },
    ])
    expect(user?.content).toEqual([text('Read.'), { type: 'file', file }])
  })
})

describe.each([
  ['with tools', [{ type: 'function', name: 'look', parameters }]],
  ['without tools', undefined],
])('%s, a server gets of a Responses request', (_, ownTools) => {
  it.each([
    ['low', 'low'],
    ['auto', 'auto'],
    ['original', 'high'],
    [undefined, undefined],
  ])('the detail %s of an image as %s', async (detail, wanted) => {
    const content = [
      { type: 'input_text', text: 'Look.' },
      { type: 'input_image', image_url: url, detail },
    ]
    const input = [{ role: 'user', content }]
    const messages = await ask('responses', { input, tools: ownTools })
    expect(messages.at(-1)?.content).toEqual([text('Look.'), image(wanted)])
  })

  it('the texts of a system message apart', async () => {
    const content = ['Be kind.', 'Be short.'].map(each => ({ type: 'input_text', text: each }))
    const input = [
      { role: 'developer', content },
      { role: 'user', content: 'Hi' },
    ]
    const [system] = await ask('responses', { input, tools: ownTools })
    expect(system?.content).toMatch(/Be kind\.\nBe short\.$/)
  })

  it('the name of a file', async () => {
    const file_data = 'data:application/pdf;base64,AAAA'
    const content = [{ type: 'input_file', filename: 'plan.pdf', file_data }]
    const messages = await ask('responses', { input: [{ role: 'user', content }], tools: ownTools })
    expect(messages.at(-1)?.content).toEqual([
      { type: 'file', file: { filename: 'plan.pdf', file_data } },
    ])
  })
})
