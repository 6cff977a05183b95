import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { analyze } from '../src/explain/analysis.js'
import { readProtocol } from '../src/protocol-option.js'
import { charWidth } from '../src/terminal-text.js'
import { createFiles, openAiTools, plainTools, runCommand } from './run-command.js'

const files = createFiles()
const tools = files.write('tools.json', openAiTools)
const answer = `<think>Should I <tool_call>?</think>
The <tool_call> tag opens a call.
<tool_call>
{"name": "get_weather", "arguments": {"city": 'Oslo', "days": "5"}}`

async function explain(argv: readonly string[], text: string) {
  const { stdout, exitCode } = await runCommand(['explain', '--tools', tools, ...argv], {
    stdin: [text],
  })
  return { exitCode, stdout, decisions: stdout.slice(stdout.indexOf('Decisions\n')) }
}

describe('toolglot explain', () => {
  it('marks the text and lists each decision', async () => {
    const { exitCode, stdout } = await explain(['--reasoning'], answer)
    expect(exitCode).toBe(0)
    expect(stdout).toBe(`text  . reasoning  - markup  ^ name  = arguments  ! problem

 1 | <think>Should I <tool_call>?</think>
   | -------.....................--------
 2 | The <tool_call> tag opens a call.
 3 | <tool_call>
   | -----------
 4 | {"name": "get_weather", "arguments": {"city": 'Oslo', "days": "5"}}
   | ----------^^^^^^^^^^^--------------------------====------------=---

Decisions
   1:1  thought   "<think>" starts reasoning
  1:17  held      "<tool_call>" in reasoning: a call only if the reasoning is
                  never closed
  1:29  thought   "</think>" ends reasoning
   2:5  mark      "<tool_call>" may open a call
   2:5  prose     rolled back: no call of a declared tool follows, so
                  "<tool_call>" is text
   3:1  mark      "<tool_call>" may open a call
   3:1  call      this is a call of get_weather
  4:47  repaired  single-quotes: in city: A string or a key was in single
                  quotes.
  4:56  coerced   days: "5" -> 5, as the schema requires
  4:68  repaired  missing-close: A close mark was missing.

1 call, 2 repaired, 1 value coerced, 1 rolled back, no problem
`)
  })

  it.each([
    [
      'a call that is cut',
      ['--cut'],
      '<tool_call>{"name": "get_weather", "arguments": {"city": "Os',
      'cut-call:',
    ],
    [
      'a limit',
      ['--protocol', 'hermes', '--max-held', '40'],
      `<tool_call>{"x": "${'y'.repeat(90)}`,
      'held-limit:',
    ],
    ['reasoning without an end', ['--reasoning'], '<think>hm', 'the reasoning is never closed'],
    [
      'reasoning that the prompt opened',
      ['--start-with-reasoning'],
      'hm</think>x',
      'the text starts with reasoning',
    ],
    [
      'a quotation',
      [],
      'So:\n```\n<tool_call>{"name":"get_weather"}</tool_call>\n```\n',
      'this is a quotation',
    ],
    [
      'an unknown tool',
      ['--protocol', 'hermes'],
      '<tool_call>{"name": "f"}</tool_call>',
      'f is not a declared tool',
    ],
    [
      'a guess',
      [],
      '<tool_call>{"name": "get_weather", "arguments": {"city": "a"b" c"}}</tool_call>',
      'guessed  doubtful-quote: in city: ',
    ],
    [
      'what the tolerance makes of a repair',
      ['--tolerance', 'exact'],
      "<tool_call>{'name': 'get_weather', 'arguments': {}}</tool_call>",
      'problem   doubtful-call: ',
    ],
    [
      'a close mark in text',
      ['--protocol', 'hermes'],
      '</tool_call> closes it.',
      `1:1  mark   "</tool_call>" is a close mark without a call
  1:1  prose  rolled back: it ends nothing here, so "</tool_call>" is text`,
    ],
    [
      'a close mark next to a call',
      ['--protocol', 'hermes'],
      '</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>',
      `1:1  mark  "</tool_call>" is a close mark without a call
  2:1  mark  "<tool_call>" may open a call`,
    ],
    [
      'a mark without meaning',
      ['--protocol', 'hermes'],
      'Done.</s>',
      '"</s>" is a mark that opens no call',
    ],
    [
      'a call in another shape',
      ['--protocol', 'hermes'],
      'Let me look.\nget_weather(city="Paris")',
      '2:1  mark      the line may open a call',
    ],
    [
      'a call in another shape that is only shown',
      ['--protocol', 'hermes'],
      'For example:\nget_weather(city="Paris")',
      'rolled back: it is no whole call, or only shown, so the line is',
    ],
    ['plain text', [], 'Hello', 'none: the text contains no mark of a call'],
  ])('explains %s', async (_, argv, text, message) => {
    expect((await explain(argv, text)).decisions).toContain(message)
  })

  it('refuses a tolerance that does not exist', async () => {
    const { exitCode, stderr } = await runCommand(
      ['explain', '--protocol', 'hermes', '--tolerance', 'loose'],
      {
        stdin: [''],
      },
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--tolerance is "loose"; it must be exact, safe, eager.')
  })

  it('fails for a problem with --strict', async () => {
    const cut = '<tool_call>{"name": "get_weather", "arguments": {"city": "Os'
    expect((await explain(['--cut', '--strict'], cut)).exitCode).toBe(1)
    expect((await explain(['--strict'], answer)).exitCode).toBe(0)
  })

  it('prints spans, decisions and calls as JSON', async () => {
    const { stdout } = await explain(['--json'], answer)
    const { protocol, spans, decisions, calls } = JSON.parse(stdout)
    expect(protocol).toBe('auto')
    expect(spans.map(({ text }: { text: string }) => text).join('')).toBe(answer)
    expect(spans).toContainEqual(
      expect.objectContaining({ type: 'arguments', text: 'Oslo', line: 4, column: 48 }),
    )
    expect(decisions).toContainEqual(
      expect.objectContaining({ type: 'call', toolName: 'get_weather', line: 3 }),
    )
    expect(calls).toHaveLength(1)
  })

  it.each([
    ['in a terminal', { isTTY: true }, true],
    ['in a pipe', {}, false],
    ['with NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' } }, false],
    ['with FORCE_COLOR', { env: { FORCE_COLOR: '1' } }, true],
    ['with FORCE_COLOR=0', { isTTY: true, env: { FORCE_COLOR: '0' } }, false],
    ['in a terminal that has none', { isTTY: true, env: { TERM: 'dumb' } }, false],
  ])('has colors or signs %s', async (_, options, hasColor) => {
    const { stdout } = await runCommand(['explain', '--tools', tools], {
      stdin: [answer],
      ...options,
    })
    expect(stdout.includes('\u001b[36m')).toBe(hasColor)
    expect(stdout.includes('^^^')).toBe(!hasColor)
  })

  it('fits 80 columns and shows no control character of the text', async () => {
    const text = `${'wide 漢字 '.repeat(40)}\u001b[2J\u009b1m\u202e\r\n\tx\n${answer.replace('Oslo', 'x'.repeat(300))}`
    const { stdout } = await explain([], text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for these
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    for (const line of stdout.split('\n')) {
      expect([...line].reduce((sum, char) => sum + charWidth(char), 0)).toBeLessThanOrEqual(80)
    }
  })

  it.each(listProtocols())(
    'finds nothing to repair in a call of %s, and a span for each character',
    name => {
      const named = readProtocol(name)
      const declared = plainTools.map(tool => ({ type: 'function' as const, ...tool }))
      const toolCalls = ['Oslo', 'New York'].map((city, i) => ({
        toolCallId: `call-${i}`,
        toolName: 'get_weather',
        input: { city, days: 5 },
      }))
      const calls = named.protocol.formatToolCalls?.(toolCalls, { tools: declared }) ?? ''
      const text = `I look.\n\n${calls}`
      const {
        spans,
        decisions,
        calls: found,
      } = analyze(text, { named, tools: declared, options: {}, isCut: false })
      expect(found).toHaveLength(2)
      expect(
        decisions.filter(({ type }) => ['repaired', 'guessed', 'problem'].includes(type)),
      ).toEqual([])
      let at = 0
      for (const { start, end } of spans) {
        expect(start).toBe(at)
        at = end
      }
      expect(at).toBe(text.length)
      const args = spans
        .filter(({ type }) => type === 'arguments')
        .map(({ start, end }) => text.slice(start, end))
      expect(args).toEqual(expect.arrayContaining(['Oslo', 'New York']))
    },
  )
})
