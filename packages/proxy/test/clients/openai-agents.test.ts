import {
  Agent,
  applyPatchTool,
  OpenAIProvider,
  Runner,
  shellTool,
  type Tool,
  tool,
  toolNamespace,
  webSearchTool,
} from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { writeCalls } from '../support/scripted-manners.js'
import { description, modes, question, toolName, translatedModes, useTrips } from './trip.js'

// The OpenAI Agents SDK, on chat completions and on Responses. Traces would go to OpenAI.

const startTrip = useTrips()
const parameters = z.object({ city: z.string(), days: z.number().int().nullable() })

async function runAgent(
  options: {
    readonly baseURL: string
    readonly model: string
    readonly useResponses: boolean
    readonly tools: Tool[]
  },
  isStream: boolean,
): Promise<unknown> {
  const { baseURL, model, useResponses, tools } = options
  const modelProvider = new OpenAIProvider({ baseURL, apiKey: 'none', useResponses })
  const runner = new Runner({ modelProvider, tracingDisabled: true })
  const agent = new Agent({ name: 'agent', model, tools })
  if (!isStream) return (await runner.run(agent, question)).finalOutput
  const result = await runner.run(agent, question, { stream: true })
  await result.completed
  return result.finalOutput
}

describe.each([
  ...modes.map(each => ({ ...each, useResponses: false })),
  ...translatedModes.map(each => ({ ...each, useResponses: true })),
])(
  'the OpenAI Agents SDK, $mode, a $model model, responses: $useResponses',
  ({ mode, model, useResponses }) => {
    it.each([false, true])('runs its loop, streamed: %s', async isStream => {
      const trip = await startTrip(mode)
      const execute = async (args: unknown) => trip.tool(args)
      const weather = tool({ name: toolName, description, parameters, execute })
      const { baseUrl: baseURL } = trip.proxy
      const text = await runAgent({ baseURL, model, useResponses, tools: [weather] }, isStream)
      trip.check(String(text))
    })
  },
)

it.each([false, true])(
  'the OpenAI Agents SDK runs the tools of its API and of a namespace, streamed: %s',
  async isStream => {
    const ran: unknown[] = []
    const note = (action: unknown, result: string) => {
      ran.push(action)
      return result
    }
    const calls = [
      { name: 'shell', args: { commands: ['cat "a b"'], timeout_ms: 1000 } },
      {
        name: 'apply_patch',
        args: { type: 'create_file', path: 'new.txt', diff: '+"é" <b>\n+\\n\n' },
      },
      { name: 'notes__read_note', args: { title: 'x' } },
    ]
    const { proxy } = await startTrip('prompt', {
      play({ messages }) {
        const call = calls[messages.filter(({ role }) => role === 'assistant').length]
        const text = call ? writeCalls([call], 'hermes') : JSON.stringify(messages.slice(-5))
        return { text, toolCalls: [] }
      },
    })
    const readNote = tool({
      name: 'read_note',
      description: 'Reads a note.',
      parameters: z.object({ title: z.string() }),
      execute: async args => note(args, '7 lemons'),
    })
    const done = async (operation: unknown) => ({ output: note(operation, 'file written') })
    const tools: Tool[] = [
      shellTool({
        shell: {
          async run(action) {
            const outcome = { type: 'exit' as const, exitCode: 0 }
            return { output: [{ stdout: note(action, 'from the shell'), stderr: '', outcome }] }
          },
        },
      }),
      applyPatchTool({ editor: { createFile: done, updateFile: done, deleteFile: done } }),
      ...toolNamespace({ name: 'notes', description: 'Notes.', tools: [readNote] }),
      webSearchTool(),
    ]
    const options = { baseURL: proxy.baseUrl, model: 'm', useResponses: true, tools }
    const text = String(await runAgent(options, isStream))
    expect(ran).toEqual([
      { commands: ['cat "a b"'], timeoutMs: 1000 },
      { type: 'create_file', path: 'new.txt', diff: '+"é" <b>\n+\\n\n' },
      { title: 'x' },
    ])
    for (const result of ['from the shell', 'exit code 0', 'file written', '7 lemons'])
      expect(text).toContain(result)
    expect(proxy.records.map(({ warnings }) => warnings)).toEqual(
      Array(4).fill(['left out tools that the proxy cannot offer: web_search']),
    )
  },
)
