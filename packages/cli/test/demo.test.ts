import { getProtocol, listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { runAgentLoop } from '../src/demo/agent-loop.js'
import { createDemoRecord } from '../src/demo/demo-record.js'
import { createDemoTools } from '../src/demo/demo-tools.js'
import { missingExpectations } from '../src/demo/expectations.js'
import { runDemo } from '../src/demo/run-demo.js'
import { createScriptedModel } from '../src/demo/scripted-model.js'
import { createFakeOutput, createFakeTerminal, type FakeOutput } from './fake-terminal.js'

const ESCAPE = '\u001b'

async function demo<Stdout extends FakeOutput>(
  stdout: Stdout,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const stderr = createFakeOutput()
  const exitCode = await runDemo({ argv, stdout, stderr, env })
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

describe.each(listProtocols())('the demo with %s', protocol => {
  it('does everything that the script expects', async () => {
    const { exitCode, stdout, stderr } = await demo(createFakeOutput(), ['--protocol', protocol])
    expect(stdout).not.toContain('missing:')
    expect(stdout).toContain('Summary: 6 steps, 6 calls, 1 invalid, 1 recovered')
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
  })

  it('shows both columns in a terminal, rows that scroll away included', async () => {
    const terminal = createFakeTerminal({ columns: 90, rows: 9 })
    const { exitCode } = await demo(terminal, ['--protocol', protocol, '--fast'])
    const lines = terminal.lines()
    expect(exitCode).toBe(0)
    expect(lines).toContain('Summary: 6 steps, 6 calls, 1 invalid, 1 recovered')
    expect(lines.every(line => line.length <= 90)).toBe(true)
    const [left, right] = [0, 1].map(at => lines.map(line => line.split('│')[at]?.trim() ?? ''))
    expect(left).toContain('And here is the script:')
    expect(right).toContain('tool-input-start write_file')
    expect(right?.join('')).toContain(
      '{"trip":{"traveller":"Ada","stops":[{"city":"Oslo","nights":2},{"city":"Kyoto"',
    )
  })
})

describe('the demo', () => {
  it('writes a log without escape sequences if stdout is not a terminal', async () => {
    const { stdout } = await demo(createFakeOutput(), [])
    expect(stdout).not.toContain(ESCAPE)
    expect(stdout).toContain('  | <tool_call>\n')
    expect(stdout).toMatch(/ {2}tool-call {2}get_weather \{"city":"Oslo"\} \(\d+ deltas\)\n/)
    expect(stdout).toContain('  result  get_weather  {"city":"Oslo","celsius":4,"sky":"snow"}\n')
    expect(stdout).toContain('Oslo has 4 °C, Kyoto has 21 °C.')
  })

  it.each([
    ['--plain', ['--plain'], { columns: 100 }, {}],
    ['a narrow terminal', [], { columns: 79 }, {}],
    ['a terminal that cannot do more', [], { columns: 100 }, { TERM: 'dumb' }],
  ])('writes a log for %s', async (_, argv, { columns }, env) => {
    const terminal = createFakeTerminal({ columns, rows: 30 })
    const { exitCode, stdout } = await demo(terminal, ['--fast', ...argv], env)
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('│')
    expect(stdout).not.toContain(`${ESCAPE}[2K`)
  })

  it('has colors only in a terminal', async () => {
    const { stdout } = await demo(createFakeTerminal({ columns: 100, rows: 30 }), ['--fast'])
    expect(stdout).toContain(`${ESCAPE}[33m`)
  })

  it.each([
    ['--no-color', ['--no-color'], {}],
    ['NO_COLOR', [], { NO_COLOR: '1' }],
  ])('has no colors with %s', async (_, argv, env) => {
    const { stdout } = await demo(
      createFakeTerminal({ columns: 100, rows: 30 }),
      ['--fast', ...argv],
      env,
    )
    expect(stdout).toContain(`${ESCAPE}[2K`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are escape sequences
    expect(stdout).not.toMatch(/\u001b\[\d+m/)
  })

  it('lists what is missing if the model writes another format', async () => {
    const { tools, declarations, files } = createDemoTools()
    const record = createDemoRecord()
    await runAgentLoop({
      model: createScriptedModel({ protocol: getProtocol('wire'), declarations, delayMs: 0 }),
      protocol: getProtocol('morph_xml'),
      tools,
      prompt: 'Hello',
      maxSteps: 3,
      onEvent: record.onEvent,
    })
    expect(record.calls()).toEqual([])
    expect(record.lastText()).toContain('<call>')
    expect(missingExpectations(record, files)).toContain('two calls in one step')
  })

  it('lists everything as missing if nothing happened', () => {
    expect(missingExpectations(createDemoRecord(), new Map())).toEqual([
      'two calls in one step',
      'a call with a nested argument',
      'a file with exactly the text that the model wrote',
      'an invalid call that is corrected',
      'inputs that stream as the JSON of the calls',
      'a final answer that mentions the results',
    ])
  })
})
