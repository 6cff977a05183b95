import { readFileSync, writeFileSync } from 'node:fs'
import {
  getProtocol,
  getProtocolInfo,
  listProtocols,
  type RepairCode,
  type RepairRule,
  repairRules,
} from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { isEngineProtocol } from '../src/protocols/protocol.js'
import { describeChunks, randomChunks } from './support/chunks.js'
import { readEvents } from './support/read-answer.js'

/**
 * docs/repairs.md is made from the table of repairs. To write it again:
 * `UPDATE_PAGES=1 npx vitest run packages/parser/test/repairs.test.ts`.
 */
const page = new URL('../../../docs/repairs.md', import.meta.url)

const tools = [
  {
    type: 'function' as const,
    name: 'find',
    inputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        zip: { type: 'string' },
        note: { type: 'string' },
        days: { type: 'integer' },
        units: { type: 'string' },
        flag: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        stars: { type: 'array', items: { type: 'integer' } },
        mode: { type: 'string', enum: ['fast', 'slow'] },
        place: { type: 'object', properties: { name: { type: 'string' } } },
        stops: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
      required: ['zip'],
    },
  },
]

const json = (args: string) => `<tool_call>{"name": "find", "arguments": ${args}}</tool_call>`
const tagged = (args: string) => `<tool_call>\n<function=find>${args}</function>\n</tool_call>`
const glm = (args: string) => `<tool_call>find${args}</tool_call>`
const elements = (args: string) => `<find>${args}</find>`
const minimax = (args: string) =>
  `§<tool_call>\n§<invoke name="find">${args}§</invoke>\n§</tool_call>`.replaceAll(
    '§',
    ']<]minimax[>[',
  )
const dsml = (head: string) =>
  `<§function_calls>\n<§invoke name="find">\n<§parameter ${head}</§parameter>\n</§invoke>\n</§function_calls>`.replaceAll(
    '§',
    '｜DSML｜',
  )
const yaml = (args: string) => `<find>\n${args}\n</find>`
const wire = (args: string) => `<call>find ${args}</call>`

/** A format, and a text in it in which the reader records the repair. */
const inputs: Readonly<Record<RepairCode, readonly [protocol: string, text: string]>> = {
  'other-shape': ['hermes', 'find(city="Paris", days=3)'],
  'markdown-escape': ['pythonic', '[find(city="Paris", no\\_te="a")]'],
  'positional-argument': ['pythonic', '[find("Paris")]'],
  arithmetic: ['pythonic', '[find(city="Paris", days=6/2)]'],
  'text-after-call': ['pythonic', '[find(city="Paris")] is a call.'],
  'unescaped-quote': ['hermes', json('{"note": "say "hi" to Ann"}')],
  'single-quotes': ['hermes', json('{\'city\': "Paris"}')],
  'bare-key': ['hermes', json('{city: "Paris"}')],
  'bare-word': ['hermes', json('{"city": Paris}')],
  'python-word': ['hermes', json('{"flag": True}')],
  tuple: ['hermes', json('{"tags": ("a", "b")}')],
  'escaped-space': ['hermes', json('{\\n"city": "Paris",\\n"days": 3}')],
  'raw-line-break': ['hermes', json('{"note": "a\nb"}')],
  'doubtful-quote': ['hermes', json('{"city": "a"b" c"}')],
  'shifted-space': ['hermes', json('{"days": 3, "city":" Paris"}')],
  'odd-word': ['hermes', json('{"city": Paris"}')],
  'extra-comma': ['hermes', json('{"city": "Paris",}')],
  'missing-comma': ['hermes', json('{"city": "Paris" "days": 3}')],
  'missing-bracket': ['hermes', '<tool_call>{"name": "find", "arguments": {"city": "Paris"'],
  'extra-bracket': ['hermes', json('{"city": "Paris"}}')],
  'missing-space': ['wire', wire('city="Paris"days=3')],
  'extra-space': ['wire', wire('city = Paris')],
  comment: ['hermes', json('{"city": "Paris" // where\n}')],
  'missing-item-comma': ['hermes', json('{"tags": ["a" "b"]}')],
  'crossed-brackets': ['hermes', json('{"tags": ["a"}')],
  'json-in-string': ['hermes', json('{"place": "{\\"name\\": \\"a\\"}"}')],
  'list-of-one': ['hermes', json('{"tags": "a"}')],
  'list-in-text': ['hermes', json('{"stars": "1, 2"}')],
  'null-left-out': ['hermes', json('{"tags": null}')],
  'extra-quotes': ['hermes', json('{"mode": "\'fast\'"}')],
  'other-key-spelling': ['hermes', json('{"ZIP": "75001"}')],
  'odd-list-of-one': ['hermes', json('{"tags": "a,b"}')],
  'key-after-arguments': ['hermes', json('{"city": "Paris"}, "days": 3')],
  'repeated-key': ['morph_xml', elements('<place name="a" name="b"/>')],
  'missing-required': ['glm_4_5', glm('<arg_key>zip</arg_key>')],
  'missing-value': [
    'glm_4_5',
    glm('<arg_key>city</arg_key><arg_key>days</arg_key><arg_value>3</arg_value>'),
  ],
  'other-envelope': [
    'hermes',
    '<tool_call>{"name": "find", "parameters": {"city": "Paris"}}</tool_call>',
  ],
  'tool-name': ['hermes', '<tool_call>{"name": "Find", "arguments": {}}</tool_call>'],
  fenced: ['hermes', '<tool_call>\n```json\n{"name": "find", "arguments": {}}\n```\n</tool_call>'],
  'missing-close': ['hermes', '<tool_call>{"name": "find", "arguments": {}} So.'],
  'missing-open': ['minimax_m3', minimax('Paris§</city>')],
  'extra-close': ['morph_xml', elements('<city>Paris</city></city>')],
  'space-in-tag': ['morph_xml', elements('<city>Paris</city >')],
  'close-in-text': ['morph_xml', elements('<note>see </note> here</note>')],
  'other-mark': ['hermes', '<tool_Call>{"name": "find", "arguments": {}}</tool_call>'],
  'junk-in-tag': ['morph_xml', elements('<city lang="fr">Paris</city>')],
  'other-notation': ['wire', '<call>find({"city": "Paris"})</call>'],
  'table-frame': ['line', '@find stops=<<END\n|name|\n|---|\n|a|\nEND'],
  'other-item-tag': ['morph_xml', elements('<tags><tag>a</tag></tags>')],
  'markup-at-edge': ['wire', '<call>find city=Paris/call>'],
  'argument-in-value': [
    'qwen3_coder',
    tagged('<parameter=city>Paris</parameter>\nparameter=days>3</parameter>'),
  ],
  'foreign-close': ['morph_xml', elements('<tags>i<tem>a</item></tags>')],
  'text-after-value': ['wire', '<call>find city=Paris I will look.'],
  'missing-tag': ['minimax_m3', minimax('city>Paris§</city>')],
  'text-in-tag': ['deepseek_v3_2_dsml', dsml('name="city" str>ing="true">Paris')],
  'unindented-block': ['yaml_xml', yaml('note: |\na text')],
  'odd-indent': ['yaml_xml', yaml('note: |\n a\n  b\n  c')],
  'item-in-value': ['yaml_xml', yaml('tags:\n  - slow  - by train')],
  'key-in-value': ['wire', wire('city=Austin unit=metric')],
}

function readCodes(name: string, chunks: readonly string[]): RepairCode[] {
  const protocol = getProtocol(name)
  if (!isEngineProtocol(protocol)) throw new Error(`${name} is not read by the engine`)
  const events = readEvents({ protocol, tools, chunks })
  return events.flatMap(event =>
    event.type === 'call-end' ? event.repairs.map(({ code }) => code) : [],
  )
}

const rules: readonly (readonly [string, RepairRule])[] = Object.entries(repairRules)

function renderPage(): string {
  const table = (kind: RepairRule['kind']) =>
    rules
      .filter(([, rule]) => rule.kind === kind)
      .map(([code, rule]) => {
        const cells = [`\`${code}\``, rule.message, ...(rule.advice ? [rule.advice] : [])]
        return `| ${[...cells, asCode(rule.example)].join(' | ')} |`
      })
      .join('\n')
  return `# Repairs

What the reader does beyond the letter of a format is recorded on the call, with a code that does not change. [options.md](options.md#repaired-calls) says what \`tolerance\` makes of it, and how an
application sees it. \`toolglot explain\` shows it in the text. This page is made from the table in \`engine/repairs.ts\`; \`⏎\` is a line break.

## Repairs

The text has one meaning. The call runs, unless \`tolerance\` is \`'exact'\`.

| code | what was found | example |
|---|---|---|
${table('repair')}

## Guesses

Another reading exists, so what was read may not be what the model meant. The call is invalid, unless \`tolerance\` is \`'eager'\`. The model reads both sentences.

| code | what was found | what the model is told to do | example |
|---|---|---|---|
${table('guess')}
`
}

/** As inline code in a table: a bar would end the cell, and a backtick the code. */
function asCode(example: string): string {
  const text = example.replaceAll('|', '\\|')
  return text.includes('`') ? `\`\`\`\` ${text} \`\`\`\`` : `\`${text}\``
}

describe('docs/repairs.md', () => {
  it('is made from the table of repairs', () => {
    if (process.env.UPDATE_PAGES) writeFileSync(page, renderPage())
    expect(readFileSync(page, 'utf8')).toBe(renderPage())
  })
})

describe('each repair has a text in which it is recorded', () => {
  it.each(Object.entries(inputs))('%s', (code, [name, text]) => {
    for (const chunks of [[text], [...text], randomChunks(text, 3)]) {
      expect(readCodes(name, chunks), describeChunks(chunks)).toContain(code)
    }
  })

  it('has a text for each code, in a format that exists', () => {
    expect(Object.keys(inputs).sort()).toEqual(Object.keys(repairRules).sort())
    expect(listProtocols().filter(name => getProtocolInfo(name) === undefined)).toEqual([])
  })
})
