import { describe, expect, it } from 'vitest'
import { createShapeLook } from '../../src/engine/json/other-shape-look.js'
import { createToolLookup } from '../../src/engine/tool-lookup.js'

const look = createShapeLook(createToolLookup(['get_weather', 'tides.at']))
const fence = '```'

// biome-ignore format: a table
describe('how a line begins that may be a call', () => {
  it.each([
    ['get_weather(',                       'yes'],
    ['get_we',                             'wait'],
    ['get_weather',                        'wait'],
    ['get_weather is',                     'no'],
    ['get_weather_now(',                   'no'],
    ['get\\_weather(',                     'yes'],
    ['get\\',                              'wait'],
    ['Tides_At(',                          'yes'],
    ['functions.get_weather(',             'yes'],
    ['function',                           'wait'],
    ['get_weather\n{"city"',               'yes'],
    ['get_weather\n',                      'wait'],
    ['get_weather\nIt',                    'no'],
    ['[get_weather(',                      'yes'],
    ['["get_weather(',                     'yes'],
    ["['tides.at', {",                     'yes'],
    ["['tides.at',",                       'wait'],
    ["['tides.at', 'x'",                   'no'],
    ["[('tides.at', {",                    'yes'],
    ['[1, 2]',                             'no'],
    ['[link](get_weather)',                'no'],
    ['{"name": ',                          'yes'],
    ['{"tool_calls": ',                    'yes'],
    ["{'get_weather'",                     'yes'],
    ['{"city": ',                          'no'],
    ['{"na',                               'wait'],
    ['{ city',                             'no'],
    ['`get_weather(',                      'yes'],
    ['`',                                  'wait'],
    [`${fence}python\nget_weather(`,       'yes'],
    [`${fence}pyth`,                       'wait'],
    [`${fence}python\nimport x`,           'no'],
    ['The weather',                        'no'],
    ['',                                   'wait'],
  ])('%j: %s', (ahead, verdict) => expect(look(ahead)).toBe(verdict))
})
