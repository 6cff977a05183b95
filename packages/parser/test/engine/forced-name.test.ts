import { expect, it } from 'vitest'
import type { ProblemCode } from '../../src/engine/events.js'
import { checkForcedName } from '../../src/engine/forced-name.js'
import { createToolLookup } from '../../src/engine/tool-lookup.js'

const choices = {
  auto: {},
  required: { isForced: true },
  tool: { isForced: true, forcedToolName: 'get_weather' },
}

// biome-ignore format: a table
it.each<[keyof typeof choices, string[], string, ProblemCode | undefined]>([
  // choice      tools                       written name     problem
  ['auto',       ['get_weather'],            'get_wether',    undefined],
  ['required',   ['get_weather', 'list'],    'list',          undefined],
  ['required',   ['get_weather', 'list'],    'get_wether',    'unknown-tool'],
  // A request without tools says nothing about names.
  ['required',   [],                         'get_wether',    undefined],
  ['tool',       ['get_weather', 'list'],    'get_weather',   undefined],
  ['tool',       ['get_weather', 'list'],    'list',          'forced-name'],
  ['tool',       ['get_weather', 'list'],    'get_wether',    'forced-name'],
  // The same tool in another spelling.
  ['tool',       ['get_weather', 'list'],    'Get-Weather',   undefined],
  ['required',   ['get_weather', 'list'],    'Get-Weather',   undefined],
])('%s of %j, and %s is called: %s', (choice, names, written, code) => {
  const tools = {
    ...choices[choice],
    lookup: createToolLookup(names),
  }
  expect(checkForcedName(tools, written)?.code).toBe(code)
})
