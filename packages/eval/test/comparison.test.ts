import { readFileSync } from 'node:fs'
import { hermesToolMiddleware, morphXmlToolMiddleware } from '@ai-sdk-tool/parser'
import { createToolMiddleware } from '@toolglot/parser'
import { streamText, tool, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

/**
 * The table of docs/comparison.md: what `streamText` of AI SDK 6 gets from each library for the same
 * text of a model. Run `npx vitest run packages/eval/test/comparison.test.ts` to measure it again.
 */

const page = readFileSync(new URL('../../../docs/comparison.md', import.meta.url), 'utf8')

type Wrap = Parameters<typeof wrapLanguageModel>[0]
type Model = Wrap['model']
type StreamPart =
  Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer Part> ? Part : never

interface Case {
  /** What the model writes. */
  readonly text: string
  /** The mark of the format is `<tool_call>`, or the name of the tool. */
  readonly isXml?: true
  /** A token limit has ended the answer. */
  readonly isCut?: true
}

const hermes = (tool: string, args: string) =>
  `<tool_call>{"name": "${tool}", "arguments": ${args}}</tool_call>`

const cases: readonly Case[] = [
  { text: hermes('get_weather', '{"city": "Paris", "days": "3",}') },
  { text: hermes('save_note', '{"text": "write </tool_call> last"}') },
  { text: hermes('save_note', '{"text": "say "hi" to Ann"}') },
  { text: hermes('get_weather', '{"city": "a"b" c", "days": 3}') },
  { text: hermes('get_weather', '{"city": "Paris"') },
  { text: hermes('get_weather', '{"city": }') },
  { text: 'The <tool_call> tag opens a call.' },
  { text: '<save_note><text>half a sen', isXml: true, isCut: true },
  { text: '<save_note><text>a &lt; b</text></save_note>', isXml: true },
  { text: '<function=get_weather><parameter=city>Paris</parameter></function>' },
]

const execute = async () => 'done'
const tools = {
  get_weather: tool({
    description: 'The weather in a city.',
    inputSchema: z.object({ city: z.string(), days: z.number().optional() }),
    execute,
  }),
  save_note: tool({
    description: 'Saves a note.',
    inputSchema: z.object({ text: z.string() }),
    execute,
  }),
}

/** A model that writes one text, in pieces of four characters. */
function createModel({ text, isCut }: Case): Model {
  const finish = isCut ? 'length' : 'stop'
  const none = { total: undefined }
  const parts: StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    ...(text.match(/.{1,4}/gsu) ?? []).map(delta => ({
      type: 'text-delta' as const,
      id: '1',
      delta,
    })),
    { type: 'text-end', id: '1' },
    {
      type: 'finish',
      finishReason: { unified: finish, raw: finish },
      usage: {
        inputTokens: { ...none, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { ...none, text: undefined, reasoning: undefined },
      },
    },
  ]
  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('this model only streams')),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part)
          controller.close()
        },
      }),
    }),
  }
}

/** What the application gets, in the words of the page. */
async function outcomeOf(each: Case, middleware: Wrap['middleware']): Promise<string> {
  const { fullStream } = streamText({
    model: wrapLanguageModel({ model: createModel(each), middleware }),
    tools,
    prompt: 'Go on.',
    onError: () => {},
  })
  let text = ''
  const calls: string[] = []
  for await (const part of fullStream) {
    if (part.type === 'text-delta') text += part.text
    if (part.type !== 'tool-call') continue
    calls.push(part.invalid ? 'an invalid call' : `\`${JSON.stringify(part.input)}\``)
  }
  if (text !== '') calls.unshift(text === each.text ? 'the text' : `the text \`${text.trim()}\``)
  return calls.join(', ') || 'nothing'
}

describe('the table of docs/comparison.md', () => {
  it.each(cases)('shows what becomes of $text', async each => {
    const theirs = each.isXml ? morphXmlToolMiddleware : hermesToolMiddleware
    const ours = createToolMiddleware({ protocol: each.isXml ? 'morph_xml' : 'hermes' })
    const cut = each.isCut ? ' (a token limit ends the answer)' : ''
    const row = `| \`${each.text}\`${cut} | ${await outcomeOf(each, theirs)} | ${await outcomeOf(each, ours)} |`
    expect(page.split('\n'), `the row is now:\n${row}`).toContain(row)
  })

  it('names the version that is measured', () => {
    const path = new URL('../../../package-lock.json', import.meta.url)
    const { packages } = JSON.parse(readFileSync(path, 'utf8'))
    expect(page).toContain(packages['node_modules/@ai-sdk-tool/parser'].version)
  })
})
