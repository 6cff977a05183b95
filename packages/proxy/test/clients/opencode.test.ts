import { expect, it } from 'vitest'
import { hasClient } from '../support/run-client.js'
import { answer, fileText, noteText, question, useAgentTasks } from './agent-task.js'

// The real opencode on a server that only returns text.

const isThere = hasClient('opencode')
const run = useAgentTasks()

const configOf = (baseURL: string, folder: string) =>
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/perfect',
    small_model: 'scripted/perfect',
    enabled_providers: ['scripted'],
    permission: { '*': 'allow' },
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL, apiKey: 'none' },
        models: { perfect: { name: 'perfect', tool_call: true } },
      },
    },
    mcp: { notes: { type: 'local', command: [process.execPath, `${folder}/notes.mjs`] } },
  })

it.skipIf(!isThere)(
  'opencode reads a file and calls a tool of an MCP server',
  async () => {
    const { run: ended, conversation } = await run({
      client: 'opencode',
      calls: [
        { name: 'read', args: { filePath: 'shop.txt' } },
        { name: 'notes_read_note', args: { title: 'shopping' } },
      ],
      toolName: 'notes_read_note',
      args: ['run', question],
      files: (baseUrl, folder) => ({ 'opencode.json': configOf(baseUrl, folder) }),
      env: folder => ({
        OPENCODE_CONFIG: `${folder}/opencode.json`,
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      }),
    })
    expect(ended.stdout, ended.stderr).toContain(answer)
    expect(ended.code).toBe(0)
    expect(conversation(1)).toContain(fileText)
    expect(conversation(2)).toContain(noteText)
  },
  180_000,
)
