import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { readProtocol } from '../src/protocol-option.js'
import {
  anthropicTools,
  createFiles,
  linesOf,
  mcpTools,
  openAiTools,
  plainTools,
  runCommand,
} from './run-command.js'

const files = createFiles()
const tools = files.write('tools.json', openAiTools)
const answer =
  'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": "5"}}\n</tool_call>'

describe('toolglot parse', () => {
  it('prints one part per line', async () => {
    const { exitCode, stdout, stderr } = await runCommand(['parse', '--tools', tools], {
      stdin: [answer],
    })
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect(linesOf(stdout)).toEqual([
      { type: 'text', text: 'Let me look.\n' },
      { type: 'tool-call', toolName: 'get_weather', input: { city: 'Oslo', days: 5 }, offset: 13 },
    ])
  })

  it('prints the same for any pieces, even if a character is split', async () => {
    const bytes = new TextEncoder().encode(`Größe 🎉 ${answer}`)
    const pieces = Array.from(bytes, byte => Uint8Array.of(byte))
    const whole = await runCommand(['parse', '--tools', tools], { stdin: [bytes] })
    const split = await runCommand(['parse', '--tools', tools], { stdin: pieces })
    expect(split.stdout).toBe(whole.stdout)
    expect(linesOf(whole.stdout)[0]).toEqual({ type: 'text', text: 'Größe 🎉 Let me look.\n' })
  })

  it('reads a file', async () => {
    const file = files.write('answer.txt', answer)
    const { stdout } = await runCommand(['parse', file, '--tools', tools, '--protocol', 'hermes'])
    expect(linesOf(stdout)).toHaveLength(2)
  })

  it.each([
    ['OpenAI', openAiTools],
    ['Anthropic', anthropicTools],
    ['MCP', mcpTools],
    ['a plain list', plainTools],
    ['a request', { model: 'm', tools: openAiTools }],
  ])('reads tools in the form of %s', async (name, json) => {
    const file = files.write(`${name}.json`, json)
    const { stdout } = await runCommand(['parse', '--tools', file], { stdin: [answer] })
    expect(linesOf(stdout)[1]).toMatchObject({ input: { city: 'Oslo', days: 5 } })
  })

  it('keeps all digits of a number', async () => {
    const text =
      '<tool_call>{"name": "f", "arguments": {"id": 12345678901234567890123}}</tool_call>'
    const { stdout } = await runCommand(['parse', '--protocol', 'hermes'], { stdin: [text] })
    expect(stdout).toContain('"input":{"id":12345678901234567890123}')
  })

  it('prints a problem before its call, and fails only with --strict', async () => {
    const text = 'x\n<tool_call>{"name": "get_weather", "arguments": {"city": "Os'
    const argv = ['parse', '--tools', tools, '--cut']
    const { exitCode, stdout } = await runCommand(argv, { stdin: [text] })
    const [, problem, call] = linesOf(stdout)
    expect(problem).toMatchObject({
      type: 'problem',
      code: 'cut-call',
      line: 2,
      column: 1,
      toolName: 'get_weather',
    })
    expect(call).toMatchObject({ type: 'tool-call', invalid: true })
    expect(typeof call?.input).toBe('string')
    expect(exitCode).toBe(0)
    expect((await runCommand([...argv, '--strict'], { stdin: [text] })).exitCode).toBe(1)
    expect(
      (await runCommand(['parse', '--tools', tools, '--strict'], { stdin: [answer] })).exitCode,
    ).toBe(0)
  })

  it('prints reasoning separately from text', async () => {
    const { stdout } = await runCommand(['parse', '--tools', tools, '--reasoning'], {
      stdin: ['<think>hm</think>Hi'],
    })
    expect(linesOf(stdout)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Hi' },
    ])
    const inside = await runCommand(['parse', '--tools', tools, '--start-with-reasoning'], {
      stdin: ['hm, hm</think>Hi'],
    })
    expect(linesOf(inside.stdout)[0]).toEqual({ type: 'reasoning', text: 'hm, hm' })
  })

  it('streams events whose deltas add up to the input', async () => {
    const { stdout } = await runCommand(['parse', '--tools', tools, '--stream'], {
      stdin: answer.split(''),
    })
    const events = linesOf(stdout)
    const deltas = events
      .filter(({ type }) => type === 'tool-input-delta')
      .map(({ delta }) => delta)
    expect(events.map(({ type }) => type)).toContain('text-delta')
    expect(deltas.length).toBeGreaterThan(1)
    expect(JSON.parse(deltas.join(''))).toEqual({ city: 'Oslo', days: 5 })
    expect(events.at(-1)).toMatchObject({
      type: 'tool-call',
      id: 'call-1',
      input: { city: 'Oslo', days: 5 },
    })
  })

  it('escapes control characters', async () => {
    const { stdout } = await runCommand(['parse', '--protocol', 'hermes'], {
      stdin: ['a\u001b[31m\u009b\u202e'],
    })
    expect(stdout).toBe('{"type":"text","text":"a\\u001b[31m\\u009b\\u202e"}\n')
  })

  it('prints nothing for an empty text', async () => {
    expect(await runCommand(['parse', '--tools', tools])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    })
  })

  it.each([
    [
      'auto without tools',
      ['parse'],
      2,
      'parse needs --tools FILE here: auto finds only calls of declared tools',
    ],
    [
      'tags named after tools',
      ['parse', '--protocol', 'xml'],
      2,
      'morph_xml recognizes a call by the name of its tool',
    ],
    ['an unknown protocol', ['parse', '--protocol', 'herms'], 2, 'Did you mean hermes?'],
    ['two files', ['parse', 'a', 'b'], 2, 'parse takes one argument, not 2: a b'],
    [
      'a missing file',
      ['parse', 'no-such-file', '--protocol', 'hermes'],
      1,
      'no-such-file: the file does not exist',
    ],
    [
      'missing tools',
      ['parse', '--tools', 'no-such-file'],
      1,
      'no-such-file: the file does not exist',
    ],
  ])('refuses %s', async (_, argv, exitCode, message) => {
    const result = await runCommand(argv)
    expect(result.stderr).toContain(message)
    expect(result.stdout).toBe('')
    expect(result.exitCode).toBe(exitCode)
  })

  it.each([
    ['broken JSON', '[{"name": "x",}]', 'line 1, column 15: a comma before `}`'],
    ['no tools', '{"a": 1}', 'tools.a must be a tool or a JSON Schema, found 1'],
    [
      'a tool of a provider',
      '[{"type": "web_search"}]',
      'tools[0] has the type "web_search": a provider runs it',
    ],
    [
      'the same tool twice',
      '[{"name": "x"}, {"name": "x"}]',
      'tools[1] is named "x", as tools[0] is',
    ],
    ['escape sequences', '[\u001b[31m', '`\u241b` is not a value'],
  ])('says what is wrong with a file of %s', async (name, text, message) => {
    const { exitCode, stderr } = await runCommand([
      'parse',
      '--tools',
      files.write(`${name}.bad`, text),
    ])
    expect(stderr).toContain(message)
    expect(exitCode).toBe(1)
  })

  it.each(listProtocols())('reads back a call of %s', async name => {
    const { protocol } = readProtocol(name)
    const call = { toolCallId: 'call-0', toolName: 'get_weather', input: { city: 'Oslo', days: 5 } }
    const text = protocol.formatToolCall(call, {})
    const { stdout } = await runCommand(['parse', '--tools', tools, '--protocol', name], {
      stdin: [text],
    })
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({ toolName: 'get_weather', input: call.input }),
    ])
  })
})
