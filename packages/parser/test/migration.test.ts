import { readFileSync } from 'node:fs'
import * as parser from '@toolglot/parser'
import * as protocol from '@toolglot/parser/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import * as migrationNames from '../src/migration-names.js'
import { peerNames, peerOptions } from './migration-peer-names.js'
import { readExports } from './support/read-exports.js'

/**
 * What MIGRATE.md promises: each name in its tables is what the table says, and each claim about
 * our side is true.
 */

const page = readFileSync(new URL('../../../MIGRATE.md', import.meta.url), 'utf8')

/** The text below a heading, up to the next heading of any level. */
function sectionOf(heading: string): string {
  const [, below = ''] = page.split(new RegExp(`^#+ ${heading.replace(/[.-]/g, '\\$&')}$`, 'm'))
  return below.split(/^#/m)[0] ?? ''
}

interface Row {
  readonly heading: string
  readonly name: string
  readonly verdict: string
  /** The last cell: what to use instead. */
  readonly use: string
}

/**
 * The rows of the table of names below a heading, one for each name in the first cell: `| \`a\`,
 * \`b\` | gone | … |`.
 */
function rowsOf(heading: string): Row[] {
  const table = sectionOf(heading).split('| name there | here | use |')[1] ?? ''
  const lines = table.split('\n').filter(line => line.startsWith('| `'))
  return lines.flatMap(line => {
    const [names = '', verdict = '', use = ''] = line.slice('| '.length).split(' | ')
    return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => ({ heading, name, verdict, use }))
  })
}

const headings = [
  ...new Set(peerNames.map(([heading]) => heading)),
  'Earlier names of this package',
]
const rows = headings.flatMap(rowsOf)
const rowsWith = (verdict: string) => rows.filter(row => row.verdict === verdict)

/** The exports of an entry, values and types, and whether each is marked `@deprecated`. */
type Exports = ReadonlyMap<string, { readonly isDeprecated: boolean }>
let exported: Exports = new Map()
/** The same for `@toolglot/parser/protocol`. */
let ofProtocol: Exports = new Map()
/** The names that migration-names.ts exports. */
const aliases: string[] = []

beforeAll(() => {
  const [index, protocol, names] = readExports(['index.ts', 'protocol.ts', 'migration-names.ts'])
  if (index) exported = index
  if (protocol) ofProtocol = protocol
  aliases.push(...(names?.keys() ?? []))
}, 120_000)

describe('the tables of names', () => {
  it.each(peerNames)('%s: `%s` has a row', (heading, name) => {
    expect(rowsOf(heading).map(row => row.name)).toContain(name)
  })

  it.each(peerOptions)('%s: `%s` is mentioned', (heading, name) => {
    expect(sectionOf(heading)).toMatch(new RegExp(`\`(?:${name.replace('.', '\\.')})(?:\`|: )`))
  })

  it('have verdicts that are known', () => {
    const verdicts = ['the same', 'deprecated alias', 'moved', 'gone', 'as in 4.x']
    expect(rows.filter(row => !verdicts.includes(row.verdict))).toEqual([])
  })

  it.each(rowsWith('the same'))('$heading: `$name` is exported', ({ name }) => {
    expect([...exported.keys()]).toContain(name)
  })

  it.each(rowsWith('deprecated alias'))(
    '$heading: `$name` is exported, and deprecated',
    ({ name }) => {
      expect(exported.get(name)).toEqual({ isDeprecated: true })
      expect(aliases).toContain(name)
    },
  )

  it.each(rowsWith('gone'))('$heading: `$name` is not exported', ({ name }) => {
    expect([...exported.keys()]).not.toContain(name)
  })

  it.each(rowsWith('as in 4.x'))('$heading: `$name` is in the table of 4.x', ({ name }) => {
    expect(rowsOf('Names of 4.x').map(row => row.name)).toContain(name)
  })

  it.each(rowsWith('deprecated alias'))(
    '$heading: what replaces `$name` is exported',
    ({ use }) => {
      const [, replacement = ''] = /^`(\w+)/.exec(use) ?? []
      const entry = use.includes('`@toolglot/parser/protocol`') ? ofProtocol : exported
      expect(entry.get(replacement), use).toEqual({ isDeprecated: false })
    },
  )

  it.each(rowsWith('moved'))(
    '$heading: `$name` is in `/protocol`, with a deprecated alias',
    ({ name }) => {
      expect(ofProtocol.get(name)).toEqual({ isDeprecated: false })
      expect(exported.get(name)).toEqual({ isDeprecated: true })
      expect(aliases).toContain(name)
    },
  )

  it('list every alias of migration-names.ts', () => {
    expect(aliases.length).toBeGreaterThan(0)
    const listed = new Set(
      [...rowsWith('deprecated alias'), ...rowsWith('moved')].map(row => row.name),
    )
    expect(aliases.filter(name => !listed.has(name))).toEqual([])
  })
})

const tools = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'The weather.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  },
]
const prompt = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
]
const model = { modelId: 'some-model', provider: 'local.chat' }

/** What the model gets: the messages after the middleware. */
async function askedBy(middleware: parser.ToolCallMiddleware, more: object = {}) {
  const params = { prompt, tools, ...more }
  const { prompt: messages } = await middleware.transformParams({ type: 'generate', params, model })
  return messages
}

/**
 * What the application gets if the model answers with that text: texts, and calls as `get_weather
 * {"city":"Paris"}`.
 */
async function readBy(
  middleware: parser.ToolCallMiddleware,
  text: string,
  more: object = {},
): Promise<string[]> {
  const params = await middleware.transformParams({
    type: 'generate',
    params: { prompt, tools, ...more },
    model,
  })
  const answer = {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: 'stop' },
    warnings: [],
  }
  const doGenerate = async () => answer
  const result = await middleware.wrapGenerate({ doGenerate, doStream: doGenerate, params, model })
  const contents: parser.Content[] = result.content
  return contents.map(part =>
    part.type === 'tool-call' ? `${part.toolName} ${part.input}` : part.text,
  )
}

const envelope = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const hermesCall = `<tool_call>${envelope}</tool_call>`
const xmlCall = '<get_weather><city>Paris</city></get_weather>'
const yamlCall = '<get_weather>\ncity: Paris\n</get_weather>'
const qwenCall =
  '<tool_call><function=get_weather><parameter=city>Paris</parameter></function></tool_call>'

describe('the aliases', () => {
  const withProtocol = (protocol: parser.ProtocolLike) => parser.createToolMiddleware({ protocol })

  it.each([
    ['hermesProtocol', withProtocol(parser.hermesProtocol), hermesCall],
    ['jsonProtocol', withProtocol(parser.jsonProtocol), hermesCall],
    [
      'jsonProtocol with marks',
      withProtocol(parser.jsonProtocol({ toolCallStart: '[[', toolCallEnd: ']]' })),
      `[[${envelope}]]`,
    ],
    ['xmlProtocol', withProtocol(parser.xmlProtocol), xmlCall],
    ['yamlProtocol', withProtocol(parser.yamlProtocol), yamlCall],
    ['qwen3CoderProtocol', withProtocol(parser.qwen3CoderProtocol), qwenCall],
    ['Qwen3CoderToolParser', withProtocol(parser.Qwen3CoderToolParser()), qwenCall],
    ['uiTarsXmlProtocol', withProtocol(parser.uiTarsXmlProtocol), qwenCall],
    ['kExaone2Protocol', withProtocol(parser.kExaone2Protocol), qwenCall],
    ['KExaone2ToolParser', withProtocol(parser.KExaone2ToolParser), qwenCall],
    ['kExaone2ToolMiddleware', parser.kExaone2ToolMiddleware, qwenCall],
    ['yamlToolMiddleware', parser.yamlToolMiddleware, yamlCall],
  ])('%s reads its format', async (_, middleware, call) => {
    expect(await readBy(middleware, call)).toEqual(['get_weather {"city":"Paris"}'])
  })

  it('are all tested here', () => {
    const renamed = Object.keys(migrationNames).filter(name => !(name in protocol))
    expect(renamed.sort()).toEqual([
      'KExaone2ToolParser',
      'Qwen3CoderToolParser',
      'hermesProtocol',
      'jsonProtocol',
      'kExaone2Protocol',
      'kExaone2ToolMiddleware',
      'protocolInfo',
      'protocolNames',
      'qwen3CoderProtocol',
      'uiTarsXmlProtocol',
      'xmlProtocol',
      'yamlProtocol',
      'yamlToolMiddleware',
    ])
  })

  it('of names that moved are the same values', () => {
    const moved = Object.entries(migrationNames).filter(([name]) => name in protocol)
    expect(moved.length).toBe(8)
    for (const [name, value] of moved) expect(Reflect.get(protocol, name), name).toBe(value)
  })

  it('are the middleware or the format that the table names', async () => {
    expect(parser.yamlToolMiddleware).toBe(parser.yamlXmlToolMiddleware)
    expect(parser.xmlToolMiddleware).toBe(parser.morphXmlToolMiddleware)
    expect(parser.qwen3CoderProtocol()).toBe(parser.getProtocol('qwen3_coder'))
    expect(parser.kExaone2Protocol()).toBe(parser.getProtocol('k_exaone2'))
    const result = {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'get_weather',
      output: { type: 'text', value: 'clear' },
    }
    const messages = await askedBy(parser.kExaone2ToolMiddleware, {
      prompt: [...prompt, { role: 'tool', content: [result] }],
    })
    expect(JSON.stringify(messages)).toContain('<tool_result>clear</tool_result>')
  })
})

describe('the page', () => {
  it('names only protocols that exist', () => {
    const names = [...page.matchAll(/(?:getProtocol\(|protocol: )'(\w+)'/g)].map(
      ([, name = '']) => name,
    )
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) expect(() => parser.getProtocol(name), name).not.toThrow()
  })

  it('links only to headings that it has', () => {
    const anchor = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-')
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading))
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link)
    expect(links.filter(link => !anchors.includes(link ?? ''))).toEqual([])
  })
})

describe('what the page says about this package', () => {
  const auto = parser.createToolMiddleware()

  it.each([
    [
      'hermes',
      parser.hermesToolMiddleware,
      '<tool_call>{"name": "nope", "arguments": {}}</tool_call>',
      'nope {}',
    ],
    [
      'Gemma',
      parser.gemmaToolMiddleware,
      '```tool_call\n{"name": "nope", "arguments": {}}\n```',
      'nope {}',
    ],
    [
      'Qwen',
      parser.qwen3CoderToolMiddleware,
      qwenCall.replace('get_weather', 'nope'),
      'nope {"city":"Paris"}',
    ],
    ['wire', parser.compactTools(), '<call>nope city=Paris</call>', 'nope {"city":"Paris"}'],
    [
      'auto, the format that was asked for',
      auto,
      '<tool_call>{"name": "nope", "arguments": {}}</tool_call>',
      'nope {}',
    ],
  ])('an unknown tool is a call: %s', async (_, middleware, text, call) => {
    expect(await readBy(middleware, text)).toEqual([call])
  })

  it.each([
    ['auto, a format that was not asked for', auto, '<call>nope city=Paris</call>'],
    ['XML', parser.morphXmlToolMiddleware, '<nope><city>Paris</city></nope>'],
    ['YAML', parser.yamlXmlToolMiddleware, '<nope>\ncity: Paris\n</nope>'],
    ['hermes, bare JSON inside a sentence', parser.hermesToolMiddleware, `Write ${envelope} now.`],
    ['auto, bare JSON inside a sentence', auto, `Write ${envelope} to call it.`],
  ])('text stays text: %s', async (_, middleware, text) => {
    expect(await readBy(middleware, text)).toEqual([text])
  })

  it.each([
    ['bare JSON', envelope],
    ['a fence', `\`\`\`json\n${envelope}\n\`\`\``],
  ])('auto and hermes read %s', async (_, text) => {
    expect(await readBy(auto, text)).toEqual(['get_weather {"city":"Paris"}'])
    expect(await readBy(parser.hermesToolMiddleware, text)).toEqual([
      'get_weather {"city":"Paris"}',
    ])
  })

  it.each([
    [
      'XML',
      parser.morphXmlToolMiddleware,
      '<get_weather><city>&lt;b&gt;</city></get_weather>',
      '{"city":"&lt;b&gt;"}',
    ],
    [
      'Qwen',
      parser.qwen3CoderToolMiddleware,
      qwenCall.replace('Paris', '&lt;b&gt;'),
      '{"city":"&lt;b&gt;"}',
    ],
    [
      'YAML',
      parser.yamlXmlToolMiddleware,
      '<get_weather>\ncity: 007\n</get_weather>',
      '{"city":"007"}',
    ],
    [
      'undeclared',
      parser.morphXmlToolMiddleware,
      '<get_weather><zip>1</zip></get_weather>',
      '{"zip":1}',
    ],
    [
      'spaces',
      parser.compactTools(),
      '<call>get_weather city=New York</call>',
      '{"city":"New York"}',
    ],
    ['no </call>', parser.compactTools(), '<call>get_weather city=Paris', '{"city":"Paris"}'],
  ])('values are read as written: %s', async (_, middleware, text, input) => {
    expect(await readBy(middleware, text)).toEqual([`get_weather ${input}`])
  })

  it('a forced choice reads JSON in a fence, keeps the name, and leaves text as text', async () => {
    const forced = { toolChoice: { type: 'tool', toolName: 'get_weather' } }
    const middleware = parser.hermesToolMiddleware
    expect(await readBy(middleware, `\`\`\`json\n${envelope}\n\`\`\``, forced)).toEqual([
      'get_weather {"city":"Paris"}',
    ])
    expect(await readBy(middleware, '{"name": "nope", "arguments": {}}', forced)).toEqual([
      'get_weather {}',
    ])
    expect(await readBy(middleware, 'No idea.', forced)).toEqual(['No idea.'])
  })

  it.each([
    ['hermes', parser.hermesToolMiddleware],
    ['compactTools', parser.compactTools()],
  ])(
    'the tools are before the text of the system message, or at the start: %s',
    async (_, middleware) => {
      const [system] = await askedBy(middleware)
      expect(system.content).toMatch(/^# Tools.*Be brief\.$/s)
      const withoutSystem = await askedBy(middleware, { prompt: prompt.slice(1) })
      expect(withoutSystem.map((message: { role: string }) => message.role)).toEqual([
        'system',
        'user',
      ])
    },
  )

  it('the tools are one JSON object a line', async () => {
    for (const middleware of [
      parser.hermesToolMiddleware,
      parser.morphXmlToolMiddleware,
      parser.yamlXmlToolMiddleware,
    ]) {
      const [system] = await askedBy(middleware)
      expect(system.content).toContain(
        '\n{"type": "function", "function": {"name": "get_weather", ',
      )
    }
  })

  it('nothing is shown without tools, and with the tool choice `none`', async () => {
    expect(await askedBy(parser.hermesToolMiddleware, { tools: [] })).toEqual(prompt)
    expect(await askedBy(parser.hermesToolMiddleware, { toolChoice: { type: 'none' } })).toEqual(
      prompt,
    )
  })

  it.each([
    ['hermes', parser.hermesToolMiddleware, '<tool_response>\nclear\n</tool_response>'],
    ['XML', parser.morphXmlToolMiddleware, '<result>\nclear\n</result>'],
    ['wire', parser.compactTools(), '<result>get_weather: clear</result>'],
  ])('results are shown in these marks: %s', async (_, middleware, text) => {
    const result = {
      type: 'tool-result',
      toolCallId: '1',
      toolName: 'get_weather',
      output: { type: 'text', value: 'clear' },
    }
    const messages = await askedBy(middleware, {
      prompt: [...prompt, { role: 'tool', content: [result] }],
    })
    expect(messages.at(-1).content.at(-1).text).toContain(text)
  })

  it('lists of plain values are flat, nested objects are not', () => {
    const schemaWith = (property: object) => ({ type: 'object', properties: { tags: property } })
    const list = schemaWith({ type: 'array', items: { type: 'string' } })
    const nested = schemaWith({ type: 'object', properties: { name: { type: 'string' } } })
    const plan = (inputSchema: object) =>
      parser.planTools([{ name: 'tag', inputSchema }], { fallbackToJson: 'error' })
    expect(parser.isFlatObject(list)).toBe(true)
    expect(parser.isFlatObject({})).toBe(true)
    expect(plan(list)).toEqual([{ toolName: 'tag', form: 'pairs', complexFields: [] }])
    expect(() => plan(nested)).toThrow(/"tag".*"tags"/)
  })
})
