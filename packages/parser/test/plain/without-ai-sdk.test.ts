import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { getProtocol, parseToolCalls } from '@toolglot/parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type ChatAnswer, startChatServer } from '../sdk/support/chat-server.js'

/** The loops of docs/without-ai-sdk.md, on a server of this machine with a scripted model. */

const page = readFileSync(new URL('../../../../docs/without-ai-sdk.md', import.meta.url), 'utf8')
const folder = new URL('./.examples/', import.meta.url)
const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
const loops = {
  openai: blocks.find(code => code.includes("from 'openai'")) ?? '',
  fetch: blocks.find(code => code.includes('await fetch(')) ?? '',
}

beforeAll(() => mkdirSync(folder, { recursive: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let runCount = 0

/** Runs a loop of the page. Returns what the user saw and what the server got. */
async function runLoop(loop: keyof typeof loops, answers: readonly ChatAnswer[]) {
  const server = await startChatServer(answers)
  const file = fileURLToPath(new URL(`${loop}-${runCount++}.ts`, folder))
  writeFileSync(file, loops[loop].replaceAll('http://localhost:8080/v1', server.baseURL))
  const shown: unknown[] = []
  const warnings: unknown[][] = []
  vi.spyOn(process.stdout, 'write').mockImplementation(text => shown.push(text) > 0)
  vi.spyOn(console, 'warn').mockImplementation((...words) => warnings.push(words))
  try {
    await import(pathToFileURL(file).href)
  } finally {
    vi.restoreAllMocks()
    await server.close()
  }
  const last = server.bodies.at(-1)?.messages ?? []
  return {
    shown: shown.join(''),
    warnings,
    bodies: server.bodies,
    last: last.map(message => message.content),
  }
}

const write = (input: unknown, toolName = 'get_weather') =>
  getProtocol('hermes').formatToolCall({ toolCallId: '', toolName, input })

describe.each(['openai', 'fetch'] as const)('the loop with %s', loop => {
  it('asks, runs the call, and shows the answer', async () => {
    const answer = `Let me look.\n${write({ city: 'Paris' })}`
    const { shown, warnings, bodies, last } = await runLoop(loop, [answer, 'It is clear.'])
    expect(shown).toBe('Let me look.\nIt is clear.')
    expect(warnings).toEqual([])
    expect(bodies).toHaveLength(2)
    expect(bodies.map(body => 'tools' in body)).toEqual([false, false])
    expect(bodies.map(body => body.stream)).toEqual([true, true])
    expect(bodies[1]?.messages.map(message => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ])
    expect(last[0]).toContain('"get_weather"')
    expect(last[2]).toBe(`Let me look.\n\n${write({ city: 'Paris' })}`)
    expect(last[3]).toContain('{"city": "Paris", "sky": "clear", "celsius": 21}')
  })

  it('runs several calls of one answer, and does not show reasoning', async () => {
    const thought = '<think>Two cities.</think>\n'
    const answer = `${thought}${write({ city: 'Paris' })}\n${write({ city: 'Oslo' })}`
    const { shown, last } = await runLoop(loop, [answer, 'Both are clear.'])
    expect(shown).toBe('Both are clear.')
    expect(last[2]).toBe(`${write({ city: 'Paris' })}\n${write({ city: 'Oslo' })}`)
    expect(last[3]).toMatch(/"city": "Paris".*"city": "Oslo"/s)
  })

  it('tells the model what was wrong with a call that cannot be read', async () => {
    const broken = '<tool_call>{"name": "get_weather", "arguments": {"city": }}</tool_call>'
    const answers = [broken, write({ city: 'Paris' }), 'It is clear.']
    const { shown, warnings, last } = await runLoop(loop, answers)
    expect(shown).toBe('It is clear.')
    expect(warnings.map(([code]) => code)).toEqual(['malformed-arguments'])
    expect(last[2]).toBe(broken)
    expect(last[3]).toContain('This call could not be read, and nothing was done')
    expect(last[5]).toContain('celsius')
  })

  it('tells the model what is wrong with the arguments, and with the name of a tool', async () => {
    const answers = [write({ town: 'Paris' }), write({}, 'get_time'), 'I cannot.']
    const { last } = await runLoop(loop, answers)
    expect(last[3]).toMatch(/error.*city/s)
    expect(last[5]).toContain('There is no tool get_time.')
  })

  it('does not run a call that a limit has cut, though only its last brackets are missing', async () => {
    const text = write({ city: 'Paris' }).replace(/\}\}\n<\/tool_call>$/, '')
    const cut = { text, finishReason: 'length' }
    const { warnings, last } = await runLoop(loop, [cut, 'Sorry.'])
    expect(warnings.map(([code]) => code)).toEqual(['cut-call'])
    expect(last.join('\n')).not.toContain('celsius')
  })

  it('ends if the model never stops calling', async () => {
    const answers = Array.from({ length: 9 }, () => write({ city: 'Paris' }))
    expect((await runLoop(loop, answers)).bodies).toHaveLength(5)
  })
})

describe('the page', () => {
  it('shows the calls that its first example reads', () => {
    const [, tools = ''] = /^const options = (\{\n.*?\n\})$/ms.exec(blocks[0] ?? '') ?? []
    const [, answer = ''] = /^const answer = `(.*?)`$/ms.exec(blocks[0] ?? '') ?? []
    const [, json = ''] = /^```json\n(.*?)^```$/ms.exec(page) ?? []
    expect(tools).toContain('get_weather')
    const inputSchema = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
    }
    const { calls } = parseToolCalls(answer, {
      protocol: 'hermes',
      tools: { get_weather: { inputSchema } },
      generateId: () => 'call_x1kd0f2p7qa',
    })
    expect(JSON.parse(json)).toEqual(calls)
  })

  it('names every function and every option', () => {
    const names = ['parseToolCalls', 'createToolCallReader', 'createToolCallStream', 'readTools']
    const options =
      'tools protocol modelId reasoning startWithReasoning callsInReasoning tolerance maxHeldChars generateId isCut callsBefore'
    for (const name of [...names, 'renderTools', 'renderCalls', 'renderResults'])
      expect(page).toContain(`| \`${name}(`)
    for (const option of options.split(' ')) expect(page).toContain(`| \`${option}\` |`)
  })
})
