import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProxyServer, startProxyServer } from '../support/proxy-server.js'
import {
  type ClientFolder,
  hasClient,
  makeClientFolder,
  notesServer,
  runClient,
} from '../support/run-client.js'
import { type ScriptedCall, writeCalls } from '../support/scripted-manners.js'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.js'

// The real Codex, in its default configuration, on a server that only returns text.

const isThere = hasClient('codex')
const answer = 'There are 7 lemons to buy, for "Café <Oslo>".'

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

const open: (ClientFolder | ProxyServer | ScriptedUpstream)[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) {
    if ('remove' in each) each.remove()
    else await each.close()
  }
})

/** Runs Codex with a model that makes these calls, one a turn, and then answers. */
async function runCodex(model: string, calls: readonly ScriptedCall[]) {
  const upstream = await startScriptedUpstream({
    play({ messages }) {
      const turn = messages.filter(({ role }) => role === 'assistant').length
      const call = calls[turn]
      return { text: call ? writeCalls([call], 'hermes') : answer, toolCalls: [] }
    },
  })
  const proxy = await startProxyServer(upstream.baseUrl)
  const folder = makeClientFolder(path => ({
    'codex/config.toml': configOf(proxy.baseUrl, path),
    'notes.mjs': notesServer,
    'work/shop.txt': 'The shop is in Oslo.\n',
  }))
  open.push(upstream, proxy, folder)
  const args = [
    ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
    ...['-m', model, 'What is there to buy, and where?'],
  ]
  const run = await runClient('codex', args, folder, { CODEX_HOME: join(folder.path, 'codex') })
  const conversation = (request: number) =>
    JSON.stringify(upstream.requests.filter(({ body }) => body)[request]?.body?.messages ?? [])
  return { run, proxy, conversation, work: folder.work }
}

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
      expect(conversation(1)).toContain('The shop is in Oslo.')
      expect(conversation(2)).toContain('The note shopping says: buy 7 lemons.')
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
      expect(conversation(3)).toContain('The note shopping says: buy 7 lemons.')
    },
    180_000,
  )

  it.skipIf(!isThere)(
    'is told that a tool does not exist, and goes on',
    async () => {
      const { run, conversation } = await runCodex('perfect', [
        { name: 'no_such_tool', args: {} },
        { name: 'Exec-Command', args: { cmd: 'cat shop.txt' } },
      ])
      expect(run.stdout, run.stderr).toContain(answer)
      expect(conversation(1)).toContain('unsupported call: no_such_tool')
      expect(conversation(2)).toContain('The shop is in Oslo.')
    },
    180_000,
  )
})
