import { getProtocolInfo, listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/commands.js'
import { readProtocol } from '../src/protocol-option.js'
import { sampleCalls } from '../src/tokens/sample-value.js'
import { loadTokenCounter } from '../src/tokens/token-counter.js'
import { createFiles, linesOf, openAiTools, runCommand } from './run-command.js'

const files = createFiles()
const tools = files.write('tools.json', openAiTools)

describe('every command', () => {
  it.each(commands.map(({ name }) => name))('%s has its own help', async name => {
    const { exitCode, stdout, stderr } = await runCommand([name, '--help'])
    expect(stdout).toContain(`Usage: toolglot ${name}`)
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
    expect((await runCommand(['help', name])).stdout).toBe(stdout)
    const options = commands.find(command => command.name === name)?.options ?? {}
    for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`)
  })

  // The demo's help has its own width.
  it.each(commands.map(({ name }) => name).filter(name => name !== 'demo'))(
    'the help of %s fits in 80 columns',
    async name => {
      const { stdout } = await runCommand([name, '--help'])
      expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
    },
  )

  it.each(commands.map(({ name }) => name))(
    '%s refuses an option that it does not have',
    async name => {
      const { exitCode, stderr, stdout } = await runCommand([name, '--helq'])
      expect(stderr).toContain("Unknown option '--helq'. Did you mean --help? The options are: ")
      expect(stdout).toBe('')
      expect(exitCode).toBe(2)
    },
  )

  it('is listed in the help, which fits in 80 columns', async () => {
    const { stdout } = await runCommand(['help'])
    for (const { name } of commands) expect(stdout).toContain(`  ${name} `)
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
    expect((await runCommand(['--help'])).stdout).toBe(stdout)
  })

  it('is suggested for a misspelt name', async () => {
    expect((await runCommand(['help', 'prase'])).stderr).toContain('Did you mean parse?')
    expect((await runCommand(['fromats'])).stderr).toContain('Did you mean formats?')
    expect((await runCommand(['xyzzy'])).stderr).not.toContain('Did you mean')
  })
})

describe('toolglot formats', () => {
  it('lists all formats in 80 columns', async () => {
    const { exitCode, stdout } = await runCommand(['formats'])
    expect(exitCode).toBe(0)
    for (const name of listProtocols()) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'))
    expect(stdout.split('\n').filter(line => line.length > 80)).toEqual([])
  })

  it('filters by name, alias, family and grammar', async () => {
    const { stdout } = await runCommand(['formats', 'QWEN3', '--json'])
    const names = JSON.parse(stdout).map(({ name }: { name: string }) => name)
    expect(names).toContain('qwen3_coder')
    expect(names).not.toContain('mistral')
    expect((await runCommand(['formats', 'json_mix'])).stdout).toContain('hermes')
  })

  it('prints JSON', async () => {
    const rows = JSON.parse((await runCommand(['formats', '--json'])).stdout)
    expect(rows).toHaveLength(listProtocols().length)
    expect(rows[0]).toEqual({ ...getProtocolInfo('hermes'), hasSpecialTokens: expect.any(Boolean) })
  })

  it('fails if nothing matches', async () => {
    const { exitCode, stderr } = await runCommand(['formats', 'klingon'])
    expect(stderr).toContain('no format matches "klingon"')
    expect(exitCode).toBe(1)
  })
})

describe('toolglot detect', () => {
  it.each([
    [
      'a model',
      ['--model', 'Qwen/Qwen3-Coder-30B-A3B-Instruct'],
      'qwen3_coder',
      "by the model's id",
    ],
    [
      'a text',
      [files.write('t.txt', '[TOOL_CALLS]f[ARGS]{"a": 1}')],
      'mistral',
      'found by the text of the model',
    ],
    [
      'a template',
      [
        '--template',
        files.write(
          't.jinja',
          '{% for x in y %}[TOOL_CALLS]{{ x }}[ARGS][/AVAILABLE_TOOLS][TOOL_RESULTS][/TOOL_RESULTS]{% endfor %}',
        ),
      ],
      'mistral',
      'by the chat template',
    ],
  ])('finds the format of %s', async (_, argv, protocol, reason) => {
    const { exitCode, stdout } = await runCommand(['detect', ...argv])
    expect(stdout.split('\n')[0]).toBe(protocol)
    expect(stdout).toContain(reason)
    expect(exitCode).toBe(0)
    expect(JSON.parse((await runCommand(['detect', '--json', ...argv])).stdout)).toMatchObject({
      protocol,
    })
  })

  it('lists other formats that match', async () => {
    const stdin = ['<tool_call>{"name": "get_weather", "arguments": {}}</tool_call>']
    const { stdout } = await runCommand(['detect', '--tools', tools], { stdin })
    expect(stdout).toContain('also matches: ')
  })

  it('fails if no format matches', async () => {
    const { exitCode, stdout, stderr } = await runCommand(['detect'], { stdin: ['Hello.'] })
    expect(stderr).toContain('no built-in format matches')
    expect(stdout).toBe('')
    expect(exitCode).toBe(1)
    expect((await runCommand(['detect', '--json'], { stdin: ['Hello.'] })).stdout).toBe('null\n')
  })

  it('refuses more than one source', async () => {
    expect((await runCommand(['detect', 'a', '--model', 'b'])).exitCode).toBe(2)
  })
})

describe('toolglot prompt', () => {
  const call = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'

  it('prints the prompt, and its tokens on stderr', async () => {
    const { exitCode, stdout, stderr } = await runCommand([
      'prompt',
      '--tools',
      tools,
      '--protocol',
      'hermes',
    ])
    expect(stdout).toContain('"name": "get_weather"')
    expect(stdout).toContain('<tool_call>')
    expect(stderr).toMatch(/^-- prompt in hermes: \d+ tokens \(o200k_base\), [\d,]+ characters\n$/)
    expect(exitCode).toBe(0)
  })

  it('adds the system message and calls', async () => {
    const argv = [
      'prompt',
      '--tools',
      tools,
      '--protocol',
      'wire',
      '--system',
      'Be kind.',
      '--call',
      call,
      '--json',
    ]
    const { protocol, tokenizer, system, calls } = JSON.parse((await runCommand(argv)).stdout)
    expect(protocol).toBe('wire')
    expect(tokenizer).toBe('o200k_base')
    expect(system.text).toContain('Be kind.')
    expect(system.tokens).toBeGreaterThan(20)
    expect(calls).toEqual({
      text: '<call>get_weather city=Oslo</call>',
      tokens: expect.any(Number),
      characters: 34,
    })
  })

  it('uses the format of the model', async () => {
    const argv = [
      'prompt',
      '--tools',
      tools,
      '--json',
      '--model',
      'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    ]
    const { protocol, system } = JSON.parse((await runCommand(argv)).stdout)
    expect(protocol).toBe('qwen3_coder')
    expect(system.text).toContain('<function=')
  })

  it.each([
    ['no tools', ['prompt'], 2, 'prompt needs --tools FILE'],
    [
      'a broken call',
      ['prompt', '--tools', tools, '--call', '{x}'],
      1,
      '--call is not JSON: line 1, column 2',
    ],
    [
      'a call without a name',
      ['prompt', '--tools', tools, '--call', '{}'],
      1,
      '--call has no name',
    ],
  ])('refuses %s', async (_, argv, exitCode, message) => {
    const result = await runCommand(argv)
    expect(result.stderr).toContain(message)
    expect(result.exitCode).toBe(exitCode)
  })
})

describe('toolglot tokens', () => {
  it('compares all formats, the cheapest first, and reads every call back', async () => {
    const { exitCode, stdout } = await runCommand(['tokens', '--tools', tools, '--json'])
    const { tokenizer, toolCount, callCount, isSampled, protocols } = JSON.parse(stdout)
    expect({ tokenizer, toolCount, callCount, isSampled }).toEqual({
      tokenizer: 'o200k_base',
      toolCount: 1,
      callCount: 1,
      isSampled: true,
    })
    const totals = protocols.map(({ total }: { total: number }) => total)
    expect(totals).toEqual([...totals].sort((a, b) => a - b))
    expect(protocols).toHaveLength(listProtocols().length)
    expect(protocols.filter(({ loss }: { loss?: string }) => loss)).toEqual([])
    expect(exitCode).toBe(0)
  })

  it('counts calls from a file, also in the form that parse prints', async () => {
    const parsed = await runCommand(['parse', '--protocol', 'hermes'], {
      stdin: ['Hi <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'],
    })
    expect(linesOf(parsed.stdout)).toHaveLength(2)
    const forms = [
      parsed.stdout,
      [{ toolName: 'get_weather', args: { city: 'Oslo' } }],
      {
        tool_calls: [
          { type: 'function', function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } },
        ],
      },
      { content: [{ type: 'tool_use', name: 'get_weather', input: { city: 'Oslo' } }] },
    ]
    for (const [i, form] of forms.entries()) {
      const argv = [
        'tokens',
        '--tools',
        tools,
        '--calls',
        files.write(`calls-${i}.json`, form),
        '--protocols',
        'wire,line',
      ]
      const { stdout } = await runCommand(argv)
      expect(stdout).toContain('1 tool and 1 call\n')
      expect(stdout).toMatch(/^wire +\d+ +12 +\d+ {2}yes$/m)
    }
  })

  it('shows only the first rows with --top', async () => {
    const { stdout } = await runCommand(['tokens', '--tools', tools, '--top', '3'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(6)
    expect((await runCommand(['tokens', '--tools', tools, '--top', 'x'])).stderr).toContain(
      '--top is "x"',
    )
  })

  it('estimates without a tokenizer, and says so', async () => {
    const counter = await loadTokenCounter(async () => undefined)
    expect(counter).toMatchObject({ name: 'estimate', isExact: false })
    expect(counter.count('12345678')).toBe(2)
  })

  it('makes calls that match their schemas', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        when: { type: 'string', format: 'date' },
        unit: { enum: ['c', 'f'] },
        count: { type: ['integer', 'null'], minimum: 10 },
        tags: { type: 'array', items: { type: 'string' } },
        stop: { $ref: '#/$defs/stop' },
        either: { anyOf: [{ type: 'null' }, { type: 'boolean' }] },
      },
      $defs: {
        stop: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/stop' } },
        },
      },
    }
    const [call] = sampleCalls([{ type: 'function', name: 'f', inputSchema }])
    expect(call?.input).toMatchObject({
      when: '2025-01-31',
      unit: 'c',
      count: 10,
      tags: ['some tags', 'some tags'],
      stop: { name: 'some name' },
      either: true,
    })
  })
})

describe('toolglot bench', () => {
  it('measures the given formats', async () => {
    const argv = ['bench', '--protocols', 'hermes,auto', '--chars', '500', '--reps', '1']
    const { exitCode, stdout } = await runCommand([...argv, '--json'])
    const { protocols } = JSON.parse(stdout)
    expect(protocols.map(({ protocol }: { protocol: string }) => protocol)).toEqual([
      'hermes',
      'auto',
    ])
    expect(protocols[0].text.versusEmpty).toBeGreaterThan(0)
    expect(exitCode).toBe(0)
    expect((await runCommand(argv)).stdout).toMatch(/^hermes +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$/m)
  })
})

describe('a protocol', () => {
  it('is found by its name and its aliases', () => {
    expect(readProtocol('JSON-mix').name).toBe('hermes')
  })
})
