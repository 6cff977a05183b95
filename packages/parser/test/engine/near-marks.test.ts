import { describe, expect, it } from 'vitest'
import { startsCall } from '../../src/engine/near-marks.js'
import { createToolLookup } from '../../src/engine/tool-lookup.js'

const lookup = createToolLookup(['find'])
const tools = { has: (name: string) => name === 'find', lookup }

// biome-ignore format: a table
describe('what must follow a mark that is spelt almost right', () => {
  it.each([
    // mark          after                       verdict
    ['<tool_call>',  '{"name": "find"',          'yes'],
    ['<tool_call>',  '\n[{"name": "find"',       'yes'],
    ['<tool_call>',  '\n<function=find>',        'yes'],
    ['<tool_call>',  'find city=Paris',          'yes'],
    ['<tool_call>',  ' is not <tool_call>',      'no'],
    ['<tool_call>',  'search city=Paris',        'no'],
    ['<tool_call>',  '{"name": "fi',             'wait'],
    ['<tool_call>',  'fi',                       'wait'],
    ['<tool_call>',  '',                         'wait'],
    ['<function=',   'find>\n<parameter=city>',  'yes'],
    ['<function=',   'find>{"city"',             'yes'],
    ['<function=',   'find> would be alike',     'no'],
    ['<function=',   'search>\n<parameter=',     'no'],
    ['<function=',   'find>',                    'wait'],
  ] as const)('%s|%s', (text, after, verdict) => {
    expect(startsCall(after, { text }, tools)).toBe(verdict)
  })
})
