import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { chunksOf } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
import { callOf, engineProtocol, formatCalls, toolOf } from './support/protocols.js'

// Undamaged calls whose values are calls of other formats, code, or markup. Nothing is repaired in
// them: a value may be any text.

const formats = [
  ...['qwen3_coder', 'qwen3_5', 'k_exaone2', 'seed_oss', 'glm_4_5', 'glm_4_7', 'poolside_v1'],
  ...['minimax_m2', 'hunyuan_v3', 'step3', 'dots', 'anthropic_xml', 'deepseek_v3_2_dsml'],
  ...['deepseek_v4_dsml', 'kimi_k3', 'muse_glimmer', 'minicpm5'],
  ...['morph_xml', 'minimax_m3', 'yaml_xml'],
]

const text = { type: 'string' } as const
const note = toolOf('note', {
  type: 'object',
  properties: { title: text, body: text, footer: text, tags: { type: 'array', items: text } },
  required: ['title', 'body'],
  additionalProperties: false,
})

const markup = [
  '<p>Hello <b>there</b></p>',
  '<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n',
  '<!doctype html>\n<html>\n<body class="a">\n<p>if (a < b) …</p>\n</body>\n</html>',
  'export const A = () => (\n  <Card title="x" onClick={() => go(1)}>\n    {items.map(i => <Item key={i} />)}\n  </Card>\n)',
  '<?xml version="1.0"?>\n<params><param name="x">1</param><parameters>2</parameters></params>',
  '<parameters>\n  <parameter>a</parameter>\n</parameters>',
  '<args><arg>1</arg></args>',
  '<tool_calls><tool_call>x</tool_call></tool_calls>',
  '<invokes><invoke/></invokes>',
  '<title>a</title><body>b</body>',
]
const code = [
  '#!/bin/sh\ncat <<EOF > a.txt\n$1\nEOF\ngrep -c "x" a.txt | wc -l >> out 2>&1\n',
  'if (a < b && c > d) {\n  return x >> 2\n}\n',
  'std::vector<std::map<int, int>> xs;\n}',
  '{\n  "a": [1, 2],\n  "b": {"c": "<x>"}\n}',
  '[{"city": "Oslo"}, {"city": "Kyoto"}]',
  'name: CI\non:\n  push:\n    branches: [main]\njobs:\n  - run: |\n      npm test\n',
  '# Title\n\n- a\n- b\n\n```ts\nconst x = 1\n```\n\n> quoted\n',
  '>>> print(1)\n1\n',
  'a | b\n--|--\n1 | 2\n',
  '@@ -1,2 +1,2 @@\n-<a>\n+<b>\n',
  'x = y < 3',
  '=',
  '1',
]
const innerTool = toolOf('find', {
  type: 'object',
  properties: { title: text, limit: { type: 'integer' } },
})
const quotedCalls = listProtocols().map(name => [
  name,
  formatCalls(
    engineProtocol(name),
    [callOf('find', { title: 'a & b', limit: 3 }), callOf('note', { title: 'x', body: 'y\nz' })],
    [innerTool, note],
  ),
])

const bodies = [
  ...[...markup, ...code].map(value => [value.slice(0, 40), value]),
  ...quotedCalls.map(([name = '', value = '']) => [`a call in ${name}`, value]),
  ...quotedCalls.map(([name = '', value = '']) => [
    `a call in ${name}, in a text`,
    `Write it so:\n${value}\nThat is all.`,
  ]),
]

describe.each(formats)('quoted in %s', name => {
  const protocol = engineProtocol(name)

  it.each(bodies)('%s', (_name, body = '') => {
    for (const input of [
      { title: 'About', body, footer: 'end', tags: ['a'] },
      { title: 'About', body },
    ]) {
      const written = protocol.formatToolCall(callOf('note', input), { tools: [note] })
      for (const chunks of [[written], chunksOf(written, 7)]) {
        const ends = readEvents({ protocol, tools: [note], chunks }).filter(
          event => event.type === 'call-end',
        )
        expect(
          ends.map(end => [JSON.parse(end.input), end.problem, end.repairs]),
          written,
        ).toEqual([[input, undefined, []]])
      }
    }
  })
})
