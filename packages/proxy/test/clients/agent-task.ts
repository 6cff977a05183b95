import { afterEach } from 'vitest'
import { type ProxyServer, startProxyServer } from '../support/proxy-server.js'
import {
  type ClientFolder,
  type ClientRun,
  makeClientFolder,
  notesServer,
  runClient,
} from '../support/run-client.js'
import { type ScriptedCall, writeCalls } from '../support/scripted-manners.js'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.js'

// A task for a command-line agent: it reads a file and a note, and answers. The server of the
// proxy only returns text.

export const question = 'What is there to buy, and where?'
export const answer = 'There are 7 lemons to buy, for "Café <Oslo>".'
export const fileText = 'The shop is in Oslo.'
export const noteText = 'The note shopping says: buy 7 lemons.'

export interface AgentTask {
  readonly client: string
  /** The calls of the model, or what it writes in place of one, one a turn. Then it answers. */
  readonly calls: readonly (ScriptedCall | string)[]
  /** A name that only requests with tools contain: some clients also ask for a title. */
  readonly toolName: string
  readonly args: readonly string[]
  /** The client's configuration, by the name of the file. */
  readonly files: (baseUrl: string, folder: string) => Readonly<Record<string, string>>
  readonly env: (folder: string) => Readonly<Record<string, string>>
}

export interface AgentResult {
  readonly run: ClientRun
  readonly proxy: ProxyServer
  /** The folder in which the client worked. */
  readonly work: string
  /** Returns the conversation in a request of the agent, as JSON. The first one is 0. */
  readonly conversation: (request: number) => string
}

/** Runs clients, and removes what they need after each test. */
export function useAgentTasks(): (task: AgentTask) => Promise<AgentResult> {
  const open: (ClientFolder | ProxyServer | ScriptedUpstream)[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) {
      if ('remove' in each) each.remove()
      else await each.close()
    }
  })
  return async ({ client, calls, toolName, args, files, env }) => {
    const upstream = await startScriptedUpstream({
      play({ messages }) {
        const hasTools = JSON.stringify(messages).includes(toolName)
        const turn = messages.filter(({ role }) => role === 'assistant').length
        const call = hasTools ? calls[turn] : undefined
        const text = typeof call === 'object' ? writeCalls([call], 'hermes') : (call ?? answer)
        return { text, toolCalls: [] }
      },
    })
    open.push(upstream)
    const proxy = await startProxyServer(upstream.baseUrl)
    open.push(proxy)
    const folder = makeClientFolder(path => ({
      ...files(proxy.baseUrl, path),
      'notes.mjs': notesServer,
      'work/shop.txt': `${fileText}\n`,
    }))
    open.push(folder)
    const run = await runClient(client, args, folder, env(folder.path))
    const conversations = upstream.requests
      .map(({ body }) => JSON.stringify(body?.messages ?? []))
      .filter(text => text.includes(toolName))
    return { run, proxy, work: folder.work, conversation: i => conversations[i] ?? '' }
  }
}
