import { describe, expect, it } from 'vitest'
import { createToolLookup, foldName } from '../../src/engine/tool-lookup.js'

// biome-ignore format: a table
describe('the tool that a name means', () => {
  it.each<[string[], string, string | undefined]>([
    // tools                                    written                     tool
    [['get_weather'],                           'get_weather',              'get_weather'],
    [['get_weather'],                           'Get-Weather',              'get_weather'],
    [['get_weather'],                           'GET.WEATHER',              'get_weather'],
    [['resolve-library-id'],                    'resolve_library_id',       'resolve-library-id'],
    [['tides.at'],                              'tides_at',                 'tides.at'],
    [['größe'],                                 'GRÖße',                    'größe'],
    // A sign is not added or dropped.
    [['get_weather'],                           'getWeather',               undefined],
    [['get_weather'],                           'get__weather',             undefined],
    [['get_weather'],                           'get_weathers',             undefined],
    [['größe'],                                 'GRÖSSE',                   undefined],
    [['get_weather'],                           ' get_weather',             undefined],
    [['get_weather'],                           '',                         undefined],
    [[],                                        'get_weather',              undefined],
    // A namespace in front.
    [['get_weather'],                           'functions.get_weather',    'get_weather'],
    [['get_weather'],                           'Functions_Get-Weather',    'get_weather'],
    [['get_weather'],                           'functionsget_weather',     undefined],
    [['get_weather'],                           'tools.get_weather',        undefined],
    [['functions.f'],                           'functions_f',              'functions.f'],
    [['functions.f'],                           'f',                        undefined],
    // The exact name counts, also after a namespace; of two others, none does.
    [['Find', 'find'],                          'find',                     'find'],
    [['Find', 'find'],                          'functions.find',           'find'],
    [['Find', 'find'],                          'FIND',                     undefined],
    [['a-b', 'a_b'],                            'a.b',                      undefined],
    [['Find', 'find'],                          'functions.FIND',           undefined],
    [['functions.f', 'f'],                      'functions.f',              'functions.f'],
    [['functions.f', 'f'],                      'Functions.F',              undefined],
    // Names of properties that every object has.
    [['f'],                                     '__proto__',                undefined],
    [['f'],                                     'constructor',              undefined],
  ])('of %j, %j: %s', (names, written, tool) => {
    expect(createToolLookup(names).find(written)).toBe(tool)
  })
})

// biome-ignore format: a table
describe('the names at a place', () => {
  it.each<[string, string[], string | undefined]>([
    // text after the place    names                            begun
    ['get_weather>',           ['get_weather'],                 undefined],
    ['Get-Weather_Map x',      ['Get-Weather', 'Get-Weather_Map'], undefined],
    ['get_weather',            ['get_weather'],                 'get_weather-map'],
    ['Get.w',                  [],                              'Get.weather'],
    ['get_weather_map',        ['get_weather', 'get_weather_map'], undefined],
    ['git',                    [],                              undefined],
    ['FIND',                   [],                              undefined],
    ['find',                   ['find'],                        undefined],
    ['',                       [],                              'find'],
  ])('%j: %j', (text, written, begun) => {
    const lookup = createToolLookup(['get_weather_map', 'Find', 'get_weather', 'find'])
    expect(lookup.matchAt(`<${text}`, 1)).toEqual({ written, begun })
  })

  it('begin with one of some characters', () => {
    const chars = createToolLookup(['Find', '-x', 'get', '']).firstChars()
    expect([...new Set(chars)].sort()).toEqual(['-', '.', 'F', 'G', '_', 'f', 'g'])
  })
})

it('adds and drops no character of a name', () => {
  for (const name of ['İstanbul', 'ΣΑΣ', 'Straße', 'Ǆ', '𝔄b_C', 'K']) {
    expect(foldName(name).length, name).toBe(name.length)
    expect(foldName(name.slice(1)), name).toBe(foldName(name).slice(1))
  }
})
