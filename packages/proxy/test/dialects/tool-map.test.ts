import { describe, expect, it, vi } from 'vitest'
import { type ClientTool, createToolMap, realNamespace } from '../../src/dialects/tool-map.js'

const shown = { inputSchema: { type: 'object' as const, properties: {} } }
const fn = (name: string, namespace?: string): ClientTool => ({ kind: 'function', name, namespace })
const custom = (name: string, namespace?: string): ClientTool => ({
  kind: 'custom',
  name,
  namespace,
})

describe('the tools of a client', () => {
  it.each<[string, ClientTool[], string[]]>([
    ['are their own names at the top level', [fn('a'), custom('b')], ['a', 'b']],
    [
      'have their namespace in front',
      [fn('read', 'mcp__notes'), fn('read', 'mcp__files'), fn('read')],
      ['mcp__notes__read', 'mcp__files__read', 'read'],
    ],
    [
      'have a number if the name is taken',
      [fn('read', 'a'), fn('a__read')],
      ['a__read', 'a__read_2'],
    ],
    [
      'have the next number that is free',
      [fn('p'), fn('p_2'), custom('p'), { kind: 'apply_patch', name: 'p' }],
      ['p', 'p_2', 'p_3', 'p_4'],
    ],
    ['are one tool if they are declared twice', [fn('a'), fn('b'), fn('a')], ['a', 'b']],
  ])('%s', (_, tools, names) => {
    const map = createToolMap()
    for (const tool of tools) map.add(tool, shown)
    expect(map.tools?.map(({ name }) => name)).toEqual(names)
    for (const tool of tools) expect(map.clientTool(map.shownName(tool))).toEqual(tool)
  })

  it('are shown as they were declared last', () => {
    const map = createToolMap()
    map.add(fn('a'), { ...shown, description: 'old' })
    map.add(fn('a'), { ...shown, description: 'new' })
    expect(map.tools).toEqual([{ type: 'function', name: 'a', ...shown, description: 'new' }])
  })

  it('get their numbers in linear time, however many would have the same name', () => {
    const map = createToolMap()
    const chars = 3000
    const looks = vi.spyOn(Map.prototype, 'has')
    for (let i = 1; i < chars - 2; i++) map.add(fn('_'.repeat(chars - 2 - i), '_'.repeat(i)), shown)
    const count = looks.mock.calls.length
    looks.mockRestore()
    expect(count).toBeLessThan(3 * chars)
    expect(new Set(map.tools?.map(({ name }) => name)).size).toBe(chars - 3)
  })

  it('may be unknown: their names are those that they would have', () => {
    const map = createToolMap()
    expect(map.tools).toBeUndefined()
    expect(map.clientTool('no_such_tool')).toEqual(fn('no_such_tool'))
    expect(map.shownName(fn('read', 'mcp__notes'))).toBe('mcp__notes__read')
    expect(map.has(fn('read', 'mcp__notes'))).toBe(false)
  })
})

it.each([
  [undefined, undefined],
  ['', undefined],
  ['functions', undefined],
  ['mcp__notes', 'mcp__notes'],
])('the namespace %j counts as %j', (written, real) => {
  expect(realNamespace(written)).toBe(real)
})
