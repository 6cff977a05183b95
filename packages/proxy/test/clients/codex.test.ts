import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasClient } from '../support/run-client.js'
import { type ScriptedCall, writeCalls } from '../support/scripted-manners.js'
import { answer, fileText, noteText, question, useAgentTasks } from './agent-task.js'

// The real Codex, in its default configuration, on a server that only returns text.

const isThere = hasClient('codex')
const runAgent = useAgentTasks()

const configOf = (baseUrl: string, folder: string) => `
model_provider = "scripted"
check_for_update_on_startup = false
chatgpt_base_url = "http://127.0.0.1:9"

[analytics]
enabled = false

[feedback]
enabled = false

[model_providers.scripted]
name = "scripted"
base_url = "${baseUrl}"
wire_api = "responses"

[mcp_servers.notes]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(join(folder, 'notes.mjs'))}]
`

/** Runs Codex with a model that makes these calls. */
const runCodex = (model: string, calls: readonly (ScriptedCall | string)[]) =>
  runAgent({
    client: 'codex',
    calls,
    toolName: 'exec_command',
    args: [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      ...['-m', model, question],
    ],
    files: (baseUrl, folder) => ({ 'codex/config.toml': configOf(baseUrl, folder) }),
    env: folder => ({ CODEX_HOME: join(folder, 'codex') }),
  })

describe('codex exec', () => {
  it.skipIf(!isThere)(
    'runs a command, a tool of an MCP server and one of a namespace of its own',
    async () => {
      const { run, proxy, conversation } = await runCodex('perfect', [
        { name: 'exec_command', args: { cmd: 'cat shop.txt' } },
        { name: 'mcp__notes__read_note', args: { title: 'shopping' } },
        { name: 'multi_agent_v1__close_agent', args: { target: 'nobody' } },
      ])
      expect(run.stdout, run.stderr).toContain(answer)
      expect(run.code).toBe(0)
      expect(conversation(1)).toContain(fileText)
      expect(conversation(2)).toContain(noteText)
      // Its own tool ran, and found no such agent.
      expect(conversation(3)).toContain('nobody')
      expect(conversation(3)).not.toContain('unsupported call')
      const { status, warnings } = proxy.records[0] ?? {}
      expect({ status, warnings }).toEqual({
        status: 200,
        warnings: ['left out tools that the proxy cannot offer: web_search'],
      })
    },
    180_000,
  )

  it.skipIf(!isThere)(
    'applies a patch as free text, and searches for a tool before it calls it',
    async () => {
      const line = `"café" <b>'x'</b> </tool_call> \\n \${y} {"a": 1}`
      const patch = `*** Begin Patch\n*** Add File: new.txt\n+${line}\n+\n+end\n*** End Patch\n`
      const { run, conversation, work } = await runCodex('gpt-5.5', [
        { name: 'apply_patch', args: { input: patch } },
        { name: 'tool_search', args: { query: 'read a note' } },
        { name: 'mcp__notes__read_note', args: { title: 'shopping' } },
      ])
      expect(run.stdout, run.stderr).toContain(answer)
      expect(run.code).toBe(0)
      expect(existsSync(join(work, 'new.txt')), conversation(1)).toBe(true)
      expect(readFileSync(join(work, 'new.txt'), 'utf8')).toBe(`${line}\n\nend\n`)
      expect(conversation(2)).toContain('mcp__notes__read_note')
      expect(conversation(3)).toContain(noteText)
    },
    180_000,
  )

  it.skipIf(!isThere)(
    'gets a call of a tool that does not exist, and goes on',
    async () => {
      const { run, conversation } = await runCodex('perfect', [
        { name: 'no_such_tool', args: {} },
        { name: 'Exec-Command', args: { cmd: 'cat shop.txt' } },
      ])
      expect(run.stdout, run.stderr).toContain(answer)
      expect(conversation(1)).toContain('unsupported call: no_such_tool')
      expect(conversation(2)).toContain(fileText)
    },
    180_000,
  )

  it.skipIf(!isThere)(
    'does not apply a patch that was cut off',
    async () => {
      const patch = '*** Begin Patch\n*** Add File: new.txt\n+a\n*** End Patch\n'
      const written = writeCalls([{ name: 'apply_patch', args: { input: patch } }], 'hermes')
      const cut = written.slice(0, written.lastIndexOf('\\n"'))
      const { run, work } = await runCodex('gpt-5.5', [cut])
      expect(run.stdout, run.stderr).toContain('A call of apply_patch that is cut off')
      expect(existsSync(join(work, 'new.txt'))).toBe(false)
    },
    180_000,
  )
})
