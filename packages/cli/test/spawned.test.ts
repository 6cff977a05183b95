import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFiles, openAiTools } from './run-command.js'
import { commandLine, spawnCommand } from './spawn-command.js'

const files = createFiles()
const tools = files.write('tools.json', openAiTools)
files.write('my answer.txt', '')
const answer = 'Hi <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>'

async function run(argv: readonly string[], input = '') {
  const { child, end } = spawnCommand(argv)
  child.stdin.end(input)
  return end
}

describe('toolglot in its own process', () => {
  it.each([
    ['its help', ['--help'], '', 0, 'Usage: toolglot <command>'],
    ['its version', ['--version'], '', 0, '0.'],
    ['a text', ['parse', '--tools', tools], answer, 0, '"toolName":"get_weather"'],
    ['an explanation', ['explain', '--tools', tools], answer, 0, 'this is a call of get_weather'],
    ['a format', ['detect'], answer, 0, 'hermes\n'],
    ['the formats', ['formats', 'glm'], '', 0, 'glm_4_5'],
    ['a prompt', ['prompt', '--tools', tools, '--protocol', 'wire'], '', 0, '<call>'],
    ['tokens', ['tokens', '--tools', tools, '--protocols', 'hermes'], '', 0, 'hermes'],
    [
      'a problem',
      ['parse', '--tools', tools, '--cut', '--strict'],
      answer.slice(0, 60),
      1,
      '"cut-call"',
    ],
  ])('prints %s and exits with its code', async (_, argv, input, exitCode, output) => {
    const result = await run(argv, input)
    expect(result.stdout).toContain(output)
    expect(result.exitCode).toBe(exitCode)
  })

  it.each([
    ['no command', [], 2, 'Usage:'],
    ['an unknown command', ['prase'], 2, 'Did you mean parse?'],
    [
      'a missing file',
      ['parse', 'no-such-file', '--protocol', 'hermes'],
      1,
      'the file does not exist',
    ],
  ])('ends with an error for %s', async (_, argv, exitCode, message) => {
    const result = await run(argv)
    expect(result.stderr).toContain(message)
    expect(result.stdout).toBe('')
    expect(result.exitCode).toBe(exitCode)
  })

  it('prints events while the text is still arriving', async () => {
    const { child, until, end } = spawnCommand(['parse', '--tools', tools, '--stream'])
    child.stdin.write('Let me look. <tool_call>{"name": "get_weather", "arguments": {"city": "Os')
    expect(await until('tool-input-delta')).toContain('"delta":"Let me look. "')
    child.stdin.end('lo"}}</tool_call>')
    expect((await end).stdout).toContain('"input":{"city":"Oslo"}')
  })

  it('stops silently when its reader stops', async () => {
    const { child, end } = spawnCommand(['parse', '--protocol', 'hermes', '--stream'])
    child.stdin.on('error', () => {})
    const text = `${'some text <tool_call> and '.repeat(4000)}\n`
    const feed = setInterval(() => child.stdin.write(text), 5)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    const { exitCode, stderr } = await end
    clearInterval(feed)
    expect(stderr).toBe('')
    expect(exitCode).toBe(0)
  })

  it('reads more than fits in memory, and waits for a slow reader', async () => {
    const { child, end } = spawnCommand(['parse', '--protocol', 'hermes', '--stream'], {
      NODE_OPTIONS: '--max-old-space-size=64',
    })
    let chars = 0
    child.stdout.removeAllListeners('data').pause()
    const text = 'A line of text that goes on for a while, and says nothing.\n'.repeat(1000)
    // Nobody reads: the command accepts only what fits into the pipes, and the writer waits.
    let written = 0
    let isTaken = true
    while (isTaken && written < 1000) {
      if (!child.stdin.write(text))
        isTaken = await Promise.race([
          once(child.stdin, 'drain').then(() => true),
          delay(3000, false),
        ])
      written++
    }
    expect(isTaken).toBe(false)
    child.stdout.on('data', (piece: string) => {
      chars += piece.length
    })
    child.stdout.resume()
    for (; written < 1000; written++) if (!child.stdin.write(text)) await once(child.stdin, 'drain')
    child.stdin.end()
    expect((await end).exitCode).toBe(0)
    expect(chars).toBeGreaterThan(59_000_000)
  })
})

const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0

/** Returns the completions of a shell for the last word. */
const completions: Readonly<Record<string, (script: string, words: readonly string[]) => string>> =
  {
    bash(script, words) {
      const list = ['toolglot', ...words].map(word => `'${word}'`).join(' ')
      const code = `source '${script}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _toolglot; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-euo', 'pipefail', '-c', code], {
        encoding: 'utf8',
        cwd: files.directory,
      })
    },
    fish(script, words) {
      const code = `source '${script}'; complete -C '${['toolglot', ...words].join(' ')}'`
      const lines = execFileSync('fish', ['-N', '-c', code], {
        encoding: 'utf8',
        cwd: files.directory,
      })
      // fish adds a tab and the description of the word.
      return lines.replace(/\t.*/g, '')
    },
  }

describe.each(Object.keys(completions).filter(hasShell))('completion in %s', shell => {
  const [program = '', ...first] = commandLine
  const script = files.write(
    `completion.${shell}`,
    execFileSync(program, [...first, 'completion', shell], { encoding: 'utf8' }),
  )
  const complete = (...words: string[]) => completions[shell]?.(script, words).trim().split('\n')

  it.each([
    ['commands', ['pa'], ['parse']],
    ['commands to help with', ['help', 'ex'], ['explain']],
    ['options', ['parse', '--str'], ['--stream', '--strict']],
    ['options after others', ['explain', '--tools', 'x.json', '--js'], ['--json']],
    ['formats', ['parse', '--protocol', 'qwen3_c'], ['qwen3_coder']],
    ['other names of formats', ['demo', '--protocol', 'json_m'], ['json_mix']],
    ['several formats', ['tokens', '--protocols', 'hermes,wir'], ['hermes,wire']],
    ['files', ['parse', 'tool'], ['tools.json']],
    ['files with spaces', ['parse', 'my'], ['my answer.txt']],
    ['files of an option', ['parse', '--tools', 'tool'], ['tools.json']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['nothing where it knows nothing', ['bench', '--reps', ''], ['']],
  ])('offers %s', (_, words, offers) => {
    expect(complete(...words)?.sort()).toEqual(offers.sort())
  })
})

describe('completion', () => {
  it.each(['zsh', 'fish'])('knows commands, options and formats in %s', async shell => {
    const { stdout, exitCode } = await run(['completion', shell])
    for (const word of ['explain', 'start-with-reasoning', 'qwen3_coder', 'max-held'])
      expect(stdout).toContain(word)
    expect(exitCode).toBe(0)
    if (!hasShell(shell)) return
    const { status, stderr } = spawnSync(
      shell,
      ['-n', files.write(`completion-of.${shell}`, stdout)],
      {
        encoding: 'utf8',
      },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.each([
    ['no shell', [], 'completion needs a shell'],
    ['an unknown shell', ['tcsh'], 'There is no completion for "tcsh"'],
    ['a name of an object', ['constructor'], 'There is no completion for "constructor"'],
  ])('refuses %s', async (_, argv, message) => {
    const { stderr, exitCode } = await run(['completion', ...argv])
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })
})
