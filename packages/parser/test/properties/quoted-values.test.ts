import { listProtocols } from '@toolglot/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunksOf, describeChunks } from '../support/chunks.js'
import { readEvents } from '../support/read-answer.js'
import { runsEach } from './support/configure.js'
import { callOf, engineProtocol, formatCalls, sampleCalls, toolOf } from './support/protocols.js'

/**
 * A call that is written to the letter has no repair, whatever its values quote: calls of every
 * format, markup and code.
 */

const code: readonly string[] = [
  '<div class="a">\n  <p>x &lt; y</p>\n</div>\n',
  '<path>a.ts</path>\n<content>b</content>',
  'const x = a < b ? `c` : "d"\nif (x) { return <App key="k" /> }\n',
  'sed -n \'1,5p\' a.txt | grep "b" > c.txt && cat <<END\nx=1 y=2\nEND\n',
  'a: 1\nb:\n  - c: "d"\n    e: |\n      f\n',
  '{"name": "get", "arguments": {"city": "Rome", "tags": ["a", "b"]}}',
  '| a | b |\n|---|---|\n| `c` | [d](https://e.example/?days=3&f=1) |\n\n```json\n{"g": 1}\n```\n',
  'SELECT "a" FROM b WHERE c = \'d\' -- e\n',
  'it\'s 5 o\'clock, she said: "x=1, y=2"',
  '> quoted\n\n- [ ] x = y\n* a, b; c\n',
]

const tool = toolOf('save', {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
    days: { type: 'integer' },
    notes: { type: 'array', items: { type: 'string' } },
  },
  required: ['path', 'content'],
})

const calls = listProtocols().flatMap(name =>
  sampleCalls.map(call => formatCalls(engineProtocol(name), [call])),
)
const values = fc.oneof(
  fc.constantFrom(...code),
  fc.constantFrom(...calls),
  fc.tuple(fc.constantFrom(...calls), fc.constantFrom(...code)).map(([a, b]) => `${a}\n${b}`),
)
const inputs = fc.record(
  { path: values, content: values, days: fc.nat(9), notes: fc.array(values, { maxLength: 2 }) },
  { requiredKeys: ['path', 'content'] },
)

/** The end of the call that was read: its input, and what was done beyond the letter. */
function readCall(name: string, chunks: readonly string[]) {
  const events = readEvents({ protocol: engineProtocol(name), tools: [tool], chunks })
  return events.flatMap(event => {
    if (event.type !== 'call-end') return []
    const { input, problem, repairs } = event
    return [
      { input: problem ? input : JSON.parse(input), problem, repairs: repairs.map(r => r.code) },
    ]
  })
}

describe('a call that is written to the letter has no repair', () => {
  it.each(listProtocols())('%s', name => {
    const protocol = engineProtocol(name)
    fc.assert(
      fc.property(inputs, input => {
        const text = formatCalls(protocol, [callOf(tool.name, input)], [tool])
        for (const chunks of [[text], chunksOf(text, 3)]) {
          expect(readCall(name, chunks), `${describeChunks(chunks)}`).toEqual([
            { input, problem: undefined, repairs: [] },
          ])
        }
      }),
      { numRuns: Math.max(60, runsEach) },
    )
  })
})
