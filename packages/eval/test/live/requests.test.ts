import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { benchProtocols } from '../../src/bench-protocols.js'
import { isRecord } from '../../src/is-record.js'
import { maxDistractors } from '../../src/live/distractors.js'
import { defaultSystem, parseLiveOptions } from '../../src/live/options.js'
import { createRows } from '../../src/live/rows.js'
import { runTask } from '../../src/live/run-task.js'
import type { Task } from '../../src/live/task.js'
import { catalogue, toolsOf } from '../../src/live/tasks/catalogue.js'
import { serve } from './bench.js'
import { type SeenRequest, textOf } from './scripted-server.js'

const tools = toolsOf(catalogue)
/** A task that has all tools of the catalogue. */
const allTools: Task = {
  id: 'all-tools',
  kind: 'single',
  category: 'test',
  messages: [{ role: 'user', content: 'Hello.' }],
  firstStepCalls: 0,
  open: () => ({ tools, check: () => [] }),
  solution: { steps: [], answer: '' },
}

/** The request that is really sent with these flags. */
async function requestOf(
  protocol: string,
  flags: readonly string[] = [],
  rep = 0,
): Promise<SeenRequest> {
  const { baseUrl, requests } = await serve({ play: () => ({ text: 'Hello.', toolCalls: [] }) })
  const parsed = parseLiveOptions(['--base-url', baseUrl, '--model', 'm', ...flags])
  if (parsed.type !== 'run') throw new Error('no run')
  const { config, targets } = parsed.options
  const [row] = createRows(targets, [{ protocol }])
  if (!row) throw new Error('no row')
  const run = { task: allTools, row, rep, fingerprint: '' }
  const signal = new AbortController().signal
  const record = await runTask({ run, config, retries: 0, apiKey: undefined, signal })
  expect(record?.outcome, record?.reasons.join()).toBe('pass')
  const [request] = requests
  if (!request) throw new Error('nothing was sent')
  return request
}

const nativeTools = z.array(
  z.object({
    type: z.literal('function'),
    function: z.object({
      name: z.string(),
      description: z.string().optional(),
      parameters: z.looseObject({}),
    }),
  }),
)
const systemOf = ({ body }: SeenRequest) =>
  body.messages[0]?.role === 'system' ? textOf(body.messages[0].content) : ''

/** All that a schema says which a model has to know: names of properties, and values of enums. */
function wordsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(wordsOf)
  if (!isRecord(schema)) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'enum' && Array.isArray(value)) return value.map(String)
    if (key === 'properties' && isRecord(value))
      return [...Object.keys(value), ...wordsOf(Object.values(value))]
    return wordsOf(value)
  })
}

function descriptionsOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(descriptionsOf)
  if (!isRecord(schema)) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsOf(value),
  )
}

describe('the request that reaches the endpoint', () => {
  it('has every tool, description and schema in "tools" without a protocol', async () => {
    const sent = nativeTools.parse((await requestOf('native')).body.tools)
    expect(sent.map(each => each.function.name)).toEqual(tools.map(({ name }) => name))
    for (const [i, { description, inputSchema }] of tools.entries()) {
      expect(sent[i]?.function.description).toBe(description)
      expect(sent[i]?.function.parameters).toMatchObject(inputSchema)
    }
  })

  it.each(benchProtocols())(
    'has every tool, description and schema in the prompt with %s',
    async protocol => {
      const request = await requestOf(protocol)
      expect(request.body.tools).toBeUndefined()
      const system = systemOf(request)
      // Where each tool is named, in one of the ways in which formats do that.
      const places = tools.map(({ name }) => {
        const mark = new RegExp(
          `"name": "${name}"|<name>${name}</name>|declaration:${name}\\{|^@?${name}(?= |$)`,
          'gm',
        )
        const [place, ...others] = [...system.matchAll(mark)].map(({ index }) => index)
        expect(others, name).toEqual([])
        return place ?? expect.fail(`${name} is not shown`)
      })
      for (const [i, { name, description, inputSchema }] of tools.entries()) {
        const shown = system.slice(places[i], places[i + 1])
        expect(shown).toContain(description)
        for (const word of wordsOf(inputSchema)) expect(shown, name).toContain(word)
        // Compact protocols may shorten what parameters say, but not leave it out.
        for (const text of descriptionsOf(inputSchema))
          expect(shown, name).toContain(text.slice(0, 12))
      }
    },
  )

  it('has a system message of ours in both modes', async () => {
    expect(systemOf(await requestOf('native'))).toBe(defaultSystem)
    expect(systemOf(await requestOf('hermes'))).toContain(defaultSystem)
  })

  it('asks for usage also when it streams', async () => {
    const { body } = await requestOf('native', ['--stream'])
    expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })
})

describe.each(['native', ...benchProtocols()])('an ablation with %s', protocol => {
  const shown = (request: SeenRequest) =>
    protocol === 'native' ? JSON.stringify(request.body.tools) : systemOf(request)
  const [firstTool] = tools
  const parameterText = 'Absolute path of'

  it('leaves out descriptions of tools', async () => {
    expect(shown(await requestOf(protocol))).toContain(firstTool?.description)
    const text = shown(await requestOf(protocol, ['--no-tool-descriptions']))
    for (const { description } of tools) expect(text).not.toContain(description)
    expect(text).toContain(parameterText)
  })

  it('leaves out descriptions of parameters', async () => {
    expect(shown(await requestOf(protocol))).toContain(parameterText)
    const text = shown(await requestOf(protocol, ['--no-parameter-descriptions']))
    expect(text).not.toContain(parameterText)
    expect(text).toContain(firstTool?.description)
    for (const { inputSchema } of tools)
      for (const word of wordsOf(inputSchema)) expect(text).toContain(word)
  })

  it('changes or drops the system message', async () => {
    const other = systemOf(await requestOf(protocol, ['--system', 'Be "brief".']))
    expect(other).toContain('Be "brief".')
    expect(other).not.toContain(defaultSystem)
    expect(systemOf(await requestOf(protocol, ['--no-system']))).not.toContain(defaultSystem)
  })

  it('puts the tools first or last', async () => {
    const first = systemOf(await requestOf(protocol, ['--placement', 'first']))
    const last = systemOf(await requestOf(protocol, ['--placement', 'last']))
    // Without a protocol there is nothing to place.
    if (protocol === 'native') return expect(last).toBe(first)
    expect(first.endsWith(defaultSystem)).toBe(true)
    expect(last.startsWith(defaultSystem)).toBe(true)
  })

  it('shuffles the tools again in each repetition, by the seed', async () => {
    const plain = shown(await requestOf(protocol))
    const shuffled = shown(await requestOf(protocol, ['--shuffle-tools']))
    expect(shuffled).not.toBe(plain)
    expect(shuffled).toHaveLength(plain.length)
    expect(shown(await requestOf(protocol, ['--shuffle-tools']))).toBe(shuffled)
    expect(shown(await requestOf(protocol, ['--shuffle-tools'], 1))).not.toBe(shuffled)
    expect(shown(await requestOf(protocol, ['--shuffle-tools', '--seed', '9']))).not.toBe(shuffled)
  })

  it('adds distractors', async () => {
    const plain = shown(await requestOf(protocol))
    expect(plain).not.toContain('identify_plant')
    const all = shown(await requestOf(protocol, ['--distractors', String(maxDistractors)]))
    expect(all).toContain('identify_plant')
    expect(all).toContain('wake_me')
    const three = shown(await requestOf(protocol, ['--distractors', '3']))
    expect(three.length).toBeGreaterThan(plain.length)
    expect(three.length).toBeLessThan(all.length)
  })

  it('sets temperature, seed and the limit of tokens', async () => {
    expect((await requestOf(protocol)).body).toMatchObject({ temperature: 0, seed: 1 })
    const { body } = await requestOf(
      protocol,
      ['--temperature', '0.7', '--seed', '5', '--max-output-tokens', '99'],
      2,
    )
    expect(body).toMatchObject({ temperature: 0.7, seed: 7, max_tokens: 99 })
    expect((await requestOf(protocol, ['--temperature', 'default'])).body).not.toHaveProperty(
      'temperature',
    )
  })
})

describe('a tool choice', () => {
  it('is sent as it is without a protocol, and as a demand for JSON with one', async () => {
    const { baseUrl, requests } = await serve({
      play: ({ tools }) =>
        tools
          ? { text: '', toolCalls: [{ name: 'list_accounts', arguments: '{}' }] }
          : { text: '{"name": "list_accounts", "arguments": {}}', toolCalls: [] },
    })
    const parsed = parseLiveOptions([
      '--base-url',
      baseUrl,
      '--model',
      'm',
      '--tool-choice',
      'required',
    ])
    if (parsed.type !== 'run') throw new Error('no run')
    for (const row of createRows(parsed.options.targets, [
      { protocol: 'native' },
      { protocol: 'hermes' },
    ])) {
      const run = { task: allTools, row, rep: 0, fingerprint: '' }
      const signal = new AbortController().signal
      const record = await runTask({
        run,
        config: parsed.options.config,
        retries: 0,
        apiKey: undefined,
        signal,
      })
      expect(record?.calls).toMatchObject([{ name: 'list_accounts', args: {} }])
    }
    expect(requests[0]?.body).toMatchObject({ tool_choice: 'required' })
    expect(requests[1]?.body).toMatchObject({ response_format: { type: 'json_object' } })
    expect(textOf(requests[1]?.body.messages[0]?.content)).toContain('you must call')
  })
})
