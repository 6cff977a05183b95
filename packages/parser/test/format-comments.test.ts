import { readdirSync, readFileSync } from 'node:fs'
import * as formats from '@toolglot/parser/formats'
import { describe, expect, it } from 'vitest'

/** The comment above a format shows one call as the format writes it. */

const folder = new URL('../src/formats/', import.meta.url)
const source = readdirSync(folder)
  .map(file => readFileSync(new URL(file, folder), 'utf8'))
  .join('\n')

const inputSchema = { type: 'object', properties: { city: { type: 'string' } } }
const tools = [{ type: 'function' as const, name: 'get_weather', inputSchema }]
const call = { toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Paris' } }

const written = Object.entries(formats).flatMap(([name, format]) =>
  'create' in format ? [{ name, text: format.create().formatToolCall(call, { tools }) }] : [],
)

describe('the comment above a format shows a call', () => {
  it.each(written)('$name', ({ name, text }) => {
    const comment = source.split(`export const ${name} = `)[0]?.split('/**\n').at(-1) ?? ''
    // A call that is a fence itself is in a longer fence.
    const isInFence = comment.startsWith(' * ````text\n')
    const shown = isInFence ? comment.slice(comment.indexOf('\n') + 1) : comment
    const indent = isInFence ? '' : '    '
    const lines = text.split('\n').map(line => ` * ${indent}${line}\n`)
    expect(shown.slice(0, lines.join('').length)).toBe(lines.join(''))
  })
})
