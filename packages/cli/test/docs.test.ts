import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commands } from '../src/commands.js'
import { runCli } from '../src/run-cli.js'
import { createFakeOutput } from './fake-terminal.js'
import { createFiles, runCommand } from './run-command.js'

/** The examples of docs/cli.md and of the home page of the site show the real output. */

const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
const files = createFiles()
const blockAfter = (heading: string) =>
  /```\w+\n(.*?)```/s.exec(page.slice(page.indexOf(heading)))?.[1] ?? ''
const paths = new Map([
  ['tools.json', files.write('tools.json', blockAfter('`tools.json`: '))],
  ['answer.txt', files.write('answer.txt', blockAfter('`answer.txt`: '))],
  // Cut in the middle of a line.
  ['cut.txt', files.write('cut.txt', blockAfter('`cut.txt`:').trimEnd())],
])

const examples = [...page.matchAll(/```console\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block
    .split(/^\$ toolglot /m)
    .slice(1)
    .map(example => {
      const [line = '', ...output] = example.split('\n')
      return { line, output: output.join('\n') }
    }),
)

describe('docs/cli.md', () => {
  it.each(examples)('shows what "toolglot $line" prints', async ({ line, output }) => {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(
      ([, quoted, plain = '']) => quoted ?? plain,
    )
    // A terminal shows both streams.
    const terminal = createFakeOutput()
    const argv = words.map(word => paths.get(word) ?? word)
    expect(await runCli({ argv, stdout: terminal, stderr: terminal, env: {} })).toBe(0)
    expect(terminal.text()).toBe(output)
  })

  it('describes every command', () => {
    expect(examples.length).toBeGreaterThan(8)
    for (const { name } of commands) expect(page).toContain(`\`${name}\``)
  })
})

describe('site/index.md', () => {
  it('shows what "toolglot parse" prints', async () => {
    const home = readFileSync(new URL('../../../site/index.md', import.meta.url), 'utf8')
    const [text = '', output] = [...home.matchAll(/```\w+\n(.*?)```/gs)].map(([, block]) => block)
    const tools = files.write(
      'home-tools.json',
      JSON.stringify([
        {
          name: 'get_weather',
          inputSchema: {
            type: 'object',
            properties: { city: { type: 'string' }, days: { type: 'number' } },
          },
        },
      ]),
    )
    const { stdout } = await runCommand(['parse', '--tools', tools], { stdin: [text] })
    expect(stdout).toBe(output)
  })
})
